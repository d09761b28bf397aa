"""Where the evidence of a question stands in the documents, and which chunks hold it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalItem, GoldAnchor
from evalcore.text.span import Span

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LocatedSpan:
    """A place of a gold passage and the grade of a chunk that holds it."""

    span: Span
    grade: int


Located = tuple[tuple[LocatedSpan, ...], ...]
"""Per slot of a question, the places that may fill it."""


def locate(item: EvalItem, corpus: Corpus) -> Located | None:
    """Return the places of each slot's passages; None when a slot has none, or there is no slot.

    A passage is looked for word for word, else with runs of white space taken as one blank on both sides.
    Without a source any document may hold it; `occurrence` counts within each document.
    """
    slots = tuple(tuple(_places(slot, corpus)) for slot in item.slots)
    return slots if slots and all(slots) else None


def _places(slot: Sequence[GoldAnchor], corpus: Corpus) -> Iterator[LocatedSpan]:
    for anchor in slot:
        for document in corpus:
            if anchor.source_id in (None, document.id):
                found = find_quote(document.text, anchor.quote, anchor.occurrence)
                if found is not None:
                    yield LocatedSpan(Span(document.id, *found), anchor.grade)


def find_quote(text: str, quote: str, occurrence: int = 0) -> tuple[int, int] | None:
    """Return the characters of a quote's `occurrence`-th place (from 0) in a text, if there is one."""
    words = quote.split()
    if not words:
        return None
    start = text.find(quote)
    for _ in range(occurrence):
        if start < 0:
            break
        start = text.find(quote, start + len(quote))
    if start >= 0:
        return start, start + len(quote)
    if words[0] not in text:
        return None
    for number, match in enumerate(_loose(quote).finditer(text)):
        if number == occurrence:
            return match.span()
    return None


@lru_cache(maxsize=4096)
def _loose(quote: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(re.escape(word) for word in quote.split()))


@dataclass(frozen=True, slots=True)
class Judged:
    """Relevant chunks of a question by position, with their grades, all above 0.

    `split`: some passage of it is held by no chunk, but by several together.
    """

    grades: Mapping[int, int]
    split: bool


class ChunkSpans:
    """A chunk set's spans by document, in order, for sweeps."""

    def __init__(self, spans: Sequence[Span]) -> None:
        by_document: dict[str, list[int]] = {}
        for position, span in enumerate(spans):
            by_document.setdefault(span.doc_id, []).append(position)
        self._documents = {doc_id: _Sorted.of(places, spans) for doc_id, places in by_document.items()}

    def meeting(self, span: Span) -> tuple[Ints, Ints, Ints]:
        """Return positions, starts and ends of the chunks that share a character with a span."""
        document = self._documents.get(span.doc_id)
        if document is None:
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing, nothing
        return document.meeting(span.start, span.end)


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Chunks of a document by start. `reach` is the furthest end so far, so that it never falls."""

    positions: Ints
    starts: Ints
    ends: Ints
    reach: Ints

    @classmethod
    def of(cls, places: Sequence[int], spans: Sequence[Span]) -> _Sorted:
        order = sorted(places, key=lambda place: spans[place].start)
        ends = np.array([spans[place].end for place in order], dtype=np.int64)
        return cls(
            np.array(order, dtype=np.int64),
            np.array([spans[place].start for place in order], dtype=np.int64),
            ends,
            np.maximum.accumulate(ends),
        )

    def meeting(self, start: int, end: int) -> tuple[Ints, Ints, Ints]:
        first = int(np.searchsorted(self.reach, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        meets = self.ends[first:last] > start
        window = slice(first, last)
        return self.positions[window][meets], self.starts[window][meets], self.ends[window][meets]


Share = Callable[[Ints, int, Ints], npt.NDArray[np.float64]]
"""From shared characters, the passage's length and the chunks' lengths to what the policy compares."""

POLICIES: dict[str, Share] = {
    "coverage": lambda shared, passage, _chunks: shared / passage,
    "iou": lambda shared, passage, chunks: shared / (passage + chunks - shared),
    "containment": lambda shared, _passage, chunks: shared / chunks,
}


def judge(located: Located, chunks: ChunkSpans, policy: str = "coverage", threshold: float = 0.5) -> Judged:
    """Grade the chunks against a question's passages; one relevant to several takes the highest grade.

    `policy`: from `threshold` on, `coverage` compares shared characters / the passage's, `iou` shared / those
    of both together, `containment` shared / the chunk's.
    """
    grades: dict[int, int] = {}
    split = False
    for slot in located:
        held = [_hold(place, chunks, POLICIES[policy], threshold, grades) for place in slot]
        if not any(held):
            split = split or any(_is_split(place.span, chunks, threshold) for place in slot)
    return Judged({position: grade for position, grade in grades.items() if grade > 0}, split)


def _hold(
    place: LocatedSpan, chunks: ChunkSpans, share: Share, threshold: float, grades: dict[int, int]
) -> bool:
    """Grade the chunks that hold a place; False when none does."""
    positions, starts, ends = chunks.meeting(place.span)
    shared = np.minimum(ends, place.span.end) - np.maximum(starts, place.span.start)
    holding = positions[share(shared, len(place.span), ends - starts) >= threshold].tolist()
    for position in holding:
        grades[position] = max(place.grade, grades.get(position, place.grade))
    return bool(holding)


def _is_split(span: Span, chunks: ChunkSpans, threshold: float) -> bool:
    _, starts, ends = chunks.meeting(span)
    if len(starts) < 2:
        return False
    covered, reached = 0, span.start
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        covered += max(0, min(end, span.end) - max(start, reached))
        reached = max(reached, min(end, span.end))
    return covered >= threshold * len(span)
