"""The parsers by name: other ways of reading the same files, as one axis of a grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from evalcore.corpus.document import Corpus, Document, Element, MediaType
from evalcore.corpus.markdown import markdown_elements
from evalcore.corpus.plaintext import paragraph_elements
from evalcore.errors import SettingsError
from evalcore.specs import Method, Parameter, Registry

AUTO = "auto"
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

    def read(self, document: Document) -> Document:
        """Return the document as this parser reads it; its text stays.

        Raises:
            SettingsError: the document's file would be needed again.
        """
        kind = document.metadata.get("media_type", str(MediaType.TEXT))
        if self.needs_pages and kind == MediaType.PDF:
            raise SettingsError(
                f"parser pypdf:layout: {document.id} was read without layout; this version reads PDF with "
                "pypdf (plain) only, leave pypdf:layout out"
            )
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


def parse_corpus(corpus: Corpus, parser: str) -> Corpus:
    """Return the corpus as `parser` (a spec string) reads it; ids, order and texts stay.

    Raises:
        SettingsError: unknown parser, or one that cannot read a document of this corpus.
    """
    chosen = PARSERS.build(PARSERS.parse(parser))
    return corpus if chosen.is_auto else Corpus(tuple(chosen.read(document) for document in corpus))
