"""Text put together block by block, with the exact span of each block."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.corpus.document import Element, ElementKind

Row = Sequence[str]


class TextBuilder:
    """Joins blocks with blank lines; list items that follow each other become one list."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._elements: list[Element] = []
        self._items: list[str] = []

    def add(self, kind: ElementKind, text: str, level: int = 0) -> None:
        """Append a block, unless it is only white space; `level` is 1..6 for headings."""
        self._end_list()
        self._append(kind, text, level)

    def add_item(self, text: str, depth: int) -> None:
        """Append a list item, `depth` 0 for the outermost list."""
        if text.strip():
            self._items.append(list_item(text, depth))

    def build(self) -> tuple[str, tuple[Element, ...]]:
        """Return the text and its elements, in order."""
        self._end_list()
        return "".join(self._parts), tuple(self._elements)

    def _end_list(self) -> None:
        items, self._items = self._items, []
        self._append(ElementKind.LIST, "\n".join(items), 0)

    def _append(self, kind: ElementKind, text: str, level: int) -> None:
        text = text.strip("\n").rstrip()
        if not text:
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        self._parts.append(text)
        self._elements.append(Element(kind, self._length, self._length + len(text), level))
        self._length += len(text)


def list_item(text: str, depth: int, mark: str = "-") -> str:
    """Return a list item as Markdown: two spaces per depth, its further lines indented below the first."""
    indent = "  " * depth
    first, *rest = text.strip().split("\n")
    return "\n".join([f"{indent}{mark} {first}", *(f"{indent}  {line.strip()}" for line in rest)])


def markdown_table(rows: Sequence[Row]) -> str:
    """Return rows of cell texts as a Markdown table whose first row is the header; "" when all are empty."""
    cells = [[_cell(text) for text in row] for row in rows]
    if not any(any(row) for row in cells):
        return ""
    width = max(len(row) for row in cells)
    lines = [_line([*row, *[""] * (width - len(row))]) for row in cells]
    lines.insert(1, _line(["---"] * width))
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
