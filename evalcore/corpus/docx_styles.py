"""Which paragraphs of a Word document are headings or list items, by their style or their own properties."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|заголовок|标题|標題|見出し|제목)"
    r"\s*(\d)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"title|titel|titre|título|titolo|标题|標題|表題", re.IGNORECASE)
_LIST = re.compile(r"list (bullet|number|paragraph)\s*(\d?)", re.IGNORECASE)
_MAX_LEVEL = 6
_MAX_CHAIN = 20


def value(element: Any) -> str:
    """Return the element's `w:val`, "" when it has none."""
    return str(element.get(f"{_W}val", ""))


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style: heading level (0: body text), list level of its items; None says nothing of it."""

    level: int | None
    list_depth: int | None
    parent: str


@dataclass(frozen=True, slots=True)
class Styles:
    """The paragraph styles of a document by id; `default` is the one of paragraphs that name none."""

    by_id: dict[str, Style]
    default: str

    @classmethod
    def of(cls, document: Any) -> Styles:
        """Read them from a python-docx document; a document without styles has none."""
        try:
            root = document.styles.element
        except (KeyError, AttributeError):
            return cls({}, "")
        styles = {s.get(f"{_W}styleId", ""): s for s in root.findall(f"{_W}style") if _is_paragraph_style(s)}
        default = next((key for key, s in styles.items() if s.get(f"{_W}default") in ("1", "true")), "")
        return cls({key: _style(element) for key, element in styles.items()}, default)

    def heading_level(self, paragraph: Any) -> int:
        """Return 1..6 for a heading, 0 for any other paragraph."""
        properties = paragraph.find(f"{_W}pPr")
        own = None if properties is None else _outline_level(properties)
        if own is not None:
            return own
        return next((s.level for s in self._chain(properties) if s.level is not None), 0)

    def list_depth(self, paragraph: Any) -> int | None:
        """Return the level of a list item, from 0; None for any other paragraph."""
        properties = paragraph.find(f"{_W}pPr")
        numbering = None if properties is None else properties.find(f"{_W}numPr")
        if numbering is not None:
            return _numbering_depth(numbering)
        return next((s.list_depth for s in self._chain(properties) if s.list_depth is not None), None)

    def _chain(self, properties: Any) -> list[Style]:
        named = None if properties is None else properties.find(f"{_W}pStyle")
        key = self.default if named is None else value(named)
        chain: list[Style] = []
        while key in self.by_id and len(chain) < _MAX_CHAIN:
            chain.append(self.by_id[key])
            key = chain[-1].parent
        return chain


def _is_paragraph_style(style: Any) -> bool:
    return str(style.get(f"{_W}type", "paragraph")) == "paragraph"


def _style(element: Any) -> Style:
    name_element, parent = element.find(f"{_W}name"), element.find(f"{_W}basedOn")
    name = "" if name_element is None else value(name_element)
    properties = element.find(f"{_W}pPr")
    level = _level_by_name(name) or _level_by_name(str(element.get(f"{_W}styleId", "")))
    if level is None and properties is not None:
        level = _outline_level(properties)
    numbering = None if properties is None else properties.find(f"{_W}numPr")
    depth = _depth_by_name(name)
    if depth is None and numbering is not None:
        depth = _numbering_depth(numbering)
    return Style(level, depth, "" if parent is None else value(parent))


def _level_by_name(name: str) -> int | None:
    if _TITLE.fullmatch(name):
        return 1
    found = _HEADING.fullmatch(name)
    return min(max(int(found.group(1)), 1), _MAX_LEVEL) if found else None


def _depth_by_name(name: str) -> int | None:
    found = _LIST.fullmatch(name)
    if not found or found.group(1).lower() == "paragraph":
        return None
    return int(found.group(2) or 1) - 1


def _outline_level(properties: Any) -> int | None:
    """Return the heading level of an outline level (0..8; 9 is body text), None when none is set."""
    outline = properties.find(f"{_W}outlineLvl")
    if outline is None or not value(outline).isdecimal():
        return None
    level = int(value(outline)) + 1
    return min(level, _MAX_LEVEL) if level <= 9 else 0


def _numbering_depth(numbering: Any) -> int | None:
    """Return the level of a numbering, None when it switches numbering off (id 0)."""
    number, level = numbering.find(f"{_W}numId"), numbering.find(f"{_W}ilvl")
    if number is not None and value(number) == "0":
        return None
    return int(value(level)) if level is not None and value(level).isdecimal() else 0
