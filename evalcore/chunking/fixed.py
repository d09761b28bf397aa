"""Windows of equally many tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.tokenmap import Range, TokenMap, check_overlap
from evalcore.corpus.document import Document
from evalcore.text.tokens import CL100K, get_tokenizer


@dataclass(frozen=True, slots=True)
class FixedChunker:
    """Windows over the document's tokens, each `chunk_size` long, step `chunk_size - overlap`.

    The first window that reaches the end of the document is the last. A chunk never holds more than
    `chunk_size` of the document's tokens; a token boundary inside a character widens to the character.
    Counted anew, a chunk may have a few tokens more, since the cut changes the tokens beside it: it is then
    flagged as oversized.

    Raises:
        SettingsError: when `overlap` is not below `chunk_size`.
    """

    chunk_size: int = 512
    overlap: int = 64
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_overlap("fixed", "chunk_size", self.chunk_size, self.overlap)
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """The window's size."""
        return self.chunk_size

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the windows that hold more than white space, each range once."""
        tokens = TokenMap(document.text, self.tokenizer)
        ranges: list[Range] = []
        for first in range(0, len(tokens), self.chunk_size - self.overlap):
            last = min(first + self.chunk_size, len(tokens))
            found = tokens.range_of(first, last)
            # Windows inside one character (an emoji has several tokens) are the same range.
            if ranges[-1:] != [found] and not document.text[slice(*found)].isspace():
                ranges.append(found)
            if last == len(tokens):
                break
        return ranges
