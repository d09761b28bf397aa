"""Ranges of characters or tokens in documents: what several of them cover together, and share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Range = tuple[int, int]
Ranges = Mapping[str, list[Range]]
"""By document: ranges (start, end) in order that neither overlap nor touch."""


def merged(ranges: Iterable[tuple[str, int, int]]) -> dict[str, list[Range]]:
    """Join (document, start, end) ranges that overlap or touch; empty ones vanish."""
    found: dict[str, list[Range]] = {}
    for doc_id, start, end in sorted(ranges):
        if end <= start:
            continue
        so_far = found.setdefault(doc_id, [])
        if so_far and start <= so_far[-1][1]:
            so_far[-1] = (so_far[-1][0], max(end, so_far[-1][1]))
        else:
            so_far.append((start, end))
    return found


def size(ranges: Ranges) -> int:
    """Return how many units the ranges cover."""
    return sum(end - start for several in ranges.values() for start, end in several)


def shared(one: Ranges, other: Ranges) -> int:
    """Return how many units both cover."""
    return sum(_shared(several, other[doc_id]) for doc_id, several in one.items() if doc_id in other)


def _shared(one: list[Range], other: list[Range]) -> int:
    total, i, j = 0, 0, 0
    while i < len(one) and j < len(other):
        total += max(0, min(one[i][1], other[j][1]) - max(one[i][0], other[j][0]))
        if one[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return total
