"""Rerankers that compare words: `lexical` and `mmr`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.retrieval.base import Ranking
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

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return the k best candidates."""
        asked = frozenset(words(query))
        if not asked:
            return Ranking(candidates.chunks[:k], candidates.scores[:k])
        scored = [(self._score(asked, texts[chunk]), chunk) for chunk in candidates.chunks.tolist()]
        return ranking_of(scored, k)

    def _score(self, asked: frozenset[str], text: str) -> float:
        held = words(text)
        counts = Counter(word for word in held if word in asked)
        if not counts:
            return 0.0
        held_back: float = len(held) ** self._length_penalty
        return len(counts) / len(asked) + _REPEATED * counts.total() / held_back


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
        similarity = jaccard([frozenset(words(texts[chunk])) for chunk in chunks.tolist()])
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


def jaccard(sets: Sequence[frozenset[str]]) -> npt.NDArray[np.float64]:
    """Return the Jaccard index of each pair of word sets, 0..1 (n × n); 0 when both are empty."""
    column: dict[str, int] = {}
    places = [column.setdefault(word, len(column)) for distinct in sets for word in distinct]
    sizes = np.array([len(distinct) for distinct in sets], dtype=np.int64)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    # Sparse: a small dense product wakes the threads of BLAS, which takes longer than the product.
    held = sparse.csr_matrix((np.ones(len(places)), places, ends), shape=(len(sets), len(column)))
    shared = sparse.csr_matrix(held @ held.T).toarray()
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
