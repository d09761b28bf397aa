from __future__ import annotations

import io
import zipfile

import pytest

from evalcore.corpus.document import Document, ElementKind
from evalcore.corpus.limits import Limits
from evalcore.corpus.reading import read_bytes
from evalcore.errors import DocumentError
from tests.corpus.files import outline, saved, with_body, with_part, word_document, zipped


def read(data: bytes) -> Document:
    return read_bytes("a.docx", data)


def refused(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentError) as caught:
        read_bytes("a.docx", data, limits)
    message = str(caught.value)
    assert "\n" not in message
    return message


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_paragraphs_tables_lists_and_headings_keep_their_order() -> None:
    word = word_document()
    word.add_heading("Policy", 0)
    word.add_paragraph("Before the table.")
    table = word.add_table(2, 2)
    for cell, text in zip(table._cells, ["Plan", "Fee", "Pro", "10 EUR"], strict=True):
        cell.text = text
    word.add_heading("Details", 2)
    word.add_paragraph("first", style="List Bullet")
    word.add_paragraph("second", style="List Bullet 2")
    word.add_paragraph("After the table.")
    assert outline(read(saved(word))) == [
        (ElementKind.HEADING, 1, "Policy"),
        (ElementKind.PARAGRAPH, 0, "Before the table."),
        (ElementKind.TABLE, 0, "| Plan | Fee |\n| --- | --- |\n| Pro | 10 EUR |"),
        (ElementKind.HEADING, 2, "Details"),
        (ElementKind.LIST, 0, "- first\n  - second"),
        (ElementKind.PARAGRAPH, 0, "After the table."),
    ]


def test_a_file_with_only_a_table_has_its_text() -> None:
    word = word_document()
    word.add_table(1, 2).rows[0].cells[1].text = "the answer"
    assert read(saved(word)).text == "|  | the answer |\n| --- | --- |"


def test_headings_are_known_by_outline_level_and_by_styles_of_other_languages() -> None:
    word = word_document()
    word.styles.add_style("Überschrift 3", 1)
    word.add_paragraph("Geltung", style="Überschrift 3")
    by_style = read(saved(word))
    by_level = read(
        with_body('<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>')
    )
    assert outline(by_style) == [(ElementKind.HEADING, 3, "Geltung")]
    assert outline(by_level) == [(ElementKind.HEADING, 2, "Scope")]


def test_a_style_based_on_a_heading_is_a_heading() -> None:
    word = word_document()
    style = word.styles.add_style("Clause", 1)
    style.base_style = word.styles["Heading 2"]
    word.add_paragraph("1 Scope", style="Clause")
    assert outline(read(saved(word))) == [(ElementKind.HEADING, 2, "1 Scope")]


def test_text_boxes_are_read_once_though_stored_twice() -> None:
    box = f"<w:txbxContent>{paragraph('In the box')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Anchor</w:t></w:r><w:r><mc:AlternateContent>"
        f'<mc:Choice Requires="wps"><wps:txbx>{box}</wps:txbx></mc:Choice>'
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r></w:p>{paragraph('After')}"
    )
    assert read(with_body(body)).text == "Anchor\n\nIn the box\n\nAfter"


def test_content_controls_and_insertions_are_in_and_deletions_are_out() -> None:
    body = (
        f"<w:sdt><w:sdtContent>{paragraph('In a control')}</w:sdtContent></w:sdt>"
        "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:r><w:tab/><w:t>end</w:t><w:br/><w:t>next</w:t></w:r></w:p>"
    )
    assert read(with_body(body)).text == "In a control\n\nnew\tend\nnext"


def test_merged_cells_have_their_text_once() -> None:
    word = word_document()
    table = word.add_table(2, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).merge(table.cell(1, 2)).text = "tall"
    table.cell(1, 0).text = "x"
    assert read(saved(word)).text == "| wide |  | tall |\n| --- | --- | --- |\n| x |  |  |"


def test_a_box_drawn_as_a_table_of_one_cell_is_ordinary_text() -> None:
    word = word_document()
    cell = word.add_table(1, 1).cell(0, 0)
    cell.text = "Note"
    cell.add_paragraph("Mind the gap.")
    assert read(saved(word)).text == "Note\n\nMind the gap."


def test_a_document_in_strict_form_is_read() -> None:
    word = word_document()
    word.add_heading("Scope", 1)
    word.add_paragraph("Strict text")
    with zipfile.ZipFile(io.BytesIO(saved(word))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    usual = [
        (
            b"http://schemas.openxmlformats.org/officeDocument/2006/",
            b"http://purl.oclc.org/ooxml/officeDocument/",
        ),
        (
            b"http://schemas.openxmlformats.org/wordprocessingml/2006/",
            b"http://purl.oclc.org/ooxml/wordprocessingml/",
        ),
    ]
    for old, new in usual:
        parts = {name: data.replace(old, new) for name, data in parts.items()}
    assert outline(read(zipped(parts))) == [
        (ElementKind.HEADING, 1, "Scope"),
        (ElementKind.PARAGRAPH, 0, "Strict text"),
    ]


def test_a_document_without_text_is_loaded_with_a_warning() -> None:
    assert read(saved(word_document())).warnings == (
        "a.docx: there is no text in it; it counts as a document but nothing can be found in it",
    )


def test_what_is_no_word_document_is_refused() -> None:
    assert refused(b"") == (
        "a.docx: is empty (0 bytes); it was probably not saved or not uploaded to its end"
    )
    assert refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)) == (
        "a.docx: needs a password, or is an old .doc; save it as .docx without a password"
    )
    assert refused(b"%PDF-1.4") == "a.docx: is a PDF, not a Word document; give it the ending that fits"
    assert refused(saved(word_document())[:2000]) == (
        "a.docx: is not a Word document, or is damaged or cut short; open it in Word and save it anew"
    )
    assert refused(zipped({"a.txt": b"hello"})) == (
        "a.docx: is a zip archive but not a Word document; open it in Word and save it anew"
    )


def test_broken_xml_is_refused() -> None:
    broken = with_part(saved(word_document()), "word/document.xml", b"<w:document")
    assert refused(broken).startswith("a.docx: cannot be read as a Word document (")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part(saved(word_document()), "word/document.xml", b"a" * 60_000_000)
    assert len(bomb) < 120_000
    assert "unpacks to 60.8 MB, 644 times its size; " in refused(bomb)
    assert refused(bomb).endswith("at most 200 times is unpacked: it is no usual document")


def test_archives_over_the_other_limits_are_refused_with_the_limit() -> None:
    usual = saved(word_document())
    assert refused(usual, Limits(archive_bytes=10_000)).endswith("at most 10,000 bytes may be: split it")
    assert refused(usual, Limits(archive_entries=3)).endswith("an archive may hold 3: split it")


def test_markup_that_names_other_files_reads_none() -> None:
    xml = (
        '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>&e;</w:t></w:r></w:p></w:body></w:document>"
    )
    assert "root" not in read(with_part(saved(word_document()), "word/document.xml", xml.encode())).text
