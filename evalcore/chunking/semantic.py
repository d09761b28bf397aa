"""Cuts where neighbouring sentences mean different things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.recursive import parts
from evalcore.chunking.tokenmap import Range, TokenMap
from evalcore.corpus.document import Document
from evalcore.errors import SettingsError
from evalcore.text.sentences import sentence_spans
from evalcore.text.tokens import CL100K, get_tokenizer

Sentences = Sequence[Range]


@dataclass(frozen=True, slots=True)
class SemanticChunker:
    """Groups of sentences, cut where the cosine distance of neighbours is high.

    High is above the `breakpoint_percentile` (linear interpolation) of the document's own distances. Then,
    from the start of the document, a group below `min_tokens` merges with the smaller of its neighbours, the
    one before it when they are equal; and a group above `max_tokens` is halved at the sentence nearest its
    token middle, again until it fits; a single sentence above it is split as `recursive` does. So a chunk
    holds at most `max_tokens` tokens, unless a single character has more (flagged as oversized). Source:
    spec/report.md §2.

    Raises:
        SettingsError: when the percentile is not in 0..100 or the sizes do not go together.
    """

    breakpoint_percentile: float = 95.0
    min_tokens: int = 200
    max_tokens: int = 1000
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.breakpoint_percentile <= 100:
            found = self.breakpoint_percentile
            raise SettingsError(
                f"semantic: breakpoint_percentile is {found:g}; expected a number from 0 to 100"
            )
        if not 0 <= self.min_tokens <= self.max_tokens or self.max_tokens < 1:
            raise SettingsError(
                f"semantic: min_tokens is {self.min_tokens} and max_tokens {self.max_tokens}; "
                "expected 0 <= min_tokens <= max_tokens and max_tokens of at least 1"
            )
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """The largest number of tokens of a group."""
        return self.max_tokens

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the groups.

        Raises:
            ValueError: when `vectors` is missing, or gives another number of rows than it got texts.
        """
        sentences = sentence_spans(document.text)
        if not sentences:
            return []
        tokens = TokenMap(document.text, self.tokenizer)
        groups = self._groups(document, sentences, vectors) if len(sentences) > 1 else [(0, 1)]
        return [
            found
            for group in self._merged(tokens, sentences, groups)
            for found in self._fitting(tokens, sentences, group)
        ]

    def _groups(
        self, document: Document, sentences: Sentences, vectors: SentenceVectors | None
    ) -> list[Range]:
        """Return groups of sentences as half-open index ranges."""
        if vectors is None:
            raise ValueError("semantic chunking needs a function that gives sentence vectors")
        rows = vectors([document.text[start:end] for start, end in sentences])
        if len(rows) != len(sentences):
            raise ValueError(f"{len(rows)} vectors for {len(sentences)} sentences of {document.id!r}")
        wide = rows.astype(np.float64)
        distances = 1.0 - np.einsum("ij,ij->i", wide[:-1], wide[1:])
        threshold = np.percentile(distances, self.breakpoint_percentile)
        breaks = np.flatnonzero(distances > threshold) + 1
        return list(pairwise([0, *breaks.tolist(), len(rows)]))

    def _merged(self, tokens: TokenMap, sentences: Sentences, groups: list[Range]) -> list[Range]:
        def size(group: Range) -> int:
            return tokens.estimate(sentences[group[0]][0], sentences[group[1] - 1][1])

        merged: list[Range] = []
        waiting = groups[::-1]
        while waiting:
            group = waiting.pop()
            while size(group) < self.min_tokens and (merged or waiting):
                if merged and (not waiting or size(merged[-1]) <= size(waiting[-1])):
                    group = (merged.pop()[0], group[1])
                else:
                    group = (group[0], waiting.pop()[1])
            merged.append(group)
        return merged

    def _fitting(self, tokens: TokenMap, sentences: Sentences, group: Range) -> Iterator[Range]:
        waiting = [group]
        while waiting:
            first, last = waiting.pop()
            start, end = sentences[first][0], sentences[last - 1][1]
            if tokens.fits(start, end, self.max_tokens):
                yield start, end
            elif last - first == 1:
                yield from parts(tokens, start, end, self.max_tokens)
            else:
                middle = _nearest_middle(tokens, sentences, first, last)
                waiting += [(middle, last), (first, middle)]


def _nearest_middle(tokens: TokenMap, sentences: Sentences, first: int, last: int) -> int:
    """Return the sentence in `first+1..last-1` whose first token is nearest the middle of the group's."""
    begin = tokens.first_in(sentences[first][0])
    middle = (begin + tokens.after(sentences[last - 1][1])) / 2
    low, high = first + 1, last - 1
    while low < high:
        probe = (low + high) // 2
        if tokens.first_in(sentences[probe][0]) < middle:
            low = probe + 1
        else:
            high = probe
    before = max(first + 1, low - 1)
    return min((before, low), key=lambda s: abs(tokens.first_in(sentences[s][0]) - middle))
