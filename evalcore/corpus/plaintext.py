"""Structure of plain text: paragraphs between blank lines."""

from __future__ import annotations

import re
from itertools import pairwise

from evalcore.corpus.document import Element, ElementKind

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def line_starts(text: str) -> list[int]:
    """Return where each line begins, and the text's length as a last entry; lines end at LF, CR or CRLF."""
    starts = [match.start() for match in _LINE.finditer(text) if match.group()]
    return [*starts, len(text)]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without the white space at its ends."""
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end


def paragraph_elements(text: str) -> tuple[Element, ...]:
    """Return the paragraphs of `text`: runs of lines that are not blank, trimmed."""
    elements: list[Element] = []
    starts = line_starts(text)
    begin: int | None = None
    for start, end in pairwise(starts):
        if text[start:end].strip():
            begin = start if begin is None else begin
        elif begin is not None:
            elements.append(Element(ElementKind.PARAGRAPH, *trimmed(text, begin, start)))
            begin = None
    if begin is not None:
        elements.append(Element(ElementKind.PARAGRAPH, *trimmed(text, begin, len(text))))
    return tuple(elements)
