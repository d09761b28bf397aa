"""Where a passage that a corpus does not hold word for word most nearly stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from evalcore.text.numbers import NUMBER, whole_numbers

_GRAM = 8
_MAX_GRAMS = 1_000_000
_MAX_PLACES = 50
_MAX_WINDOWS = 3
_SHORT = 24
_MAX_SHORT_SEARCHES = 100


@dataclass(frozen=True, slots=True)
class Near:
    """The most similar stretch: the index of its text, its characters, its similarity 0..1.

    `same_numbers`: every number of the passage is in it, in the same order.
    """

    index: int
    text: str
    similarity: float
    same_numbers: bool


class NearbyIndex:
    """Finds stretches of texts in normal form that share characters in order with a passage.

    Every `step`-th run of eight characters of the texts is kept with its places; those that a passage shares
    vote for where it begins, and only the three best places are compared. Passages shorter than 24 characters
    are compared with whole texts, at most 100 of them.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._short_searches = 0
        step = _GRAM * (1 + sum(map(len, texts)) // (_GRAM * _MAX_GRAMS))
        for index, text in enumerate(texts):
            for start in range(0, len(text) - _GRAM + 1, step):
                places = self._places.setdefault(text[start : start + _GRAM], [])
                if len(places) < _MAX_PLACES:
                    places.append((index, start))

    def nearest(self, passage: str, threshold: float) -> Near | None:
        """Return the most similar stretch of at least `threshold` (0..1), one with the same numbers first."""
        windows = self._whole_texts() if len(passage) < _SHORT else self._windows(passage)
        found = [n for i, start, end in windows if (n := self._compare(passage, i, start, end, threshold))]
        return max(found, key=lambda near: (near.same_numbers, near.similarity), default=None)

    def _whole_texts(self) -> list[tuple[int, int, int]]:
        self._short_searches += 1
        if self._short_searches > _MAX_SHORT_SEARCHES:
            return []
        return [(index, 0, len(text)) for index, text in enumerate(self._texts)]

    def _windows(self, passage: str) -> list[tuple[int, int, int]]:
        width = max(16, len(passage) // 4)
        votes: Counter[tuple[int, int]] = Counter()
        for offset in range(len(passage) - _GRAM + 1):
            for index, start in self._places.get(passage[offset : offset + _GRAM], ()):
                votes[index, (start - offset) // width] += 1
        best = sorted(votes, key=lambda place: (-votes[place], place))[:_MAX_WINDOWS]
        length = len(passage) + 2 * width
        return [(i, max(0, (b - 1) * width), max(0, (b + 1) * width) + length) for i, b in best]

    def _compare(self, passage: str, index: int, start: int, end: int, threshold: float) -> Near | None:
        window = self._texts[index][start:end]
        if len(window) < len(passage):
            score = fuzz.ratio(passage, window, score_cutoff=threshold * 100)
            low, high = 0, len(window)
        else:
            match = fuzz.partial_ratio_alignment(passage, window, score_cutoff=threshold * 100)
            score, low, high = (match.score, match.dest_start, match.dest_end) if match else (0.0, 0, 0)
        if score <= 0 or score < threshold * 100:
            return None
        low, high = whole_numbers(window, low, high)
        stretch = window[low:high]
        return Near(index, stretch, score / 100, _in_order(NUMBER.findall(passage), NUMBER.findall(stretch)))


def _in_order(wanted: list[str], found: list[str]) -> bool:
    rest = iter(found)
    return all(number in rest for number in wanted)
