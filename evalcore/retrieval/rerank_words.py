"""Rerankers that compare words: `lexical` and `mmr`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.retrieval.base import Ranking
from evalcore.text.postings import Postings, postings
from evalcore.text.words import words

LENGTH_PENALTY = 0.25
DIVERSITY = 0.3
_REPEATED = 0.1


class LexicalReranker:
    """Shared words. With Q the query's words and W the chunk's (spec/results.md §3):

    score = |set(W) ∩ Q| / |Q| + 0.1 · (how many of W are in Q) / |W|^length_penalty; equal scores in corpus
    order. A query without words keeps the candidates' order and scores.
    """

    def __init__(self, length_penalty: float = LENGTH_PENALTY) -> None:
        self._length_penalty = length_penalty
        self._last: tuple[Postings, npt.NDArray[np.float64]] | None = None

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return the k best candidates."""
        asked = dict.fromkeys(words(query))
        if not asked:
            return Ranking(candidates.chunks[:k], candidates.scores[:k])
        scores = self._scores(list(asked), postings(tuple(texts)))[candidates.chunks]
        order = np.lexsort((candidates.chunks, -scores))[:k]
        return Ranking(candidates.chunks[order], scores[order])

    def _scores(self, asked: Sequence[str], held: Postings) -> npt.NDArray[np.float64]:
        distinct, times = np.zeros(len(held.lengths)), np.zeros(len(held.lengths))
        for chunks, counts in held.holding(asked):
            distinct[chunks] += 1
            times[chunks] += counts
        return np.asarray(distinct / len(asked) + _REPEATED * times / self._held_back(held), dtype=np.float64)

    def _held_back(self, held: Postings) -> npt.NDArray[np.float64]:
        """Return what each text's repeated words are divided by; kept for the texts asked for last."""
        if self._last is None or self._last[0] is not held:
            lengths = held.lengths.tolist()
            # Python's power: numpy's may differ in the last digit from processor to processor.
            powers = {n: float(n) ** self._length_penalty if n else 1.0 for n in set(lengths)}
            self._last = held, np.array([powers[n] for n in lengths])
        return self._last[1]


class MmrReranker:
    """Maximal marginal relevance over word sets (Carbonell & Goldstein 1998; spec/results.md §3).

    The next chunk maximises (1 - diversity)·relevance - diversity·(largest Jaccard index with those chosen),
    relevance = 1 - position / number of candidates, position from 0; equal values in corpus order.
    """

    def __init__(self, diversity: float = DIVERSITY) -> None:
        self._diversity = diversity

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return k candidates, in the order in which they were chosen, with the value each had then."""
        chunks = candidates.chunks
        similarity = jaccard(postings(tuple(texts)).counts[chunks] > 0)
        relevance = (1 - self._diversity) * (1 - np.arange(len(chunks)) / max(1, len(chunks)))
        nearest, left = np.zeros(len(chunks)), np.ones(len(chunks), dtype=bool)
        chosen: list[tuple[float, int]] = []
        for _ in range(min(k, len(chunks))):
            value = np.where(left, relevance - self._diversity * nearest, -np.inf)
            equal = np.flatnonzero(value == value.max())
            place = equal[chunks[equal].argmin()]
            chosen.append((float(value[place]), int(chunks[place])))
            left[place] = False
            nearest = np.maximum(nearest, similarity[place])
        return _ranking(chosen)


def jaccard(held: sparse.csr_matrix) -> npt.NDArray[np.float64]:
    """Return the Jaccard index of each pair of word sets, 0..1 (n × n); 0 when both are empty.

    `held` says which of n sets holds which word (n × words).
    """
    # Sparse: a small dense product wakes the threads of BLAS, which takes longer than the product.
    ones = held.astype(np.float64)
    sizes = np.diff(ones.indptr)
    shared = sparse.csr_matrix(ones @ ones.T).toarray()
    union = sizes[:, None] + sizes[None, :] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0), dtype=np.float64)


def ranking_of(scored: Sequence[tuple[float, int]], k: int) -> Ranking:
    """Return the k best of (score, chunk) pairs; equal scores in corpus order."""
    return _ranking(sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:k])


def _ranking(chosen: Sequence[tuple[float, int]]) -> Ranking:
    return Ranking(
        np.array([chunk for _, chunk in chosen], dtype=np.int64),
        np.array([score for score, _ in chosen], dtype=np.float64),
    )
