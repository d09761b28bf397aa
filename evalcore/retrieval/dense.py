"""Search by cosine between a query's vector and every chunk's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from evalcore.embedding.base import Matrix, VectorSpace
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.topk import best, best_rows, blocks, check_k


class DenseRetriever:
    """Exact search: min(k, chunks) chunks always come back, also those of score 0 or below."""

    def __init__(self, space: VectorSpace) -> None:
        self._space = space

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """Return one ranking per query; scores are cosines in [-1, 1], equal ones in corpus order.

        Raises:
            ValueError: k below 1.
            ModelError: as `VectorSpace.queries`.
        """
        check_k(k)
        return self.rank(self._space.queries(queries), k) if queries else []

    def rank(self, vectors: Matrix, k: int) -> list[Ranking]:
        """Return one ranking per row of `vectors` (unit or zero rows, n × dimensions)."""
        passages = self._space.passages
        if sparse.issparse(passages) or sparse.issparse(vectors):
            return _best_sparse(sparse.csr_matrix(passages), sparse.csr_matrix(vectors), k)
        return best_rows(np.asarray(passages), np.asarray(vectors), k)


def _best_sparse(passages: sparse.csr_matrix, queries: sparse.csr_matrix, k: int) -> list[Ranking]:
    # A row of the product is summed in the order of the query's columns, so its bits are its own.
    queries.sort_indices()
    columns = passages.T.tocsr()
    found: list[Ranking] = []
    for block in blocks(queries.shape[0], passages.shape[0]):
        scores = (queries[block] @ columns).toarray().astype(np.float64)
        found.extend(best(row, k) for row in scores)
    return found
