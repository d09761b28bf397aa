"""Question files: YAML, JSON, JSON Lines and CSV in, and out again without loss."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import Literal

from evalcore.errors import QuestionError
from evalcore.evalset import yaml_text
from evalcore.evalset.csv_text import read_csv, write_csv
from evalcore.evalset.decoding import DecodingError, decode, label, shown
from evalcore.evalset.items import EvalSet
from evalcore.evalset.json_text import read_json, read_jsonl
from evalcore.evalset.records import Record, failure, items_of, to_fields

QuestionFormat = Literal["yaml", "json", "jsonl", "csv"]
EXTENSIONS = (".yaml", ".yml", ".json", ".jsonl", ".csv")

_YAML_ID = re.compile(r"^[\s-]*id:[ \t]*(\S[^\r\n]*?)[ \t\r]*$", re.MULTILINE)


def read_questions(name: str, data: bytes, *, set_id: str | None = None) -> EvalSet:
    """Read a question file of at most 50 MB; its format is told by the name's extension.

    Every value is the text as written: `no`, `007`, `1.10`, `2024-01-05` and `NA` stay so. Only `reviewed` is
    true or false. In YAML and JSON a single text counts as a list of one; in CSV an empty or blank cell is an
    absent value. `set_id` defaults to the file's name without extension.

    Raises:
        QuestionError: one line with file, line, question, what was found and what was expected.
    """
    readers = {".json": read_json, ".jsonl": read_jsonl, ".csv": read_csv}
    extension = PurePath(name).suffix.lower()
    if extension not in EXTENSIONS:
        found = shown(extension) if extension else "none"
        raise QuestionError(f"{label(name)}: extension {found}; expected one of {', '.join(EXTENSIONS)}")
    try:
        text = decode(data)
    except DecodingError as error:
        raise QuestionError(f"{label(name)}: {error}") from None
    records = readers.get(extension, _read_yaml)(name, text)
    return EvalSet(PurePath(name).stem if set_id is None else set_id, items_of(name, records))


def write_questions(evalset: EvalSet, format: QuestionFormat) -> bytes:  # noqa: A002 - the word of the task
    """Return the questions as a UTF-8 file that `read_questions` reads back equal.

    Not written, because the format has no place for it: where a passage is to be found (its document,
    occurrence, grade). In CSV a blank answer comes back as none, and the file begins with a byte order mark,
    without which spreadsheets misread it.

    Raises:
        QuestionError: a cell too long for CSV.
    """
    rows = [to_fields(item) for item in evalset]
    if format == "csv":
        return write_csv(rows).encode("utf-8-sig")
    if format == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")
    document = {"questions": rows}
    if format == "yaml":
        return yaml_text.dump(document).encode("utf-8")
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _read_yaml(name: str, text: str) -> list[Record]:
    try:
        root = yaml_text.parse(text)
    except yaml_text.YamlError as error:
        raise failure(name, error.line, str(error), _id_above(text, error.line)) from None
    if isinstance(root, yaml_text.MapNode):
        root = _questions_of(name, root)
    if root is None:
        return []
    if not isinstance(root, yaml_text.ListNode):
        raise failure(name, root.line, "expected questions: and a list, or a list of questions")
    return [_record(name, node) for node in root.items]


def _questions_of(name: str, root: yaml_text.MapNode) -> yaml_text.Node | None:
    for key, line in root.lines.items():
        if key != "questions":
            raise failure(name, line, f"unknown key {shown(key)}; known: questions")
    node = root.values.get("questions")
    return None if isinstance(node, yaml_text.ScalarNode) and node.is_empty else node


def _record(name: str, node: yaml_text.Node) -> Record:
    if not isinstance(node, yaml_text.MapNode):
        raise failure(
            name, node.line, f"found {shown(yaml_text.texts(node))}; expected a question with id and query"
        )
    fields = {key: yaml_text.texts(value) for key, value in node.values.items()}
    return Record(node.line, fields, node.lines)


def _id_above(text: str, line: int) -> str | None:
    above = "\n".join(re.split(r"\r\n|\r|\n", text)[:line])
    ids = _YAML_ID.findall(above)
    return str(ids[-1]).strip("'\"") if ids else None
