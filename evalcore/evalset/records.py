"""One question as any file format gives it, and its way to and from an EvalItem."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from evalcore.errors import QuestionError
from evalcore.evalset.decoding import label, shown
from evalcore.evalset.items import EvalItem, GoldAnchor, Slot

FIELDS = ("id", "query", "gold_snippets", "gold_answer", "tags", "reviewed", "type")
ALIASES = {"question": "query", "gold": "gold_snippets"}

_SURROGATE = re.compile("[\ud800-\udfff]")
_REVIEWED = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of one question: texts, None, booleans, lists and dicts. `line` counts from 1.

    `lines` holds the line of each field where the format tells it.
    """

    line: int
    fields: Mapping[str, object]
    lines: Mapping[str, int] = field(default_factory=dict)


def failure(name: str, line: int, problem: str, question_id: str | None = None) -> QuestionError:
    """Return the error of one line: file, line, question if known, problem."""
    question = f"question {shown(question_id)}: " if question_id is not None else ""
    return QuestionError(f"{label(name)}: line {line}: {question}{problem}")


def canonical(name: str) -> str:
    """Return the contract's name of a field (`question` → `query`)."""
    return ALIASES.get(name, name)


def unknown_field(found: str, what: str = "field") -> str:
    """Say that `found` is no field of a question and list those that are."""
    return f"unknown {what} {shown(found)}; known: {', '.join(FIELDS)}"


def items_of(name: str, records: list[Record]) -> tuple[EvalItem, ...]:
    """Return the questions of a file, in order.

    Raises:
        QuestionError: a wrong field, an id that appears twice, or no question at all.
    """
    if not records:
        raise QuestionError(f"{label(name)}: holds no questions; expected at least one with id and query")
    lines: dict[str, int] = {}
    items = []
    for record in records:
        item = _Reader(name, record).item()
        if item.id in lines:
            problem = f"this id is on line {lines[item.id]} already; give each question its own id"
            raise failure(name, record.lines.get("id", record.line), problem, item.id)
        lines[item.id] = record.lines.get("id", record.line)
        items.append(item)
    return tuple(items)


class _Reader:
    """Turns one record into a question; every complaint names file, line and question."""

    def __init__(self, name: str, record: Record) -> None:
        self._name = name
        self._record = record
        self._id: str | None = None
        self._fields: dict[str, object] = {}
        self._lines: dict[str, int] = {}

    def item(self) -> EvalItem:
        given = self._record.fields.get("id")
        self._id = given if isinstance(given, str) and given.strip() else None
        self._gather()
        if self._text("id") is None:
            raise self._fail("id", f"has no id; {_found(self._fields.get('id'))}expected a text of its own")
        query = self._text("query")
        if query is None or not query.strip():
            raise self._fail("query", "query is empty; expected the question's text")
        return EvalItem(
            id=self._text("id") or "",
            question=query,
            anchors=self._slots(),
            qtype=self._text("type") or None,
            tags=self._tags(),
            answer=self._text("gold_answer"),
            reviewed=self._reviewed(),
        )

    def _gather(self) -> None:
        for key, value in self._record.fields.items():
            known = canonical(key)
            if known not in FIELDS:
                raise self._fail(key, unknown_field(key))
            if known in self._fields:
                raise self._fail(key, f"{known} is given twice, once as {key}; give it once")
            self._fields[known] = value
            self._lines[known] = self._record.lines.get(key, self._record.line)

    def _fail(self, key: str, problem: str) -> QuestionError:
        line = self._lines.get(key, self._record.lines.get(key, self._record.line))
        return failure(self._name, line, problem, self._id)

    def _text(self, key: str) -> str | None:
        value = self._fields.get(key)
        text = None if value is None else self._as_text(value, key, key)
        return None if key == "id" and not (text or "").strip() else text

    def _as_text(self, value: object, key: str, where: str) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str):
            raise self._fail(
                key, f"{where} is {_kind(value)}; expected a text (quote it if it holds a colon)"
            )
        if half := _SURROGATE.search(value):
            raise self._fail(
                key, f"{where} holds half a character ({shown(half.group())}); expected whole ones"
            )
        return value

    def _list(self, key: str) -> list[object]:
        value = self._fields.get(key)
        if value is None:
            return []
        return value if isinstance(value, list) else [value]

    def _slots(self) -> list[Slot]:
        found: list[Slot] = []
        for number, entry in enumerate(self._list("gold_snippets"), 1):
            where = f"gold_snippets entry {number}"
            passages = entry if isinstance(entry, list) else [entry]
            if not passages:
                raise self._fail("gold_snippets", f"{where} is an empty list; expected alternatives")
            found.append(tuple(GoldAnchor(None, self._passage(p, where)) for p in passages))
        return found

    def _passage(self, value: object, where: str) -> str:
        text = "" if value is None else self._as_text(value, "gold_snippets", where)
        if not text.strip():
            raise self._fail("gold_snippets", f"{where} is empty; expected a passage quoted from a document")
        return text

    def _tags(self) -> list[str]:
        tags = [
            "" if value is None else self._as_text(value, "tags", f"tags entry {number}")
            for number, value in enumerate(self._list("tags"), 1)
        ]
        if not all(tag.strip() for tag in tags):
            raise self._fail("tags", "a tag is empty; expected a text")
        return tags

    def _reviewed(self) -> bool:
        value = self._fields.get("reviewed")
        if value is None or isinstance(value, bool):
            return value is not False
        text = self._as_text(value, "reviewed", "reviewed").strip().lower()
        if text not in _REVIEWED:
            raise self._fail("reviewed", f"reviewed is {shown(value)}; expected true or false")
        return _REVIEWED[text]


def _found(value: object) -> str:
    return "" if value is None else f"found {shown(value)}; "


def _kind(value: object) -> str:
    if value is None:
        return "empty"
    return "a list" if isinstance(value, list) else "a mapping"


def to_fields(item: EvalItem) -> dict[str, object]:
    """Return the fields that a file holds: id, query, gold_snippets, and what is not the default."""
    contract = item.to_contract()
    fields: dict[str, object] = {
        "id": contract.id,
        "query": contract.query,
        "gold_snippets": contract.gold_snippets,
    }
    if contract.gold_answer is not None:
        fields["gold_answer"] = contract.gold_answer
    if contract.tags:
        fields["tags"] = contract.tags
    if not contract.reviewed:
        fields["reviewed"] = False
    if item.qtype != (item.tags[0] if item.tags else None):
        fields["type"] = item.qtype
    return fields
