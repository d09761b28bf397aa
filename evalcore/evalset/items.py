"""Questions and the passages that answer them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalcore.errors import QuestionError
from evalcore.models import Question


@dataclass(frozen=True, slots=True)
class GoldAnchor:
    """A passage quoted from a document; it survives any chunker and any parser.

    `source_id` None means any document; `occurrence` (0-based) picks one of several places in it; `grade`
    is the gain of a chunk that holds it.
    """

    source_id: str | None
    quote: str
    occurrence: int = 0
    grade: int = 1


Slot = tuple[GoldAnchor, ...]


@dataclass(frozen=True, slots=True, init=False)
class EvalItem:
    """One question. `slots` must each be filled; the anchors of one slot are interchangeable.

    `anchors=(a, b)` gives two slots of one passage each; an entry may itself be a tuple of alternatives.
    """

    id: str
    question: str
    slots: tuple[Slot, ...]
    qtype: str | None
    tags: tuple[str, ...]
    answer: str | None
    reviewed: bool

    def __init__(
        self,
        id: str,  # noqa: A002 - the name the published page uses
        question: str,
        anchors: Iterable[GoldAnchor | Slot] = (),
        qtype: str | None = None,
        tags: Iterable[str] = (),
        answer: str | None = None,
        reviewed: bool = True,
    ) -> None:
        slots = tuple(a if isinstance(a, tuple) else (a,) for a in anchors)
        tags = tuple(tags)
        values = {
            "id": id,
            "question": question,
            "slots": slots,
            "qtype": qtype if qtype is not None else (tags[0] if tags else None),
            "tags": tags,
            "answer": answer,
            "reviewed": reviewed,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def is_scored(self) -> bool:
        """Whether there is a gold passage to look for."""
        return bool(self.slots)

    @classmethod
    def from_contract(cls, question: Question) -> EvalItem:
        """Read a question of the report contract."""
        slots = [
            tuple(GoldAnchor(None, quote) for quote in ([slot] if isinstance(slot, str) else slot))
            for slot in question.gold_snippets
        ]
        return cls(
            id=question.id,
            question=question.query,
            anchors=slots,
            tags=question.tags,
            answer=question.gold_answer,
            reviewed=question.reviewed,
        )

    def to_contract(self) -> Question:
        """Write a question of the report contract; where a quote is to be found is not part of it."""
        snippets: list[str | list[str]] = [
            slot[0].quote if len(slot) == 1 else [a.quote for a in slot] for slot in self.slots
        ]
        return Question(
            id=self.id,
            query=self.question,
            gold_snippets=snippets,
            gold_answer=self.answer,
            tags=list(self.tags),
            reviewed=self.reviewed,
        )


@dataclass(frozen=True, slots=True)
class EvalSet:
    """Questions in the order of their file, each id once.

    Raises:
        QuestionError: when two questions share an id.
    """

    id: str
    items: tuple[EvalItem, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for item in self.items:
            if item.id in seen:
                raise QuestionError(f"question id {item.id!r} appears twice; give each question its own id")
            seen.add(item.id)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[EvalItem]:
        return iter(self.items)

    @property
    def scored(self) -> tuple[EvalItem, ...]:
        """The questions with at least one gold passage."""
        return tuple(item for item in self.items if item.is_scored)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the canonical JSON of each scored question, sorted by id, each NUL-terminated."""
        digest = hashlib.sha256()
        for item in sorted(self.scored, key=lambda i: i.id):
            digest.update(item.to_contract().model_dump_json().encode("utf-8"))
            digest.update(b"\x00")
        return digest.hexdigest()
