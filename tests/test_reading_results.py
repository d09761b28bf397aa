"""The published page "Reading Results": its code runs as it stands and prints what the page says."""

from __future__ import annotations

import ast
import io
import re
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PAGE = "seeds/reading-results.txt"
IMPORT = "import contextgrid as cg"
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?%?")
LABEL = re.compile(r"markdown · [\w:]+(?: · \w+)+(?:@\d+)?")
LATENCY = "p95_ms"
SAID_LATENCY = re.compile(r"(?:under )?[\d,]+ ms p95")
BLOCKS = 13
# What the page states in its sentences besides numbers and labels, by the block that prints them.
FACTS = {
    "verdict = results.is_the_winner_real()": ("not distinguishable", "identical", "every single question"),
    "sig = results.significance(": (
        "not distinguishable",
        "lower bound",
        "order of magnitude",
        "unpaired",
        "power",
    ),
    "print(results.summary())": (
        "scored best on recall@5",
        "8 configurations",
        "13 questions",
        "no cost",
        "some ms p95",
    ),
}


@dataclass
class Block:
    """A piece of code of the page and the paragraph that it prints, "" for none."""

    code: str
    printed: str
    said: str = ""
    names: dict[str, Any] = field(default_factory=dict)


def blocks_of(page: str) -> list[Block]:
    """Split the page: paragraphs that parse and do something are code, the one behind them its output."""
    paragraphs = page.split("\n\n")
    found: list[Block] = []
    position = 0
    while position < len(paragraphs):
        taken = _code_at(paragraphs, position)
        if not taken:
            position += 1
            continue
        code = "\n\n".join(paragraphs[position : position + taken])
        position += taken
        printed = paragraphs[position] if "print(" in code else ""
        found.append(Block(code, printed))
    return found


def _code_at(paragraphs: list[str], start: int) -> int:
    """Return how many paragraphs from `start` on are one stretch of code, the longest that parses."""
    if not _begins_code(paragraphs[start]):
        return 0
    for count in range(12, 0, -1):
        stretch = "\n\n".join(paragraphs[start : start + count])
        if start + count <= len(paragraphs) and _is_code(stretch):
            return count
    return 0


def _begins_code(paragraph: str) -> bool:
    return re.match(r"(import |[a-z_]+ = |for |print\()", paragraph) is not None


def _is_code(text: str) -> bool:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    kinds = (ast.Import, ast.Assign, ast.For, ast.Expr)
    return all(isinstance(node, kinds) and not _is_bare_value(node) for node in tree.body)


def _is_bare_value(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call)


@pytest.fixture(scope="module")
def ran(shared: Path) -> list[Block]:
    """The page's blocks, run in order in one namespace, with what each printed."""
    blocks = blocks_of((shared / PAGE).read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for block in blocks:
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(block.code.replace(IMPORT, "import evalcore as cg"), PAGE, "exec"), names)
        block.said = out.getvalue().rstrip("\n")
        block.names = names
    blocks[0].said = str(names["results"].cache_summary)
    return blocks


@pytest.mark.shared
def test_all_code_of_the_page_was_found(ran: list[Block], shared: Path) -> None:
    page = (shared / PAGE).read_text(encoding="utf-8")
    assert len(ran) == BLOCKS
    assert IMPORT in ran[0].code
    assert sum(block.code.count("print(") for block in ran) == page.count("print(")


@pytest.mark.shared
def test_every_printed_line_that_is_data_is_the_pages(ran: list[Block]) -> None:
    checked = 0
    for block in ran[1:]:
        if any(block.code.startswith(prose) for prose in FACTS):
            continue
        assert data_of(block.said) == data_of(block.printed)
        checked += len(block.printed.splitlines())
    assert checked == 29


def data_of(text: str) -> list[Any]:
    return [without_latency(line) for line in text.splitlines()]


def without_latency(line: str) -> Any:
    """Read a printed line; of a latency, which differs from run to run, only that it is a positive number."""
    try:
        value = ast.literal_eval(line)
    except (SyntaxError, ValueError):
        return line
    if isinstance(value, dict) and LATENCY in value:
        value = {**value, LATENCY: value[LATENCY] > 0}
        return list(value.items())
    return list(value.items()) if isinstance(value, dict) else value


@pytest.mark.shared
@pytest.mark.parametrize("begins", list(FACTS))
def test_every_sentence_holds_the_pages_numbers_labels_and_facts(begins: str, ran: list[Block]) -> None:
    (block,) = [block for block in ran if block.code.startswith(begins)]
    ours, theirs = (
        SAID_LATENCY.sub("some ms p95", " ".join(text.split())) for text in (block.said, block.printed)
    )
    assert set(LABEL.findall(theirs)) == set(LABEL.findall(ours))
    assert set(NUMBER.findall(theirs)) <= set(NUMBER.findall(ours))
    for fact in FACTS[begins]:
        assert fact in ours, f"{fact!r} is not said in: {ours}"


@pytest.mark.shared
def test_the_cache_summary_is_the_pages(ran: list[Block]) -> None:
    assert ran[0].said == "106 of 132 lookups reused (80%), chunk 48/64, embed 2/4, parse 56/64"


@pytest.mark.shared
def test_warnings_are_data(ran: list[Block]) -> None:
    warnings = ran[0].names["results"].warnings
    assert [(w.code, w.severity, w.stage, w.subject) for w in warnings] == [
        ("few_questions", "warning", "score", "")
    ]
    assert "13 questions" in warnings[0].message


@pytest.mark.shared
def test_a_wrong_number_would_be_noticed(ran: list[Block]) -> None:
    (block,) = [block for block in ran if block.code.startswith("print(results.axis_effect")]
    assert data_of(block.said) == data_of(block.printed)
    assert data_of(block.said.replace("0.7692307692307692", "0.7692307692307693")) != data_of(block.printed)
    assert data_of(block.said.replace("chunker", "x").replace("recursive:16", "recursive:17")) != data_of(
        block.printed
    )
