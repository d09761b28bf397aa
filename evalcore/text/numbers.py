"""Numbers in texts, and finding a passage without cutting one in half."""

from __future__ import annotations

import re

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
"""Digits with `.` or `,` inside, as written."""


def find_exact(passage: str, text: str, start: int = 0) -> int | None:
    """Return where `passage` first stands in `text` from `start` on without cutting a number in half."""
    place = text.find(passage, start)
    while place >= 0:
        if not cuts_number(text, place) and not cuts_number(text, place + len(passage)):
            return place
        place = text.find(passage, place + 1)
    return None


def cuts_number(text: str, place: int) -> bool:
    """Return whether a boundary before character `place` falls inside a number."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isdecimal() and after.isdecimal():
        return True
    if after.isdecimal() and before in ".,":
        return place >= 2 and text[place - 2].isdecimal()
    return before.isdecimal() and after in ".," and text[place + 1 : place + 2].isdecimal()


def whole_numbers(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen the range `start..end` of `text` where its ends fall inside numbers."""
    while start > 0 and cuts_number(text, start):
        start -= 1
    while end < len(text) and cuts_number(text, end):
        end += 1
    return start, end
