"""The parsers by name: other ways of reading the same files, as one axis of a grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from evalcore.corpus.document import Corpus, Document, Element, MediaType
from evalcore.corpus.limits import Limits
from evalcore.corpus.markdown import markdown_elements
from evalcore.corpus.names import clean_name
from evalcore.corpus.plaintext import paragraph_elements
from evalcore.corpus.sandbox import ReadingChild
from evalcore.errors import SettingsError
from evalcore.specs import Method, Parameter, Registry

AUTO = "auto"
Reread = Callable[[Document], Document]
"""Reads a document's PDF again with layout; raises SettingsError or DocumentError, one line."""
_TEXTS = (str(MediaType.MARKDOWN), str(MediaType.TEXT))


@dataclass(frozen=True, slots=True)
class Parser:
    """A way of reading; the files it is not for stay as `auto` read them.

    `elements` finds the structure of Markdown and plain text anew; None leaves that as it was read.
    `needs_pages`: it needs a PDF's pages, which a document that was read already no longer has.
    """

    elements: Callable[[str], tuple[Element, ...]] | None = None
    needs_pages: bool = False

    @property
    def is_auto(self) -> bool:
        """Whether it reads every file as `auto` does."""
        return self.elements is None and not self.needs_pages

    def read(self, document: Document, reread: Reread | None = None) -> Document:
        """Return the document as this parser reads it, with its id; `reread` reads its file again.

        Raises:
            SettingsError: its file is needed and not at hand, or cannot be read.
        """
        kind = document.metadata.get("media_type", str(MediaType.TEXT))
        if self.needs_pages and kind == MediaType.PDF:
            if reread is None:
                raise SettingsError(
                    f"parser pypdf:layout needs the file of {document.id}, and only its text is here; leave "
                    "pypdf:layout out, or run on files"
                )
            return replace(reread(document), id=document.id)
        if self.elements is None or kind not in _TEXTS:
            return document
        return replace(document, elements=self.elements(document.text))


def _as_auto() -> Parser:
    return Parser()


def _markdown() -> Parser:
    return Parser(markdown_elements)


def _text() -> Parser:
    return Parser(paragraph_elements)


def _pypdf(mode: str = "plain") -> Parser:
    return Parser(needs_pages=mode == "layout")


_MODE = Parameter(
    "mode",
    str,
    "plain",
    "plain: text in reading order; layout: keeps columns apart with spaces",
    choices=("plain", "layout"),
    main=True,
)

PARSERS: Registry[Parser] = Registry(
    "parser",
    (
        Method(AUTO, "Each file by its kind", _as_auto),
        Method("markdown", "Markdown and plain text as Markdown: headings, lists and tables", _markdown),
        Method("text", "Markdown and plain text as plain text: paragraphs only", _text),
        Method("pypdf", "PDF with pypdf", _pypdf, (_MODE,)),
        Method("docx", "Word files with python-docx", _as_auto),
        Method("html", "HTML with Beautiful Soup", _as_auto),
    ),
)


def parse_corpus(corpus: Corpus, parser: str, reread: Reread | None = None) -> Corpus:
    """Return the corpus as `parser` (a spec string) reads it; ids and order stay.

    Texts stay too, but for PDF under `pypdf:layout`, which needs the files: `reread` reads one again.

    Raises:
        SettingsError: unknown parser, or one that cannot read a document of this corpus.
    """
    chosen = PARSERS.build(PARSERS.parse(parser))
    if chosen.is_auto:
        return corpus
    return Corpus(tuple(chosen.read(document, reread) for document in corpus))


def read_layout(name: str, data: bytes, limits: Limits | None = None) -> Document:
    """Read a PDF in a child process, columns kept apart.

    Raises:
        DocumentError: one line that begins with the file's name.
    """
    child = ReadingChild(limits or Limits())
    try:
        return child.read(name, data, layout=True)
    finally:
        child.close()


def folder_reader(root: Path) -> Reread:
    """Return a function that reads a document's file below `root` again."""

    def reread(document: Document) -> Document:
        name = document.metadata.get("file", document.id)
        path = root if root.is_file() else root / clean_name(name)
        try:
            return read_layout(name, path.read_bytes())
        except OSError as error:
            raise SettingsError(f"{path}: cannot be read again: {error.strerror or error}") from None

    return reread
