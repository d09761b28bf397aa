"""Chunks: exact slices of documents, and the one place where that is asserted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evalcore.corpus.document import Corpus, Document
from evalcore.text.span import Span
from evalcore.text.tokens import CL100K, get_tokenizer

Vectors = npt.NDArray[np.float32]
SentenceVectors = Callable[[Sequence[str]], Vectors]


class Chunker(Protocol):
    """Cuts one document."""

    @property
    def tokenizer(self) -> str:
        """Name of the tokenizer that its sizes count in."""
        ...

    @property
    def limit(self) -> int | None:
        """The number of tokens that a chunk keeps to, or None; a chunk above it is flagged as oversized."""
        ...

    @property
    def needs_vectors(self) -> bool:
        """Whether `cut` must be given a function from texts to unit rows."""
        ...

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[tuple[int, int]]:
        """Return character ranges (start, end) in order of start; each holds something but white space."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of a document. `tokens` are cl100k_base tokens of the text, whatever tokenizer cut it.

    `section_path` holds the titles of the headings above its first character, outermost first; `oversized`
    says that it exceeds its chunker's limit (one word, sentence or table alone is larger).
    """

    span: Span
    text: str
    tokens: int
    contains_table: bool
    section_path: tuple[str, ...]
    oversized: bool

    @property
    def id(self) -> str:
        """`DOC:START-END`."""
        return self.span.id


@dataclass(frozen=True)
class ChunkSet:
    """All chunks of a corpus under one chunker, in corpus order (document order, then start)."""

    chunks: tuple[Chunk, ...]

    def __len__(self) -> int:
        return len(self.chunks)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The chunks' texts."""
        return tuple(c.text for c in self.chunks)

    @cached_property
    def tokens(self) -> npt.NDArray[np.int64]:
        """The chunks' cl100k_base token counts."""
        return np.array([c.tokens for c in self.chunks], dtype=np.int64)


def chunk_corpus(
    corpus: Corpus | Iterable[Document], chunker: Chunker, vectors: SentenceVectors | None = None
) -> ChunkSet:
    """Cut every document with text and check each chunk against its document.

    Raises:
        ValueError: a chunker gave a range outside its document, out of order, twice, or of white space only:
            its fault, not the user's.
    """
    chunks: list[Chunk] = []
    for document in corpus:
        if document.has_text:
            chunks.extend(_chunks_of(document, chunker, vectors))
    return ChunkSet(tuple(chunks))


def fault_of(ranges: Sequence[tuple[int, int]], text: str) -> str:
    """Return what is wrong with the first range that is no chunk of `text` beside those before it, or ""."""
    previous = (-1, -1)
    for start, end in ranges:
        place = f"{start}..{end}"
        if not 0 <= start < end <= len(text):
            return f"found {place}; expected ranges inside 0..{len(text)} that are not empty"
        if (start, end) <= previous:
            again = "twice" if (start, end) == previous else f"after {previous[0]}..{previous[1]}"
            return f"found {place} {again}; expected ranges in order of start, each once"
        if text[start:end].isspace():
            return f"found only white space at {place}; expected chunks that hold something"
        previous = (start, end)
    return ""


def _chunks_of(document: Document, chunker: Chunker, vectors: SentenceVectors | None) -> list[Chunk]:
    counts = get_tokenizer(CL100K)
    own = get_tokenizer(chunker.tokenizer)
    headings = Headings(document)
    tables = Tables(document)
    found: list[Chunk] = []
    ranges = chunker.cut(document, vectors)
    fault = fault_of(ranges, document.text)
    if fault:
        raise ValueError(f"{type(chunker).__name__} cut {document.id!r} wrongly: {fault}")
    for start, end in ranges:
        text = document.text[start:end]
        tokens = counts.count(text)
        size = tokens if chunker.tokenizer == CL100K else own.count(text)
        found.append(
            Chunk(
                span=Span(document.id, start, end),
                text=text,
                tokens=tokens,
                contains_table=tables.touch(start, end),
                section_path=headings.path_at(start),
                oversized=chunker.limit is not None and size > chunker.limit,
            )
        )
    return found


class Tables:
    """Looks up whether a range holds a part of a table."""

    def __init__(self, document: Document) -> None:
        self._starts = [t.start for t in document.tables]
        self._ends = [t.end for t in document.tables]

    def touch(self, start: int, end: int) -> bool:
        """Return whether characters `start..end` share one with a table."""
        index = bisect_right(self._ends, start)
        return index < len(self._starts) and self._starts[index] < end


class Headings:
    """Looks up which headings stand above a place of a document."""

    def __init__(self, document: Document) -> None:
        self._starts: list[int] = []
        self._paths: list[tuple[str, ...]] = []
        open_headings: list[tuple[int, str]] = []
        for heading in document.headings:
            title = document.text[heading.start : heading.end].strip().lstrip("#").strip().rstrip("#").strip()
            open_headings = [h for h in open_headings if h[0] < heading.level]
            open_headings.append((heading.level, title.splitlines()[0].strip() if title else ""))
            self._starts.append(heading.start)
            self._paths.append(tuple(t for _, t in open_headings))

    def path_at(self, place: int) -> tuple[str, ...]:
        """Return the titles above character `place`, outermost first."""
        index = bisect_right(self._starts, place) - 1
        return self._paths[index] if index >= 0 else ()
