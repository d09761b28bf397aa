"""Search by cosine between a query's vector and every chunk's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from evalcore.embedding.base import Matrix, VectorSpace
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.topk import best, best_rows, blocks, check_k, sparse_bytes


class DenseRetriever:
    """Exact search: min(k, chunks) chunks always come back, also those of score 0 or below."""

    def __init__(self, space: VectorSpace) -> None:
        self._space = space
        passages = space.passages
        self._columns = sparse.csr_matrix(passages.T) if sparse.issparse(passages) else None

    @property
    def nbytes(self) -> int:
        """Bytes of the chunks' vectors."""
        passages = self._space.passages
        return sparse_bytes(passages) if sparse.issparse(passages) else int(passages.nbytes)

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
        if self._columns is not None or sparse.issparse(vectors):
            columns = sparse.csr_matrix(self._space.passages.T) if self._columns is None else self._columns
            return _best_sparse(columns, sparse.csr_matrix(vectors), k)
        return best_rows(np.asarray(self._space.passages), np.asarray(vectors), k)


def _best_sparse(columns: sparse.csr_matrix, queries: sparse.csr_matrix, k: int) -> list[Ranking]:
    # A row of the product is summed in the order of the query's columns, so its bits are its own.
    queries.sort_indices()
    found: list[Ranking] = []
    for block in blocks(queries.shape[0], columns.shape[1]):
        scores = (queries[block] @ columns).toarray().astype(np.float64)
        found.extend(best(row, k) for row in scores)
    return found
