from __future__ import annotations

import io
import logging

import pytest

from evalcore.corpus.encoding import damaged_share
from evalcore.corpus.reading import read_bytes
from evalcore.errors import DocumentError
from tests.corpus.files import pdf_of, text_page


def refused(name: str, data: bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        read_bytes(name, data)
    message = str(caught.value)
    assert "\n" not in message
    return message


def locked(user: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of(text_page("Locked away")))))
    writer.encrypt(user_password=user, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_pages_are_joined_by_a_blank_line() -> None:
    document = read_bytes("a.pdf", pdf_of(text_page("Page one"), text_page("Page two")))
    assert document.text == "Page one\n\nPage two"
    assert (document.metadata["pages"], document.metadata["pages_without_text"]) == ("2", "0")
    assert [document.text[e.start : e.end] for e in document.elements] == ["Page one", "Page two"]
    assert document.warnings == ()


def test_a_scan_is_loaded_and_named() -> None:
    document = read_bytes("scan.pdf", pdf_of(b"", b"", b""))
    assert not document.has_text
    assert document.warnings == ("scan.pdf: no text on any of its 3 pages: it is a scan; run OCR first",)


def test_the_share_of_pages_without_text_is_named() -> None:
    document = read_bytes("part.pdf", pdf_of(text_page("one"), *[b""] * 8, text_page("ten")))
    assert document.metadata["pages_without_text"] == "8"
    assert document.warnings == (
        "part.pdf: no text on 8 of 10 pages (2, 3, 4, 5, 6, 7, 8, 9) (80%): "
        "if these are scans, run OCR first",
    )


def test_permission_locks_open_and_passwords_are_asked_for() -> None:
    assert read_bytes("a.pdf", locked("")).text == "Locked away"
    assert refused("b.pdf", locked("secret")) == (
        "b.pdf: needs a password; save a copy without one and load that"
    )


def test_what_is_no_pdf_is_refused_with_what_it_is() -> None:
    assert refused("a.pdf", b"") == "a.pdf: is not a PDF: it begins with nothing (0 bytes); expected %PDF-"
    assert refused("b.pdf", b"<!DOCTYPE html><p>x</p>") == (
        "b.pdf: is not a PDF: it begins with '<!DOCTYPE html><p>x<'; expected %PDF-"
    )


def test_a_pdf_cut_short_is_refused() -> None:
    whole = pdf_of(text_page("A page of text"))
    assert refused("cut.pdf", whole[:200]).startswith("cut.pdf: cannot be read as PDF (")


def test_the_parser_never_speaks(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = pdf_of(text_page("Still here")).replace(b"startxref", b"startxxxx")
    document = read_bytes("odd.pdf", damaged)
    assert document.text == "Still here"
    assert document.warnings == (
        "odd.pdf: damaged: its cross-reference table was rebuilt; compare the text with the original",
    )
    assert caplog.records == []
    assert capsys.readouterr() == ("", "")
    assert logging.getLogger("pypdf").propagate


def test_characters_no_text_should_hold_are_counted() -> None:
    assert damaged_share("ab\ue000\ufffd") == 0.5
    assert damaged_share("Grüße\t漢字\n") == 0
    assert damaged_share("") == 0
