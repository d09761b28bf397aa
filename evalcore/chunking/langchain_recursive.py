"""LangChain's RecursiveCharacterTextSplitter, with each of its pieces placed exactly.

LangChain returns texts without places, and a search for them errs where a text repeats or overlaps. So it
is given a text of equal length in which every character that is not white space is replaced by a stand-in
that occurs once; where a stand-in stands says where its piece came from, and translating it back gives the
original for counting tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.tokenmap import Range, check_overlap
from evalcore.corpus.document import Document
from evalcore.text.tokens import CL100K, get_tokenizer

# Stand-ins are the code points above the basic plane: none is white space, none a surrogate.
_FIRST = 0x10000
_AVAILABLE = 0x110000 - _FIRST
_BASIC_PLANE = "".join(map(chr, range(_FIRST)))
_WHITE_SPACE = np.array([code for code in range(_FIRST) if chr(code).isspace()], dtype=np.uint32)
_SHORT = 64

Codes = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class LangchainRecursiveChunker:
    """LangChain's splitter with separators blank line, newline, `. `, space and nothing, which it keeps.

    Lengths are tokens. A chunk holds at most `chunk_size` tokens, unless a single character has more, or the
    joined parts count more than they do one by one (flagged as oversized). White space is stripped.

    Raises:
        SettingsError: when `overlap` is not below `chunk_size`.
    """

    chunk_size: int = 512
    overlap: int = 64
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_overlap("langchain:recursive", "chunk_size", self.chunk_size, self.overlap)
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """The splitter's chunk size."""
        return self.chunk_size

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the places of LangChain's pieces, each range once."""
        if not document.has_text:
            return []
        standins = Standins(document.text)
        ranges: list[Range] = []
        start = 0
        for piece in self._pieces(standins):
            start = standins.text.index(piece, start)
            found = (start, start + len(piece))
            if not piece.isspace() and ranges[-1:] != [found]:
                ranges.append(found)
        return ranges

    def _pieces(self, standins: Standins) -> list[str]:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        length = self._length(standins)
        full_stop = standins.pattern(".")
        splitter = RecursiveCharacterTextSplitter(
            separators=["\n\n", "\n", *([full_stop + " "] if full_stop else []), " ", ""],
            is_separator_regex=True,
            keep_separator=True,
            strip_whitespace=True,
            chunk_size=self.chunk_size,
            chunk_overlap=self.overlap,
            length_function=length,
        )
        return splitter.split_text(standins.text)

    def _length(self, standins: Standins) -> Callable[[str], int]:
        count = get_tokenizer(self.tokenizer).count
        count_short = lru_cache(maxsize=1 << 16)(count)

        def length(piece: str) -> int:
            original = standins.original(piece)
            return count_short(original) if len(original) <= _SHORT else count(original)

        return length


class Standins:
    """A text in stand-ins (`text`), of the same length and with the same white space.

    Each stand-in belongs to one character of the original and occurs once, as long as there are enough
    (1,048,576 characters that are not white space); in a longer document each character's stand-ins are used
    in turn, so that equal pieces are about a million characters apart.
    """

    def __init__(self, text: str) -> None:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
        visible = ~np.isin(codes, _WHITE_SPACE)
        characters, kinds, counts = np.unique(codes[visible], return_inverse=True, return_counts=True)
        shares = _shares(counts)
        firsts = _FIRST + np.cumsum(shares) - shares
        codes[visible] = firsts[kinds] + _occurrence(kinds, counts) % shares[kinds]
        self.text = _as_text(codes)
        self._table = _BASIC_PLANE + _as_text(np.repeat(characters, shares))
        self._blocks = {
            chr(character): (int(first), int(first + share - 1))
            for character, first, share in zip(characters, firsts, shares, strict=True)
        }

    def original(self, piece: str) -> str:
        """Return what a piece of `text` stands for."""
        return piece.translate(self._table)

    def pattern(self, character: str) -> str:
        """Return a regular expression for the stand-ins of `character`; empty when it does not occur."""
        block = self._blocks.get(character)
        return f"[{chr(block[0])}-{chr(block[1])}]" if block else ""


def _shares(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many stand-ins each character gets: one per occurrence, or in proportion to these."""
    total = int(counts.sum())
    if total <= _AVAILABLE:
        return counts
    return np.maximum(1, counts * (_AVAILABLE - len(counts)) // total)


def _occurrence(kinds: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each place how often its kind occurred before."""
    narrow = kinds.astype(np.uint16) if len(counts) <= 1 << 16 else kinds  # radix sort
    order = np.argsort(narrow, kind="stable")
    result = np.empty(len(kinds), dtype=np.int64)
    result[order] = np.arange(len(kinds)) - np.repeat(np.cumsum(counts) - counts, counts)
    return result


def _as_text(codes: Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
