"""Documents: the text that is cut and searched, and what is known of its structure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from evalcore.errors import DocumentError


class MediaType(StrEnum):
    """How a text is to be read."""

    MARKDOWN = "text/markdown"
    TEXT = "text/plain"
    HTML = "text/html"
    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class ElementKind(StrEnum):
    """What a stretch of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Element:
    """Characters `start..end` of a document's text; `level` is 1..6 for headings, else 0."""

    kind: ElementKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A document's text with its elements in order, which do not overlap.

    `metadata` holds what its reader found, as strings: `file`, `media_type`, `encoding`, `pages`,
    `pages_without_text`, `language`. `warnings` are sentences for a person that name what may harm results.
    """

    id: str
    text: str
    elements: tuple[Element, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether anything but white space was read."""
        return bool(self.text.strip())

    @property
    def headings(self) -> tuple[Element, ...]:
        """The headings, in order."""
        return tuple(e for e in self.elements if e.kind is ElementKind.HEADING)

    @property
    def tables(self) -> tuple[Element, ...]:
        """The tables, in order."""
        return tuple(e for e in self.elements if e.kind is ElementKind.TABLE)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in evaluation order (path order), each id once.

    Raises:
        DocumentError: when two documents share an id.
    """

    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for document in self.documents:
            if document.id in seen:
                raise DocumentError(f"document id {document.id!r} appears twice; rename one of the files")
            seen.add(document.id)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str], media_type: MediaType = MediaType.MARKDOWN) -> Corpus:
        """Build a corpus from id → text, in the mapping's order, reading each as `media_type`."""
        from evalcore.corpus.reading import read_text

        return cls(tuple(read_text(doc_id, text, media_type) for doc_id, text in texts.items()))

    def get(self, doc_id: str) -> Document | None:
        """Return the document with this id, if any."""
        return next((d for d in self.documents if d.id == doc_id), None)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over (id, text) sorted by id, each NUL-terminated (report contract, corpus_sha256)."""
        digest = hashlib.sha256()
        for document in sorted(self.documents, key=lambda d: d.id):
            for part in (document.id, document.text):
                digest.update(part.encode("utf-8", "surrogatepass"))
                digest.update(b"\x00")
        return digest.hexdigest()
