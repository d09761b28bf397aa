"""A place in a document's text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of characters `start..end` of the text of document `doc_id`.

    Raises:
        ValueError: when the range is negative or ends before it starts.
    """

    doc_id: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}..{self.end} of {self.doc_id!r} is not a range")

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def id(self) -> str:
        """`DOC:START-END`, the same in every run."""
        return f"{self.doc_id}:{self.start}-{self.end}"

    def overlap(self, other: Span) -> int:
        """Return how many characters both cover; 0 in different documents."""
        if self.doc_id != other.doc_id:
            return 0
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def contains(self, other: Span) -> bool:
        """Return whether `other` lies wholly inside."""
        return self.doc_id == other.doc_id and self.start <= other.start and other.end <= self.end
