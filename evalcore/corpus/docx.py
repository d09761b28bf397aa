"""Word documents: paragraphs, lists, tables and text boxes in document order, headings by style."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from evalcore.corpus.archive import open_archive
from evalcore.corpus.base import Reading, parsing
from evalcore.corpus.blocks import TextBuilder, markdown_table
from evalcore.corpus.document import ElementKind
from evalcore.corpus.docx_styles import Styles, value
from evalcore.corpus.limits import Limits
from evalcore.errors import DocumentError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TEXT = (f"{_W}t", f"{_M}t")
_SIGNS = {
    f"{_W}tab": "\t",
    f"{_W}br": "\n",
    f"{_W}cr": "\n",
    f"{_W}noBreakHyphen": "\u2011",
    f"{_W}ptab": "\t",
}
_DROPPED = frozenset(
    f"{_W}{name}" for name in ("del", "moveFrom", "rPr", "pPr", "sectPr", "tblPr", "tblGrid", "sdtPr", "rt")
)
_RELATIONS = "_rels/.rels"
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAMES = (
    (b"/extendedProperties", b"/extended-properties"),
    (b"/customProperties", b"/custom-properties"),
)
_MAX_SPAN = 100


def read_docx(data: bytes, limits: Limits) -> Reading:
    """Return the text of a Word document; tables become Markdown tables, text boxes follow their paragraph.

    Deleted text (tracked changes) is left out, inserted text is in. Headers, footers, notes and comments are
    not read. A document in ISO strict form is translated first.

    Raises:
        DocumentError: when it is damaged, locked or too large unpacked; the message has no file name yet.
    """
    with open_archive(data, limits) as archive, parsing("a Word document"):
        source = _transitional(archive) or data
        document = _open(source)
        reader = _BodyReader(Styles.of(document))
        reader.blocks(document.element.body)
    text, elements = reader.text.build()
    return Reading(text, elements)


def _open(data: bytes) -> Any:
    from docx import Document

    try:
        return Document(io.BytesIO(data))
    except KeyError as error:
        raise DocumentError(
            "is a zip archive but not a Word document; open it in Word and save it anew"
        ) from error


def _transitional(archive: zipfile.ZipFile) -> bytes | None:
    """Return a strict document's archive with the usual namespaces; None when it has them already."""
    if _RELATIONS not in archive.namelist() or _STRICT not in archive.read(_RELATIONS):
        return None
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in archive.namelist():
            part = archive.read(name)
            copy.writestr(name, _translate(part) if name.endswith((".xml", ".rels")) else part)
    return out.getvalue()


def _translate(xml: bytes) -> bytes:
    pieces = xml.split(_STRICT)
    translated = [pieces[0]]
    for piece in pieces[1:]:
        subject, slash, rest = piece.partition(b"/")
        translated.append(b"http://schemas.openxmlformats.org/" + subject + slash + b"2006/" + rest)
    joined = b"".join(translated)
    for strict, usual in _STRICT_NAMES:
        joined = joined.replace(strict, usual)
    return joined


class _BodyReader:
    """Walks the body's blocks in order."""

    def __init__(self, styles: Styles) -> None:
        self.text = TextBuilder()
        self._styles = styles

    def blocks(self, container: Any) -> None:
        """Add all paragraphs and tables below `container`."""
        for block in _block_elements(container):
            if block.tag == f"{_W}p":
                self._paragraph(block)
            else:
                self._table(block)

    def _paragraph(self, paragraph: Any) -> None:
        text, boxes = _inline(paragraph)
        level = self._styles.heading_level(paragraph)
        depth = self._styles.list_depth(paragraph)
        if level:
            self.text.add(ElementKind.HEADING, " ".join(text.split()), level)
        elif depth is not None:
            self.text.add_item(text, depth)
        else:
            self.text.add(ElementKind.PARAGRAPH, text)
        for box in boxes:
            self.blocks(box)

    def _table(self, table: Any) -> None:
        rows = list(_rows(table))
        if len(rows) == 1 and len(list(_cells(rows[0]))) == 1:
            self.blocks(next(_cells(rows[0])))
        else:
            self.text.add(ElementKind.TABLE, markdown_table([_row_texts(row) for row in rows]))


def _children(node: Any) -> Iterator[Any]:
    """Yield element children; of alternatives for old and new readers, the first."""
    for child in node:
        if not isinstance(child.tag, str) or child.tag in _DROPPED:
            continue
        if child.tag == f"{_MC}AlternateContent":
            for chosen in child[:1]:
                yield from _children(chosen)
        else:
            yield child


def _found(container: Any, tags: tuple[str, ...]) -> Iterator[Any]:
    """Yield the nearest elements with one of `tags`, through content controls and tracked changes."""
    for child in _children(container):
        if child.tag in tags:
            yield child
        else:
            yield from _found(child, tags)


def _block_elements(container: Any) -> Iterator[Any]:
    return _found(container, (f"{_W}p", f"{_W}tbl"))


def _rows(table: Any) -> Iterator[Any]:
    return _found(table, (f"{_W}tr",))


def _cells(row: Any) -> Iterator[Any]:
    return _found(row, (f"{_W}tc",))


def _inline(paragraph: Any) -> tuple[str, list[Any]]:
    """Return a paragraph's own text and the text boxes anchored in it."""
    parts: list[str] = []
    boxes: list[Any] = []
    _collect(paragraph, parts, boxes)
    return "".join(parts).strip(), boxes


def _collect(node: Any, parts: list[str], boxes: list[Any]) -> None:
    for child in _children(node):
        if child.tag in _TEXT:
            parts.append(child.text or "")
        elif child.tag in _SIGNS:
            parts.append(_SIGNS[child.tag])
        elif child.tag == f"{_W}txbxContent":
            boxes.append(child)
        else:
            _collect(child, parts, boxes)


def _row_texts(row: Any) -> list[str]:
    """Return a row's cell texts; a merged cell has its text once, at its first place."""
    texts = [""] * _skipped(row, "gridBefore")
    for cell in _cells(row):
        properties = cell.find(f"{_W}tcPr")
        merge = None if properties is None else properties.find(f"{_W}vMerge")
        continued = merge is not None and value(merge) != "restart"
        span = 1 if properties is None else _number(properties.find(f"{_W}gridSpan"), 1)
        texts += ["" if continued else _cell_text(cell), *[""] * (span - 1)]
    return texts + [""] * _skipped(row, "gridAfter")


def _skipped(row: Any, name: str) -> int:
    properties = row.find(f"{_W}trPr")
    return 0 if properties is None else _number(properties.find(f"{_W}{name}"), 0)


def _number(element: Any, default: int) -> int:
    text = "" if element is None else value(element)
    return min(int(text), _MAX_SPAN) if text.isascii() and text.isdigit() else default


def _cell_text(cell: Any) -> str:
    """Return a cell's text in one line; of a table inside it, cells with commas and rows with semicolons."""
    texts: list[str] = []
    for block in _block_elements(cell):
        if block.tag == f"{_W}tbl":
            rows = (", ".join(text for text in _row_texts(row) if text) for row in _rows(block))
            texts.append("; ".join(row for row in rows if row))
        else:
            own, boxes = _inline(block)
            texts += [own, *(_cell_text(box) for box in boxes)]
    return " ".join(text for text in texts if text)
