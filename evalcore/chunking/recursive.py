"""Cuts at the largest separator that is near, then packs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.tokenmap import Range, TokenMap, check_overlap, trim
from evalcore.corpus.document import Document
from evalcore.text.tokens import CL100K, get_tokenizer

# A cut takes the white space that follows along: pieces of nothing else would be trimmed away anyway.
SEPARATORS = tuple(
    re.compile(re.escape(separator) + r"\s*")
    for separator in ("\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " ")
)


@dataclass(frozen=True, slots=True)
class RecursiveChunker:
    """Pieces between separators, packed greedily up to `chunk_size` tokens, then extended backwards.

    Separators, largest first: blank line, newline, `. `, `? `, `! `, `; `, `, `, space, any token boundary;
    each stays with the text before it. Every range but the first begins `overlap` of the document's tokens
    earlier. A chunk holds at most `chunk_size + overlap` tokens, unless a single character has more (it is
    then alone with its overlap, and flagged as oversized). Source: spec/results.md §2.

    Raises:
        SettingsError: when `overlap` is not below `chunk_size`.
    """

    chunk_size: int = 512
    overlap: int = 64
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_overlap("recursive", "chunk_size", self.chunk_size, self.overlap)
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """Size and overlap together."""
        return self.chunk_size + self.overlap

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the packed ranges with their overlap."""
        tokens = TokenMap(document.text, self.tokenizer)
        packed = parts(tokens, 0, len(document.text), self.chunk_size)
        return list(self._extended(tokens, packed))

    def _extended(self, tokens: TokenMap, packed: Iterable[Range]) -> Iterator[Range]:
        previous = -1
        for start, end in packed:
            begin = start
            if previous >= 0 and self.overlap:
                begin = max(previous, self._overlap_start(tokens, start, end))
            previous = begin
            yield begin, end

    def _overlap_start(self, tokens: TokenMap, start: int, end: int) -> int:
        own = tokens.first_in(start)
        for token in range(max(0, own - self.overlap), own):
            begin = tokens.start_of(token)
            if tokens.count(begin, end) <= self.limit:
                return begin
        return start


def parts(tokens: TokenMap, start: int, end: int, size: int) -> Iterator[Range]:
    """Yield `start..end` cut at separators and packed: ranges of at most `size` tokens, without overlap."""
    return pack(tokens, split(tokens, start, end, size), size)


def split(tokens: TokenMap, start: int, end: int, size: int) -> Iterator[Range]:
    """Yield pieces that tile `start..end`, each of at most `size` tokens where a cut can achieve that."""
    waiting = [(start, end, 0)]
    while waiting:
        begin, stop, level = waiting.pop()
        if tokens.fits(begin, stop, size):
            yield begin, stop
        elif level == len(SEPARATORS):
            yield from _windows(tokens, begin, stop, size)
        else:
            cuts = [m.end() for m in SEPARATORS[level].finditer(tokens.text, begin, stop)]
            if cuts and cuts[-1] == stop:
                cuts.pop()
            between = [(a, b, level + 1) for a, b in pairwise([begin, *cuts, stop])]
            waiting.extend(reversed(between))


def _windows(tokens: TokenMap, start: int, end: int, size: int) -> Iterator[Range]:
    """Yield windows of at most `size` tokens that tile `start..end`; at least one character each."""
    while start + 1 < end and not tokens.fits(start, end, size):
        first, wanted, excess = tokens.first_in(start), size, 1
        while excess:
            stop = min(end, tokens.end_of(first + wanted - 1)) if wanted > 0 else start
            stop = max(start + 1, stop)
            excess = tokens.excess(start, stop, size) if stop > start + 1 else 0
            wanted -= excess
        yield start, stop
        start = stop
    yield start, end


def pack(tokens: TokenMap, pieces: Iterable[Range], size: int) -> Iterator[Range]:
    """Yield neighbouring pieces joined greedily up to `size` tokens, trimmed of white space."""
    waiting = list(pieces)
    ends = [end for _, end in waiting]
    index = 0
    while index < len(waiting):
        start = waiting[index][0]
        following = _reach(tokens, start, ends, index, size)
        found = trim(tokens.text, start, ends[following - 1])
        if found[0] < found[1]:
            yield found
        index = following


def _reach(tokens: TokenMap, start: int, ends: list[int], index: int, size: int) -> int:
    """Return the index after the last piece that can join piece `index`, which starts at `start`."""
    likely = tokens.end_of(tokens.first_in(start) + size - 1)
    following = max(index + 1, bisect_right(ends, likely))
    while following > index + 1 and not tokens.fits(start, ends[following - 1], size):
        following -= 1
    while following < len(ends) and tokens.fits(start, ends[following], size):
        following += 1
    return following
