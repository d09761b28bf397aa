"""The k best of many scores, with ties in corpus order, whatever the size of the batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.retrieval.base import Ranking

Scores = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Rows = npt.NDArray[np.float32]

_BLOCK_CELLS = 4_000_000


def check_k(k: int) -> None:
    """Refuse a cut-off below 1.

    Raises:
        ValueError: k below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}; expected at least 1")


def sparse_bytes(matrix: sparse.csr_matrix) -> int:
    """Return the bytes of a sparse matrix: its values and where they stand."""
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


def blocks(queries: int, chunks: int) -> Iterator[slice]:
    """Yield slices of queries such that queries × chunks scores of one slice fit in some 32 MB."""
    size = max(1, _BLOCK_CELLS // max(1, chunks))
    for start in range(0, queries, size):
        yield slice(start, min(start + size, queries))


def best(scores: Scores, k: int, chunks: Indices | None = None) -> Ranking:
    """Return the k highest of `scores`, best first; equal scores keep the order of their chunk indices.

    `chunks` (ascending) says which chunk each score belongs to; without it score i is chunk i's.
    """
    kept = np.arange(len(scores)) if len(scores) <= k else _not_below_kth(scores, k)
    order = kept[np.argsort(-scores[kept], kind="stable")][:k]
    return Ranking(order if chunks is None else chunks[order], scores[order])


def _not_below_kth(scores: npt.NDArray[np.floating], k: int, margin: float = 0.0) -> Indices:
    kth = np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.flatnonzero(scores >= kth - margin)


def pair_scores(rows: Rows, query: Rows) -> Scores:
    """Return the float64 dot product of each row with `query`.

    Products of float32 are exact in float64 and each row is summed by itself, so a score has the same
    bits whichever rows are beside it.
    """
    products = rows.astype(np.float64) * query.astype(np.float64)
    return np.asarray(products.sum(axis=1), dtype=np.float64)


def best_rows(rows: Rows, queries: Rows, k: int) -> list[Ranking]:
    """Return for each query the k rows (unit length) with the highest dot product.

    A float32 matrix product only selects candidates, with a margin above its rounding error
    (n·2^-24 per product of n numbers); scores and order are those of `pair_scores`.
    """
    margin = 4.0 * rows.shape[1] * 2.0**-24
    found: list[Ranking] = []
    for block in blocks(len(queries), len(rows)):
        fast = queries[block] @ rows.T
        for query, row in zip(queries[block], fast, strict=True):
            near = np.arange(len(row)) if len(row) <= k else _not_below_kth(row, k, margin)
            found.append(best(pair_scores(rows[near], query), k, near))
    return found
