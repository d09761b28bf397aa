"""HTML: the text a reader sees, with headings, lists and tables; scripts, styles and navigation left out."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup, CData, Tag
from bs4.element import NavigableString

from evalcore.corpus.base import Reading, parsing
from evalcore.corpus.blocks import TextBuilder, list_item, markdown_table
from evalcore.corpus.document import ElementKind

_NOISE = (
    "head script style noscript template svg canvas iframe object embed audio video map nav button select "
    "option input textarea dialog"
)
_DROPPED = frozenset(_NOISE.split())
_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure "
    "footer form header hgroup hr html legend li main ol p pre search section summary table tbody td tfoot "
    "th thead tr ul menu h1 h2 h3 h4 h5 h6"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = ("ul", "ol", "menu")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,30})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]{2,30})["']""")
_SPACE = re.compile(r"[ \t\n\r\f]+")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_MAX_SPAN = 100


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that an HTML file's meta tag or XML declaration names, if any."""
    found = _XML_ENCODING.search(data[:1024]) or _CHARSET.search(data[:4096])
    return found.group(1).decode("ascii") if found else None


def read_html(text: str) -> Reading:
    """Return the visible text of a page, block by block.

    Raises:
        DocumentError: when it is nested beyond reading; the message has no file name yet.
    """
    builder = _PageBuilder()
    with warnings.catch_warnings(), parsing("HTML"):
        warnings.simplefilter("ignore")
        soup = BeautifulSoup(text.replace("\x00", "\ufffd"), "lxml")
        builder.walk(soup)
        builder.flush()
    rendered, elements = builder.text.build()
    return Reading(rendered, elements)


class _PageBuilder:
    """Walks a page; text between two blocks is a paragraph."""

    def __init__(self) -> None:
        self.text = TextBuilder()
        self._inline: list[str] = []

    def flush(self) -> None:
        """End the paragraph at hand."""
        inline, self._inline = self._inline, []
        self.text.add(ElementKind.PARAGRAPH, _folded(inline))

    def walk(self, node: Tag) -> None:
        """Add everything below `node`."""
        for child in node.children:
            if isinstance(child, Tag):
                self._tag(child)
            elif type(child) in (NavigableString, CData):
                self._inline.append(_SPACE.sub(" ", str(child)))

    def _tag(self, tag: Tag) -> None:
        if _is_dropped(tag):
            return
        if tag.name == "br":
            self._inline.append("\n")
        elif tag.name not in _BLOCKS:
            self.walk(tag)
        else:
            self.flush()
            self._block(tag)
            self.flush()

    def _block(self, tag: Tag) -> None:
        if tag.name in _HEADINGS:
            self.text.add(ElementKind.HEADING, _visible_line(tag), _HEADINGS[tag.name])
        elif tag.name == "pre":
            self.text.add(ElementKind.CODE, _preformatted(tag))
        elif tag.name in _LISTS and not tag.find([*_HEADINGS, "table", "pre"]):
            self.text.add(ElementKind.LIST, "\n".join(_list_lines(tag, 0)))
        elif tag.name == "table" and _is_data_table(tag):
            self._table(tag)
        else:
            self.walk(tag)

    def _table(self, tag: Tag) -> None:
        for caption in tag.find_all("caption", recursive=False):
            self.text.add(ElementKind.PARAGRAPH, _visible_line(caption))
        self.text.add(ElementKind.TABLE, markdown_table(_grid(tag)))


def _is_dropped(tag: Tag) -> bool:
    if tag.name in _DROPPED or tag.has_attr("hidden"):
        return True
    if tag.get("aria-hidden") == "true" or tag.get("role") == "navigation":
        return True
    return bool(_HIDDEN_STYLE.search(str(tag.get("style", ""))))


def _visible(tag: Tag) -> Iterator[str]:
    """Yield the visible text below `tag`; blocks and line breaks give a newline."""
    for child in tag.children:
        if isinstance(child, Tag):
            if _is_dropped(child):
                continue
            edge = ["\n"] if child.name in _BLOCKS or child.name == "br" else []
            yield from edge
            yield from _visible(child)
            yield from edge
        elif type(child) in (NavigableString, CData):
            yield _SPACE.sub(" ", str(child))


def _folded(parts: list[str]) -> str:
    text = re.sub(r" +", " ", "".join(parts))
    lines = (line.strip(" ") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _visible_text(tag: Tag) -> str:
    return _folded(list(_visible(tag)))


def _visible_line(tag: Tag) -> str:
    return " ".join(_visible_text(tag).split("\n"))


def _preformatted(tag: Tag) -> str:
    for gone in tag.find_all(_is_dropped):
        gone.extract()
    for line_break in tag.find_all("br"):
        line_break.replace_with("\n")
    return tag.get_text().replace("\r\n", "\n")


def _list_lines(tag: Tag, depth: int) -> Iterator[str]:
    number = _whole(tag.get("start"), 1)
    for child in tag.find_all(True, recursive=False):
        if child.name in _LISTS:
            yield from _list_lines(child, depth + 1)
        elif not _is_dropped(child):
            yield from _item_lines(child, depth, f"{number}." if tag.name == "ol" else "-")
            number += 1


def _item_lines(item: Tag, depth: int, mark: str) -> Iterator[str]:
    nested = list(_outermost_lists(item))
    for inner in nested:
        inner.extract()
    text = _visible_text(item)
    if text:
        yield list_item(text, depth, mark)
    for inner in nested:
        yield from _list_lines(inner, depth + 1)


def _outermost_lists(tag: Tag) -> Iterator[Tag]:
    for child in tag.find_all(True, recursive=False):
        if child.name in _LISTS:
            yield child
        else:
            yield from _outermost_lists(child)


def _whole(value: object, default: int) -> int:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def _rows(table: Tag) -> list[Tag]:
    return [row for row in table.find_all("tr") if row.find_parent("table") is table]


def _cells(row: Tag) -> list[Tag]:
    return row.find_all(["td", "th"], recursive=False)


def _is_data_table(table: Tag) -> bool:
    """Tell data from layout: layout tables nest tables or headings, say so, or have one column."""
    if table.get("role") in ("presentation", "none") or table.find(["table", *_HEADINGS]):
        return False
    return max((len(_cells(row)) for row in _rows(table)), default=0) > 1


def _grid(table: Tag) -> list[list[str]]:
    """Return the cells' texts by row; a merged cell has its text once, at its first place."""
    covered: dict[int, int] = {}
    grid = []
    for row in _rows(table):
        grid.append(_grid_row(row, covered))
    return grid


def _grid_row(row: Tag, covered: dict[int, int]) -> list[str]:
    texts: list[str] = []
    below: dict[int, int] = {}
    for cell in _cells(row):
        while covered.get(len(texts), 0):
            texts.append("")
        width = min(max(_whole(cell.get("colspan"), 1), 1), _MAX_SPAN)
        height = min(max(_whole(cell.get("rowspan"), 1), 1), 65_534)
        below.update({len(texts) + offset: height for offset in range(width)})
        texts += [_visible_line(cell), *[""] * (width - 1)]
    for column in list(covered):
        covered[column] = max(covered[column] - 1, 0)
    covered.update({column: height - 1 for column, height in below.items()})
    return texts
