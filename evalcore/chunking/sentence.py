"""Windows of equally many sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.recursive import parts
from evalcore.chunking.tokenmap import Range, TokenMap, check_overlap
from evalcore.corpus.document import Document
from evalcore.errors import SettingsError
from evalcore.text.sentences import sentence_spans
from evalcore.text.tokens import CL100K, get_tokenizer


@dataclass(frozen=True, slots=True)
class SentenceChunker:
    """Windows of `window` sentences, of which neighbours share `overlap`.

    A window closes early where one more sentence would take it above `max_tokens`, and shares fewer where
    these and the next sentence would be above it. A sentence that is itself above it is split as `recursive`
    does, and each part counts as a sentence. So a chunk holds at most `window` sentences and `max_tokens`
    tokens, unless a single character has more (flagged as oversized).

    Raises:
        SettingsError: when `overlap` is not below `window`, or `max_tokens` below 1.
    """

    window: int = 5
    overlap: int = 1
    max_tokens: int = 1000
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_overlap("sentence", "window", self.window, self.overlap)
        if self.max_tokens < 1:
            raise SettingsError(f"sentence: max_tokens is {self.max_tokens}; expected at least 1")
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """The largest number of tokens of a window."""
        return self.max_tokens

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the windows."""
        tokens = TokenMap(document.text, self.tokenizer)
        sentences = [
            part
            for start, end in sentence_spans(document.text)
            for part in parts(tokens, start, end, self.max_tokens)
        ]
        ranges: list[Range] = []
        first = last = 0
        while last < len(sentences):
            first = self._next_first(tokens, sentences, first, last)
            last = self._last(tokens, sentences, first, last + 1)
            ranges.append((sentences[first][0], sentences[last - 1][1]))
        return ranges

    def _next_first(self, tokens: TokenMap, sentences: list[Range], first: int, last: int) -> int:
        """Return the first sentence of the window that must hold sentence `last`."""
        end = sentences[last][1]
        start = max(first + 1, last - self.overlap) if last else 0
        while start < last and not tokens.fits(sentences[start][0], end, self.max_tokens):
            start += 1
        return start

    def _last(self, tokens: TokenMap, sentences: list[Range], first: int, last: int) -> int:
        """Return the end of the window from `first` that reaches at least to `last`."""
        start = sentences[first][0]
        end = min(first + self.window, len(sentences))
        while last < end and tokens.fits(start, sentences[last][1], self.max_tokens):
            last += 1
        return last
