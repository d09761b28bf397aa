"""Texts on screen: what users wrote, numbers and times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$~&])")
_COLON = re.compile(r":(?=[\w+\-/])")
_JOINER = "\u2060"


def plain(text: str) -> str:
    """Escape a user's text for places that read Markdown: nothing in it is interpreted, lines are joined."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _COLON.sub(f":{_JOINER}", escaped)


def sentence(line: str) -> str:
    """A line of an error as a sentence of text: its first letter large, a full stop at its end."""
    line = plain(line.strip())
    return line if not line else f"{line[0].upper()}{line[1:].removesuffix('.')}."


def score(value: float | None) -> str:
    """Two decimals; an en dash where there is nothing."""
    return "–" if value is None else f"{value:.2f}"


def interval(ci95: tuple[float, float] | None) -> str:
    """`[0.75–0.88]`, or nothing. One without a width is not certainty: the scores show no spread."""
    if ci95 is None:
        return ""
    return "no spread seen" if ci95[0] == ci95[1] else f"[{_signed(ci95[0])}–{_signed(ci95[1])}]"


def with_interval(value: float, ci95: tuple[float, float] | None) -> str:
    """`0.82 [0.75–0.88]`."""
    return f"{score(value)} {interval(ci95)}".rstrip()


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−") if round(value, 2) else "0.00"


def whole(value: float) -> str:
    """A count with its thousands separated."""
    return f"{round(value):,}"


def share(value: float | None) -> str:
    """A share of chunks in percent."""
    return "–" if value is None else f"{100 * value:.0f} %"


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 document`, `12 documents`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def size(number: int) -> str:
    """A file's size in the unit that reads best."""
    if number < 1_000:
        return f"{number} B"
    if number < 1_000_000:
        return f"{number / 1_000:,.0f} kB"
    return f"{number / 1_000_000:,.1f} MB"


def duration(seconds: float) -> str:
    """`12 s`, `3 min 20 s`, `2 h 5 min`."""
    whole_seconds = max(0, round(seconds))
    minutes, rest = divmod(whole_seconds, 60)
    if minutes == 0:
        return f"{rest} s"
    hours, minutes_left = divmod(minutes, 60)
    if hours == 0:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{hours} h {minutes_left} min" if minutes_left else f"{hours} h"


def ago(moment: datetime | None, now: datetime | None = None) -> str:
    """How long ago, in words."""
    if moment is None:
        return ""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < 60:
        return "just now"
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{count(int(seconds // length), unit)} ago"
    return "just now"


def clock(moment: datetime | None) -> str:
    """The time of day in the reader's time zone."""
    return "" if moment is None else moment.astimezone(_zone()).strftime("%H:%M")


def exact(moment: datetime | None) -> str:
    """Date and time in the reader's time zone, to the second."""
    return "" if moment is None else moment.astimezone(_zone()).strftime("%Y-%m-%d %H:%M:%S %Z")


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
