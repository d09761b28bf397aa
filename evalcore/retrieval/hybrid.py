"""Search by reciprocal rank fusion of several rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from evalcore.retrieval.base import Ranking, Retriever
from evalcore.retrieval.topk import check_k

CONSTANT = 60


def depth(k: int) -> int:
    """Return how many chunks each retriever is asked for: max(20, 4k)."""
    return max(20, 4 * k)


class HybridRetriever:
    """Fuses the rankings of several retrievers over one chunk set (usually dense and bm25).

    Score = Σ 1/(60 + rank), ranks from 1, over the rankings that hold the chunk (Cormack et al. 2009). Equal
    scores: the better single rank first, then corpus order. The order of the retrievers does not matter.
    `cut_off` is the k that decides how deep each is asked; without it the k of each search does.
    """

    def __init__(self, retrievers: Sequence[Retriever], cut_off: int | None = None) -> None:
        self._retrievers = tuple(retrievers)
        self._cut_off = cut_off

    @property
    def nbytes(self) -> int:
        """Bytes of all parts."""
        return sum(getattr(retriever, "nbytes", 0) for retriever in self._retrievers)

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """Return one ranking per query.

        Raises:
            ValueError: k below 1.
        """
        check_k(k)
        deep = depth(k if self._cut_off is None else self._cut_off)
        parts = [retriever.search(queries, deep) for retriever in self._retrievers]
        return [fuse(rankings, k) for rankings in zip(*parts, strict=True)]


def fuse(rankings: Sequence[Ranking], k: int, constant: int = CONSTANT) -> Ranking:
    """Return the k best chunks of `rankings` by reciprocal rank fusion; ties as `HybridRetriever`."""
    shares, whole = _shares(max(map(len, rankings), default=0), constant)
    scores: dict[int, int] = {}
    nearest: dict[int, int] = {}
    for ranking in rankings:
        for rank, chunk in enumerate(ranking.chunks.tolist()):
            scores[chunk] = scores.get(chunk, 0) + shares[rank]
            nearest[chunk] = min(rank, nearest.get(chunk, rank))
    order = sorted(scores, key=lambda chunk: (-scores[chunk], nearest[chunk], chunk))[:k]
    return Ranking(
        np.array(order, dtype=np.int64), np.array([scores[c] / whole for c in order], dtype=np.float64)
    )


@lru_cache(maxsize=8)
def _shares(deep: int, constant: int) -> tuple[tuple[int, ...], int]:
    """Return 1/(constant + rank) for ranks 1..deep as whole numbers over a common denominator.

    Exact sums: equal scores must be equal, whichever rank was added first.
    """
    whole = math.lcm(*range(constant + 1, constant + deep + 1))
    return tuple(whole // (constant + rank) for rank in range(1, deep + 1)), whole
