"""Small plug-ins that keep every law, each twin's sound original."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.corpus.document import Document
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank_words import ranking_of

Ranges = list[tuple[int, int]]


class Words:
    """Chunks of `limit` words, without the white space around them."""

    tokenizer = "regex"

    def __init__(self, limit: int = 12) -> None:
        self.words = limit // 3
        self.limit = limit

    def cut(self, document: Document) -> Ranges:
        places = [match.span() for match in re.finditer(r"\S+", document.text)]
        groups = [places[i : i + self.words] for i in range(0, len(places), self.words)]
        return [(group[0][0], group[-1][1]) for group in groups]


def lines(text: str) -> Ranges:
    """Every line that holds something, as a function of the text."""
    return [m.span() for m in re.finditer(r"[^\n]*\S[^\n]*", text)]


class Letters:
    """Counts of letters beside a hash of the text: distinct, never zero, not scaled."""

    def encode(self, texts: list[str], role: str) -> Any:
        return np.stack([self.row(text, role) for text in texts])

    def row(self, text: str, role: str) -> Any:
        counts = [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]
        digest = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        return np.array([*counts, 1.0 if role == "query" else 2.0, *(byte / 64 for byte in digest[:4])])


class Overlap:
    """Scores a chunk by how many words of the query it holds; only such chunks come back."""

    def __init__(self, texts: Sequence[str], space: object) -> None:
        self.texts = texts
        self.space = space

    def search(self, queries: list[str], k: int) -> list[Ranking]:
        if k < 1:
            raise ValueError(f"k is {k}; expected at least 1")
        return [self.one(query, k) for query in queries]

    def one(self, query: str, k: int) -> Ranking:
        scored = [(self.score(query, text), place) for place, text in enumerate(self.texts)]
        return ranking_of([pair for pair in scored if pair[0] > 0], k)

    def score(self, query: str, text: str) -> float:
        return float(len(words(query) & words(text)))


class Shared:
    """Reranks by words shared with the query."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        scored = [(self.score(query, texts[chunk]), chunk) for chunk in candidates.chunks.tolist()]
        return ranking_of(scored, k)

    def score(self, query: str, text: str) -> float:
        return float(len(words(query) & words(text)))


def shared(query: str, text: str) -> float:
    """Score one text, as a function."""
    return float(len(words(query) & words(text)))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
