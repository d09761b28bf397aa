"""Is a passage in a text? Exact in normal form, or nearly so; in either case with the same numbers."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import fuzz

from evalcore.text.normal import fold
from evalcore.text.numbers import NUMBER, find_exact, whole_numbers


@dataclass(frozen=True, slots=True)
class Passage:
    """A gold passage in normal form with its numbers as (start, end) ranges."""

    text: str
    numbers: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, quote: str) -> Passage:
        """Prepare a quote for matching."""
        text = fold(quote)
        return cls(text, tuple(m.span() for m in NUMBER.finditer(text)))


class Matcher:
    """Answers whether passages are in texts, judging each pair once.

    `threshold` is the least similarity, 0..1 (rapidfuzz partial ratio alignment / 100).
    """

    def __init__(self, threshold: float) -> None:
        self._cutoff = threshold * 100
        self._passages: dict[str, Passage] = {}
        self._folded: dict[str, str] = {}
        self._verdicts: dict[tuple[str, str], bool] = {}

    def contains(self, text: str, quote: str) -> bool:
        """Return whether the passage `quote` is in `text` (report specification, section 3)."""
        key = (text, quote)
        if key not in self._verdicts:
            self._verdicts[key] = self._judge(text, quote)
        return self._verdicts[key]

    def _judge(self, text: str, quote: str) -> bool:
        if quote not in self._passages:
            self._passages[quote] = Passage.of(quote)
        if text not in self._folded:
            self._folded[text] = fold(text)
        return is_in(self._passages[quote], self._folded[text], self._cutoff)


def is_in(passage: Passage, text: str, cutoff: float) -> bool:
    """Return whether `passage` is in the normal form `text`, exactly or nearly (`cutoff` 0..100)."""
    if not passage.text:
        return False
    return find_exact(passage.text, text) is not None or _nearly_in(passage, text, cutoff)


def _nearly_in(passage: Passage, text: str, cutoff: float) -> bool:
    pending = [(0, len(text))]
    while pending:
        low, high = pending.pop()
        part = text[low:high]
        if not part:
            continue
        if len(part) < len(passage.text):
            if fuzz.ratio(passage.text, part, score_cutoff=cutoff) and _numbers_agree(
                passage, part, 0, len(part)
            ):
                return True
            continue
        found = fuzz.partial_ratio_alignment(passage.text, part, score_cutoff=cutoff)
        if found is None or found.score < cutoff:
            continue
        if _numbers_agree(passage, part, found.dest_start, found.dest_end):
            return True
        pending += [(low, low + found.dest_start), (low + found.dest_end, high)]
    return False


def _numbers_agree(passage: Passage, text: str, start: int, end: int) -> bool:
    """Return whether the passage's numbers occur in `text[start:end]` in the same order.

    Where the text's own edge cut the passage short, numbers wholly beyond the edge are not asked for.
    """
    start, end = whole_numbers(text, start, end)
    missing = max(0, len(passage.text) - (end - start))
    low = missing if start == 0 else 0
    high = len(passage.text) - (missing if end == len(text) else 0)
    if low and high < len(passage.text):
        low, high = 0, len(passage.text)
    wanted = [passage.text[s:e] for s, e in passage.numbers if e > low and s < high]
    found = iter(NUMBER.findall(text[start:end]))
    return all(number in found for number in wanted)
