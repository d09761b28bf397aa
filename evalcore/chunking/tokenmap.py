"""What every chunker does with tokens and ranges."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from evalcore.errors import SettingsError
from evalcore.text.tokens import get_tokenizer

Range = tuple[int, int]

# More than the tokens that two cuts can add: the longest word in a vocabulary, cut off from its space.
_MARGIN = 64


class TokenMap:
    """A text with its tokens: one tokenisation, then counts and places by look-up."""

    def __init__(self, text: str, tokenizer: str) -> None:
        self.text = text
        self._tokenizer = get_tokenizer(tokenizer)
        offsets = self._tokenizer.offsets(text)
        self._starts: list[int] = offsets[:, 0].tolist()
        self._ends: list[int] = offsets[:, 1].tolist()

    def __len__(self) -> int:
        return len(self._starts)

    def range_of(self, first: int, last: int) -> Range:
        """Return the characters of tokens `first..last` (half-open)."""
        return self._starts[first], self._ends[last - 1]

    def start_of(self, token: int) -> int:
        """Return where a token starts."""
        return self._starts[token]

    def end_of(self, token: int) -> int:
        """Return where a token ends; the end of the text for one beyond the last."""
        return self._ends[token] if token < len(self._ends) else len(self.text)

    def first_in(self, start: int) -> int:
        """Return the first token that ends after character `start`."""
        return bisect_right(self._ends, start)

    def after(self, end: int) -> int:
        """Return the first token that starts at character `end` or later."""
        return bisect_left(self._starts, end)

    def estimate(self, start: int, end: int) -> int:
        """Return how many of the document's tokens characters `start..end` touch.

        The slice's own count may differ a little, because a cut changes the tokens beside it.
        """
        return max(0, self.after(end) - self.first_in(start))

    def count(self, start: int, end: int) -> int:
        """Return the number of tokens of the slice `start..end` as a text of its own."""
        return self._tokenizer.count(self.text[start:end])

    def excess(self, start: int, end: int, size: int) -> int:
        """Return by how many tokens the slice, without the white space around it, exceeds `size`; or 0.

        Only slices near `size` are counted, others estimated: the cost stays in proportion to `size`.
        """
        estimate = self.estimate(start, end) - size
        if estimate > size + _MARGIN:
            return estimate
        if estimate < -_MARGIN:
            return 0
        return max(0, self.count(*trim(self.text, start, end)) - size)

    def fits(self, start: int, end: int, size: int) -> bool:
        """Return whether the slice, without the white space around it, counts at most `size` tokens."""
        return self.excess(start, end, size) == 0


def trim(text: str, start: int, end: int) -> Range:
    """Return the range without white space at its ends; an empty range when there is nothing else."""
    part = text[start:end]
    start = end - len(part.lstrip())
    return start, max(start, start + len(part.strip()))


def check_overlap(name: str, size_name: str, size: int, overlap: int) -> None:
    """Check that a size is at least 1 and its overlap from 0 to size - 1.

    Raises:
        SettingsError: when they are not, or do not go together.
    """
    if size < 1:
        raise SettingsError(f"{name}: {size_name} is {size}; expected a whole number of at least 1")
    if not 0 <= overlap < size:
        raise SettingsError(
            f"{name}: overlap is {overlap}; expected 0 to {size - 1}: it must be below {size_name} ({size})"
        )
