"""Writes the example's binary documents: the security whitepaper (PDF), the installation procedure (DOCX).

Their words are in `source/*.md`. Run `python examples/build.py [FOLDER]`; the default is the `docs` folder
beside this file. Dates and ids are fixed: two runs with the same libraries give the same bytes.
"""

from __future__ import annotations

import datetime as dt
import io
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from docx.document import Document as DocxDocument
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import Flowable

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "source"
PDF_NAME = "security-whitepaper"
DOCX_NAME = "installation-and-calibration-procedure"
COMPANY = "Quellmark Instruments GmbH"
FIXED_DATE = dt.datetime(2025, 7, 1, 9, 0, tzinfo=dt.UTC)
ZIP_DATE = (2025, 7, 1, 9, 0, 0)


class Block(NamedTuple):
    """A heading (`level` 1..3), a paragraph (0) or a table (`rows`) of a source file."""

    text: str
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def read_blocks(path: Path) -> list[Block]:
    """Read the blocks of a source file: `#` headings, pipe tables, and paragraphs of one line."""
    return [_block(text) for text in path.read_text(encoding="utf-8").strip().split("\n\n")]


def _block(text: str) -> Block:
    if text.startswith("|"):
        lines = [line for line in text.splitlines() if not line.startswith("|---")]
        return Block("", rows=tuple(tuple(c.strip() for c in line.strip("|").split("|")) for line in lines))
    marks = len(text) - len(text.lstrip("#"))
    return Block(text[marks:].strip(), level=marks)


def build_pdf(target: Path) -> None:
    """Write the whitepaper as A4 pages with a running footer and no hyphenation."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.platypus import SimpleDocTemplate

    blocks = read_blocks(SOURCE / f"{PDF_NAME}.md")
    document = SimpleDocTemplate(
        str(target),
        pagesize=A4,
        leftMargin=25 * mm,
        rightMargin=25 * mm,
        topMargin=22 * mm,
        bottomMargin=24 * mm,
        title=blocks[0].text,
        author=COMPANY,
        invariant=1,
    )
    styles = _pdf_styles()
    story = [flowable for block in blocks for flowable in _pdf_block(block, styles)]
    document.build(story, onFirstPage=_footer, onLaterPages=_footer)


def _pdf_styles() -> dict[int, ParagraphStyle]:
    from reportlab.lib.styles import ParagraphStyle

    body = ParagraphStyle("body", fontName="Helvetica", fontSize=10.5, leading=15.5, spaceAfter=8)
    bold = ParagraphStyle("bold", body, fontName="Helvetica-Bold", keepWithNext=1)
    return {
        0: body,
        1: ParagraphStyle("title", bold, fontSize=22, leading=28),
        2: ParagraphStyle("section", bold, fontSize=15, leading=20, spaceBefore=12),
        3: ParagraphStyle("subsection", bold, fontSize=11.5, spaceBefore=6),
    }


def _pdf_block(block: Block, styles: dict[int, ParagraphStyle]) -> list[Flowable]:
    from reportlab.platypus import Paragraph, Spacer, Table

    if not block.rows:
        return [Paragraph(escape(block.text), styles[block.level])]
    look = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 9),
        ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 9),
        ("GRID", (0, 0), (-1, -1), 0.4, "#999999"),
        ("BACKGROUND", (0, 0), (-1, 0), "#eeeeee"),
    ]
    return [Table(block.rows, style=look, hAlign="LEFT"), Spacer(1, 9)]


def _footer(canvas: Canvas, document: object) -> None:
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.drawString(71, 40, f"Strandline Security Whitepaper, version 4.2, page {canvas.getPageNumber()}")
    canvas.restoreState()


def build_docx(target: Path) -> None:
    """Write the procedure with heading styles and tables."""
    import docx

    blocks = read_blocks(SOURCE / f"{DOCX_NAME}.md")
    document = docx.Document()
    properties = document.core_properties
    properties.title = blocks[0].text
    properties.author = properties.last_modified_by = COMPANY
    properties.created = properties.modified = FIXED_DATE.replace(tzinfo=None)
    for block in blocks:
        _docx_block(document, block)
    buffer = io.BytesIO()
    document.save(buffer)
    target.write_bytes(_with_fixed_dates(buffer.getvalue()))


def _docx_block(document: DocxDocument, block: Block) -> None:
    if block.level:
        document.add_heading(block.text, level=block.level)
        return
    if not block.rows:
        document.add_paragraph(block.text)
        return
    table = document.add_table(rows=len(block.rows), cols=len(block.rows[0]), style="Table Grid")
    for row, values in zip(table.rows, block.rows, strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value


def _with_fixed_dates(archive: bytes) -> bytes:
    """Pack the archive's members again, sorted and with one date."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            new.writestr(zipfile.ZipInfo(name, ZIP_DATE), old.read(name), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def build(folder: Path) -> list[Path]:
    """Write both files into `folder` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    pdf, docx = folder / f"{PDF_NAME}.pdf", folder / f"{DOCX_NAME}.docx"
    build_pdf(pdf)
    build_docx(docx)
    return [pdf, docx]


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "docs")
