"""Other ways of reading the same files."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.corpus.document import Corpus, ElementKind, MediaType
from evalcore.corpus.loading import read_folder
from evalcore.corpus.parsers import PARSERS, folder_reader, parse_corpus, read_layout
from evalcore.errors import DocumentError, SettingsError
from tests.corpus.files import pdf_of

COLUMNS = pdf_of(
    b"BT /F1 12 Tf 50 700 Td (Left) Tj ET BT /F1 12 Tf 350 700 Td (Right) Tj ET "
    b"BT /F1 12 Tf 50 680 Td (under) Tj ET"
)
NOTES = "# Title\n\nText under it.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "columns.pdf").write_bytes(COLUMNS)
    (tmp_path / "notes.md").write_text(NOTES)
    (tmp_path / "page.html").write_text("<h1>Page</h1><p>Seen.</p>")
    return tmp_path


def test_the_parsers_are_these() -> None:
    assert PARSERS.names() == ("auto", "markdown", "text", "pypdf", "docx", "html")
    assert [PARSERS.build(PARSERS.parse(name)).is_auto for name in ("auto", "pypdf", "docx", "html")] == [
        True
    ] * 4
    with pytest.raises(SettingsError, match="unknown parser 'ocr'"):
        PARSERS.parse("ocr")


@pytest.mark.parametrize("parser", ["auto", "pypdf", "pypdf:plain", "docx", "html"])
def test_some_parsers_read_every_file_as_auto_does(folder: Path, parser: str) -> None:
    corpus = read_folder(folder).corpus
    assert parse_corpus(corpus, parser) == corpus


def test_text_takes_markdown_for_paragraphs_and_markdown_finds_headings_in_text() -> None:
    as_markdown = Corpus.from_texts({"a": NOTES}, MediaType.MARKDOWN)
    as_text = Corpus.from_texts({"a": NOTES}, MediaType.TEXT)
    assert [e.kind for e in parse_corpus(as_markdown, "text").documents[0].elements] == [
        ElementKind.PARAGRAPH
    ] * 2
    assert parse_corpus(as_text, "markdown").documents[0].elements == as_markdown.documents[0].elements
    assert parse_corpus(as_text, "markdown").documents[0].text == NOTES


def test_layout_keeps_columns_apart_and_other_files_as_they_were(folder: Path) -> None:
    corpus = read_folder(folder).corpus
    found = parse_corpus(corpus, "pypdf:layout", folder_reader(folder))
    assert [d.id for d in found] == ["columns", "notes", "page"]
    assert found.documents[1:] == corpus.documents[1:]
    first, second = found.documents[0].text.splitlines()
    left, right = first.split()
    assert (left, right, second.strip()) == ("Left", "Right", "under")
    assert first.index("Right") - first.index("Left") > len("Left") + 5


def test_layout_without_the_files_is_refused_only_where_there_is_a_pdf(folder: Path) -> None:
    corpus = read_folder(folder).corpus
    with pytest.raises(SettingsError, match="pypdf:layout needs the file of columns"):
        parse_corpus(corpus, "pypdf:layout")
    assert len(parse_corpus(Corpus(corpus.documents[1:]), "pypdf:layout")) == 2


def test_a_file_that_is_gone_or_broken_is_one_line(folder: Path) -> None:
    corpus = read_folder(folder).corpus
    (folder / "deep" / "columns.pdf").unlink()
    with pytest.raises(SettingsError, match=r"columns\.pdf: cannot be read again"):
        parse_corpus(corpus, "pypdf:layout", folder_reader(folder))
    with pytest.raises(DocumentError, match=r"^a\.pdf: is not a PDF"):
        read_layout("a.pdf", b"nothing")
