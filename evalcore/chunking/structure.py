"""Sections of a document, tables whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.recursive import pack, split
from evalcore.chunking.tokenmap import Range, TokenMap
from evalcore.corpus.document import Document, Element
from evalcore.errors import SettingsError
from evalcore.text.tokens import CL100K, get_tokenizer

_USUAL_DEPTH = 3


@dataclass(frozen=True, slots=True)
class StructureChunker:
    """Sections that begin at headings; one above `max_tokens` is split as `recursive` does, without overlap.

    Sections begin at headings of levels 1 to 3, or down to the document's most common level when that is
    deeper; one that holds only headings joins the next. A table is cut, between rows where these fit, only
    when it alone exceeds `max_tokens`. A document without headings is one section. A chunk holds at most
    `max_tokens` tokens, unless a single character has more (flagged as oversized).

    Raises:
        SettingsError: when `max_tokens` is below 1.
    """

    max_tokens: int = 800
    tokenizer: str = CL100K
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise SettingsError(f"structure: max_tokens is {self.max_tokens}; expected at least 1")
        get_tokenizer(self.tokenizer)

    @property
    def limit(self) -> int:
        """The largest number of tokens of a chunk."""
        return self.max_tokens

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[Range]:
        """Return the sections, or their parts."""
        tokens = TokenMap(document.text, self.tokenizer)
        tables = [(t.start, t.end) for t in document.tables]
        ranges: list[Range] = []
        at = 0
        for start, end in sections(document):
            inside: list[Range] = []
            while at < len(tables) and tables[at][0] < end:
                inside.append(tables[at])
                at += 1
            ranges.extend(pack(tokens, self._pieces(tokens, start, end, inside), self.max_tokens))
        return ranges

    def _pieces(self, tokens: TokenMap, start: int, end: int, tables: list[Range]) -> Iterator[Range]:
        edges = sorted({start, end, *(min(max(edge, start), end) for table in tables for edge in table)})
        for begin, stop in pairwise(edges):
            yield from split(tokens, begin, stop, self.max_tokens)


def sections(document: Document) -> list[Range]:
    """Return the sections, which tile the document; those without text below their headings join the next."""
    headings = document.headings
    depth = section_depth(headings)
    starts = sorted({0, *(h.start for h in headings if h.level <= depth)})
    found: list[Range] = []
    begin = at = 0
    for start, end in pairwise([*starts, len(document.text)]):
        inside: list[Element] = []
        while at < len(headings) and headings[at].start < end:
            inside.append(headings[at])
            at += 1
        if end == len(document.text) or _has_body(document.text, start, end, inside):
            found.append((begin, end))
            begin = end
    return found


def section_depth(headings: Iterable[Element]) -> int:
    """Return the deepest level that begins a section: 3, or the most common one when that is deeper."""
    counts = Counter(h.level for h in headings)
    most_common = min(counts, key=lambda level: (-counts[level], level), default=0)
    return max(_USUAL_DEPTH, most_common)


def _has_body(text: str, start: int, end: int, headings: Iterable[Element]) -> bool:
    """Return whether `start..end` holds something but its headings and white space."""
    for heading in headings:
        if text[start : heading.start].strip():
            return True
        start = max(start, heading.end)
    return bool(text[start:end].strip())
