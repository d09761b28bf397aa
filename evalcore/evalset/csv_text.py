"""Questions in CSV as spreadsheets write it: every cell is text, an empty cell is an absent value.

`gold_snippets`: one passage, or a JSON list of passages and lists of alternatives. `tags`: separated by
`;`, or a JSON list.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator

from evalcore.errors import QuestionError
from evalcore.evalset.decoding import shown
from evalcore.evalset.records import FIELDS, Record, canonical, failure, unknown_field

_DELIMITERS = ",;\t"
_HEADER = re.compile(r"\s*([^\r\n]*)")
_LIST_FIELDS = ("gold_snippets", "tags")


def read_csv(name: str, text: str) -> list[Record]:
    """Read a header and one question a row; the header tells whether comma, semicolon or tab delimits.

    Raises:
        QuestionError: broken quotes, a column that is unknown or missing, a row longer than the header.
    """
    rows = _rows(name, text, _delimiter(text))
    first = next(rows, None)
    if first is None:
        return []
    columns = _columns(name, *first)
    return [_record(name, line, columns, cells) for line, cells in rows]


def _rows(name: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise failure(name, line, f"not valid CSV: {error}; check the quotes of this row") from None
        if any(cell.strip() for cell in cells):
            yield line, cells
        line = reader.line_num + 1


def _delimiter(text: str) -> str:
    header = _HEADER.match(text)
    line = header.group(1) if header else ""

    def fit(delimiter: str) -> int:
        cells = next(csv.reader([line], delimiter=delimiter), [])
        return sum(_column(cell) in FIELDS for cell in cells)

    return max(_DELIMITERS, key=fit)


def _column(cell: str) -> str:
    return canonical(cell.strip().lower())


def _columns(name: str, line: int, cells: list[str]) -> list[str]:
    columns = [_column(cell) for cell in cells]
    for cell, column in zip(cells, columns, strict=True):
        if column and column not in FIELDS:
            raise failure(name, line, unknown_field(cell, "column"))
        if column and columns.count(column) > 1:
            raise failure(name, line, f"column {column} appears twice; give it once")
    for needed in ("id", "query"):
        if needed not in columns:
            raise failure(name, line, f"no column {needed}; found {', '.join(map(shown, cells))}")
    return columns


def _record(name: str, line: int, columns: list[str], cells: list[str]) -> Record:
    if any(cell.strip() for cell in cells[len(columns) :]):
        problem = f"{len(cells)} cells under {len(columns)} columns; quote a cell that holds the delimiter"
        raise failure(name, line, problem)
    given = {c: cell for c, cell in zip(columns, cells, strict=False) if cell.strip()}
    if "" in given:
        raise failure(name, line, f"{shown(given[''])} stands in a column without a name; name or remove it")
    fields: dict[str, object] = dict(given)
    for column in _LIST_FIELDS:
        if column in given:
            fields[column] = _list_cell(name, line, column, given)
    return Record(line, fields)


def _list_cell(name: str, line: int, column: str, given: dict[str, str]) -> object:
    cell = given[column].strip()
    listed = _json_list(cell)
    if listed is not None:
        return listed
    if cell.startswith('["'):
        problem = f"{column} begins like a JSON list but is none: {shown(cell)}"
        raise failure(name, line, problem, given.get("id"))
    if column == "tags":
        return [tag.strip() for tag in cell.split(";") if tag.strip()]
    return [given[column]]


def _json_list(cell: str) -> list[object] | None:
    """Return the list a cell holds; None for a text that only begins with a bracket (`[12] says`)."""
    if not cell.startswith("["):
        return None
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    entries = [e for entry in value for e in (entry if isinstance(entry, list) else [entry])]
    return value if all(isinstance(entry, str) for entry in entries) else None


def write_csv(rows: Iterable[dict[str, object]]) -> str:
    """Return rows of question fields as CSV with CRLF line ends.

    Cells are the texts themselves: one that begins with `=`, `+`, `-` or `@` is not escaped, because it would
    not be read back as it was; a spreadsheet may take it for a formula.

    Raises:
        QuestionError: a cell above the 131,072 characters that CSV readers accept.
    """
    rows = [{key: _cell(key, value) for key, value in row.items()} for row in rows]
    out = io.StringIO(newline="")
    columns = [c for c in FIELDS if c in ("id", "query", "gold_snippets") or any(c in r for r in rows)]
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _cell(column: str, value: object) -> str:
    if isinstance(value, bool):
        text = str(value).lower()
    else:
        text = value if isinstance(value, str) else _written_list(column, value)
    if len(text) > csv.field_size_limit():
        raise QuestionError(f"{column} of {len(text):,} characters is too long for CSV; write JSONL instead")
    return text


def _written_list(column: str, value: object) -> str:
    entries = value if isinstance(value, list) else [value]
    if not entries:
        return ""
    only = entries[0]
    if column == "gold_snippets" and len(entries) == 1 and isinstance(only, str) and only.strip()[:1] != "[":
        return only
    simple = all(isinstance(e, str) and e == e.strip() and e and ";" not in e for e in entries)
    if column == "tags" and simple and not str(only).startswith("["):
        return "; ".join(map(str, entries))
    return json.dumps(entries, ensure_ascii=False)
