"""Files made by code, for tests: small PDFs with chosen content streams, Word documents, zip archives."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from evalcore.corpus.document import Document, ElementKind


def text_page(text: str) -> bytes:
    """Return a content stream that shows one line of ASCII text; "" gives a page without text."""
    return f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() if text else b""


def pdf_of(*streams: bytes, compressed: bool = False) -> bytes:
    """Return a PDF with one page per content stream."""
    filters = b"/Filter /FlateDecode " if compressed else b""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, stream in enumerate(streams):
        body = zlib.compress(stream) if compressed else stream
        page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
        objects.append(f"{page}/Contents {5 + 2 * number} 0 R >>".encode())
        objects.append(b"<< %s/Length %d >>\nstream\n%s\nendstream" % (filters, len(body), body))
    return _assembled(objects)


def _assembled(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def word_document() -> Any:
    """Return an empty python-docx document."""
    from docx import Document as WordDocument

    return WordDocument()


def saved(document: Any) -> bytes:
    """Return a python-docx document as the bytes of a file."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def zipped(parts: Mapping[str, bytes]) -> bytes:
    """Return a zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def with_part(data: bytes, name: str, content: bytes) -> bytes:
    """Return a zip archive with one part replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    return zipped({**parts, name: content})


def with_body(body: str) -> bytes:
    """Return a Word document whose body is this WordprocessingML."""
    spaces = {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
    }
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in spaces.items())
    xml = f"<w:document {declared}><w:body>{body}</w:body></w:document>"
    return with_part(saved(word_document()), "word/document.xml", xml.encode())


def outline(document: Document) -> list[tuple[ElementKind, int, str]]:
    """Return kind, level and text of every element."""
    return [(e.kind, e.level, document.text[e.start : e.end]) for e in document.elements]


def kinds(document: Document) -> list[str]:
    """Return the kinds of the elements, in order."""
    return [e.kind.value for e in document.elements]
