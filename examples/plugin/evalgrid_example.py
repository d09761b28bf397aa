"""A chunker that packs paragraphs, and a reranker that looks for rare words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from evalcore.corpus.document import Document
from evalcore.plugins import Parameter, Plugin
from evalcore.retrieval.base import Ranking

PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
WORD = re.compile(r"\w+")


class Paragraphs:
    """Whole paragraphs, as many as fit into so many characters; a longer one stands alone."""

    tokenizer = "character"

    def __init__(self, characters: int) -> None:
        self.characters = characters

    def cut(self, document: Document) -> list[tuple[int, int]]:
        chunks: list[tuple[int, int]] = []
        for match in PARAGRAPH.finditer(document.text):
            start, end = match.start(), match.start() + len(match.group().rstrip())
            if chunks and end - chunks[-1][0] <= self.characters:
                start = chunks.pop()[0]
            chunks.append((start, end))
        return chunks


PARAGRAPHS = Plugin(
    Paragraphs,
    summary="Whole paragraphs, packed up to a number of characters.",
    parameters=(
        Parameter("characters", int, 800, "Paragraphs are packed up to this length.", low=1, main=True),
    ),
    version=1,
)


class RareWords:
    """Adds up, over the question's words that a candidate holds, how rare each is among the candidates."""

    def __init__(self, power: float) -> None:
        self.power = power

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        held = {chunk: words(texts[chunk]) for chunk in candidates.chunks.tolist()}
        common = Counter(word for found in held.values() for word in found)
        asked = sorted(words(query))
        scores = {
            chunk: sum(common[word] ** -self.power for word in asked if word in found)
            for chunk, found in held.items()
        }
        best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:k]
        return Ranking(np.array(best, dtype=np.int64), np.array([scores[c] for c in best], dtype=np.float64))


def rare_words(power: float = 1.0) -> RareWords:
    """Words of the question that few candidates hold count more."""
    return RareWords(power)


def words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))
