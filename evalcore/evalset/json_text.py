"""Questions in JSON and JSON Lines, with the line on which each begins."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from evalcore.evalset.decoding import shown
from evalcore.evalset.records import Record, failure

_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ID = re.compile(r'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')
_BEGIN = re.compile(r"\s*[{\[]")


class _RepeatedKeyError(ValueError):
    """A key appears twice in the object of question `question_id`, which is None where it is not known."""

    def __init__(self, key: str, question_id: object) -> None:
        super().__init__(key)
        self.question_id = question_id if isinstance(question_id, str) else None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1), found.get("id"))
    return found


# Numbers stay the digits that stand there, so that an id 007 or an answer 1.10 is not changed.
_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=str, parse_float=str, parse_constant=str)


def read_json(name: str, text: str) -> list[Record]:
    """Read `{"questions": [...]}` or a list of questions.

    Raises:
        QuestionError: not such JSON; names the line and, where it can be seen, the question.
    """
    return _Document(name, text).records()


def read_jsonl(name: str, text: str) -> list[Record]:
    """Read one question a line; blank lines are passed over.

    Raises:
        QuestionError: a line that is not one JSON object; names it.
    """
    records = []
    for number, line in enumerate(_LINE_END.split(text), 1):
        if line.strip():
            document = _Document(name, line, first_line=number)
            records.append(document.record(document.only_value(), 0))
    return records


class _Document:
    """Walks the outer brackets itself, because the library's decoder tells no positions."""

    def __init__(self, name: str, text: str, first_line: int = 1) -> None:
        self._name = name
        self._text = text
        self._first_line = first_line
        self._element = 0
        self._counted = (0, first_line)

    def records(self) -> list[Record]:
        start = self._skip(0)
        if self._text[start : start + 1] == "[":
            records, end = self._array(start)
        elif self._text[start : start + 1] == "{":
            records, end = self._object(start)
        else:
            self._fail(start, 'expected {"questions": [...]} or a list of questions')
        if (rest := self._skip(end)) < len(self._text):
            hint = "; name a file with one question a line .jsonl" if _BEGIN.match(self._text, rest) else ""
            self._fail(rest, f"more text after the end of the JSON value{hint}")
        return records

    def only_value(self) -> object:
        start = self._skip(0)
        value, end = self._value(start)
        if self._skip(end) < len(self._text):
            self._fail(end, "more text after the JSON object; expected one question a line")
        return value

    def record(self, value: object, start: int) -> Record:
        if not isinstance(value, dict):
            self._fail(start, f"found {shown(value)}; expected a question as {{...}}")
        return Record(self._line(start), value)

    def _object(self, start: int) -> tuple[list[Record], int]:
        records: list[Record] | None = None
        place = self._skip(start + 1)
        while self._text[place : place + 1] != "}":
            key, end = self._value(place)
            if key != "questions" or records is not None:
                word = "repeated" if key == "questions" else "unknown"
                self._fail(place, f"{word} key {shown(key)}; known: questions")
            place = self._expect(end, ":")
            if self._text[place : place + 1] != "[":
                self._fail(place, "questions is no list; expected [...]")
            records, end = self._array(place)
            place = self._separator(end, "}")
        if records is None:
            self._fail(start, "no key questions; known: questions")
        return records, place + 1

    def _array(self, start: int) -> tuple[list[Record], int]:
        records: list[Record] = []
        place = self._skip(start + 1)
        while self._text[place : place + 1] != "]":
            self._element = place
            value, end = self._value(place)
            records.append(self.record(value, place))
            place = self._separator(end, "]")
        return records, place + 1

    def _value(self, place: int) -> tuple[object, int]:
        try:
            return _DECODER.raw_decode(self._text, place)
        except json.JSONDecodeError as error:
            self._fail(error.pos, f"not valid JSON: {error.msg}")
        except _RepeatedKeyError as error:
            problem = f"key {shown(str(error))} appears twice in one object; give it once"
            raise failure(self._name, self._line(place), problem, error.question_id) from None
        except StopIteration as error:
            self._fail(int(error.value), "not valid JSON: expected a value")
        except RecursionError:
            self._fail(place, "nested too deeply; expected a list of questions")

    def _separator(self, end: int, close: str) -> int:
        place = self._skip(end)
        if self._text[place : place + 1] == close:
            return place
        place = self._expect(place, ",")
        if self._text[place : place + 1] == close:
            self._fail(place, f"not valid JSON: a comma before {close}")
        return place

    def _expect(self, place: int, mark: str) -> int:
        place = self._skip(place)
        if self._text[place : place + 1] != mark:
            self._fail(place, f"not valid JSON: expected {mark!r}")
        return self._skip(place + 1)

    def _skip(self, place: int) -> int:
        match = _SPACE.match(self._text, place)
        return match.end() if match else place

    def _line(self, place: int) -> int:
        start, line = self._counted
        if place < start:
            start, line = 0, self._first_line
        line += len(_LINE_END.findall(self._text, start, place))
        self._counted = (place, line)
        return line

    def _fail(self, place: int, problem: str) -> NoReturn:
        match = _ID.search(self._text, self._element, place)
        raise failure(self._name, self._line(place), problem, match.group(1) if match else None)
