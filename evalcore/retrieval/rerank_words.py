"""Rerankers that compare words: `lexical` and `mmr`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from evalcore.retrieval.base import Ranking
from evalcore.text.words import words

LENGTH_PENALTY = 0.25
DIVERSITY = 0.3
_REPEATED = 0.1
_TEXTS_REMEMBERED = 1024


class LexicalReranker:
    """Shared words. With Q the query's words and W the chunk's (spec/results.md §3):

    score = |set(W) ∩ Q| / |Q| + 0.1 · (how many of W are in Q) / |W|^length_penalty; equal scores in corpus
    order. A query without words keeps the candidates' order and scores.
    """

    def __init__(self, length_penalty: float = LENGTH_PENALTY) -> None:
        self._length_penalty = length_penalty
        self._counts = lru_cache(_TEXTS_REMEMBERED)(_counted)

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return the k best candidates."""
        asked = frozenset(words(query))
        if not asked:
            return Ranking(candidates.chunks[:k], candidates.scores[:k])
        scored = [(self._score(asked, texts[chunk]), chunk) for chunk in candidates.chunks.tolist()]
        return ranking_of(scored, k)

    def _score(self, asked: frozenset[str], text: str) -> float:
        counts, length = self._counts(text)
        shared = [counts[word] for word in asked if word in counts]
        if not shared:
            return 0.0
        held_back: float = length**self._length_penalty
        return len(shared) / len(asked) + _REPEATED * sum(shared) / held_back


class MmrReranker:
    """Maximal marginal relevance over word sets (Carbonell & Goldstein 1998; spec/results.md §3).

    The next chunk maximises (1 - diversity)·relevance - diversity·(largest Jaccard index with those chosen),
    relevance = 1 - position / number of candidates, position from 0; equal values in corpus order.
    """

    def __init__(self, diversity: float = DIVERSITY) -> None:
        self._diversity = diversity
        self._words = lru_cache(_TEXTS_REMEMBERED)(_distinct)

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return k candidates, in the order in which they were chosen, with the value each had then."""
        left = candidates.chunks.tolist()
        held = {chunk: self._words(texts[chunk]) for chunk in left}
        relevance = {chunk: 1 - place / len(left) for place, chunk in enumerate(left)}
        nearest = dict.fromkeys(left, 0.0)
        chosen: list[tuple[float, int]] = []
        while left and len(chosen) < k:
            value, chunk = max(
                ((self._value(relevance[c], nearest[c]), c) for c in left),
                key=lambda pair: (pair[0], -pair[1]),
            )
            chosen.append((value, chunk))
            left.remove(chunk)
            for other in left:
                nearest[other] = max(nearest[other], jaccard(held[chunk], held[other]))
        return _ranking(chosen)

    def _value(self, relevance: float, similarity: float) -> float:
        return (1 - self._diversity) * relevance - self._diversity * similarity


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the shared part of two word sets, 0..1; 0 when both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def ranking_of(scored: Sequence[tuple[float, int]], k: int) -> Ranking:
    """Return the k best of (score, chunk) pairs; equal scores in corpus order."""
    return _ranking(sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:k])


def _ranking(chosen: Sequence[tuple[float, int]]) -> Ranking:
    return Ranking(
        np.array([chunk for _, chunk in chosen], dtype=np.int64),
        np.array([score for score, _ in chosen], dtype=np.float64),
    )


def _counted(text: str) -> tuple[Counter[str], int]:
    found = words(text)
    return Counter(found), len(found)


def _distinct(text: str) -> frozenset[str]:
    return frozenset(words(text))
