"""The command line: 0 and a report, or 2 and one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.models import EvalReport

DOCUMENT = (
    "# Warranty\n\nThe warranty lasts 24 months from delivery.\n\n# Returns\n\nGoods go back in 30 days.\n"
)
QUESTIONS = """questions:
- id: q1
  query: How long is the warranty?
  gold_snippets: [The warranty lasts 24 months]
"""
SETTINGS = """embedding: {model: hash}
strategies:
- {name: fixed, params: {chunk_size: 16, overlap: 4}}
- {name: structure}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "terms.md").write_text(DOCUMENT)
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    (tmp_path / "settings.yaml").write_text(SETTINGS)
    return tmp_path


def run(folder: Path, *more: str) -> int:
    arguments = [
        "--docs",
        "docs",
        "--questions",
        "questions.yaml",
        "--config",
        "settings.yaml",
        "--out",
        "out",
    ]
    return main(["run", *(str(folder / a) if not a.startswith("--") else a for a in arguments), *more])


def said(capsys: pytest.CaptureFixture[str]) -> str:
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("evalgrid: ")]
    assert len(lines) == 1, lines
    return lines[0]


def test_a_run_writes_a_report_and_says_the_verdict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--compare-retrievers") == 0
    report = EvalReport.model_validate_json((folder / "out" / "report.json").read_bytes())
    assert {(r.strategy, r.retriever) for r in report.strategy_results} == {
        (s, r) for s in ("fixed", "structure") for r in ("dense", "bm25", "hybrid")
    }
    out = capsys.readouterr().out
    assert report.recommendation in out
    assert not (folder / "out" / "report.json.part").exists()


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("settings.yaml", "strategies: [{name: magic}]", "unknown chunker 'magic'; known: fixed"),
        ("settings.yaml", "strategies: [{name: fixed, params: {size: 8, overlap: 8}}]", "overlap"),
        ("settings.yaml", "strategies: [{name: fixed, params: {sise: 8}}]", "unknown parameter 'sise'"),
        ("settings.yaml", "retreival: {top_k: 5}", "retreival"),
        ("questions.yaml", "questions: [{id: q1, query: What?}]", "no question has a gold passage"),
        ("questions.yaml", QUESTIONS.replace("24 months", "36 months"), "q1"),
        ("questions.yaml", QUESTIONS + QUESTIONS.split("\n", 1)[1], "q1"),
        ("docs/terms.md", "  \n", "no document has readable text"),
    ],
)
def test_bad_input_ends_with_two_and_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, content: str, words: str
) -> None:
    (folder / file).write_text(content)
    assert run(folder) == 2
    assert words in said(capsys)
    assert not (folder / "out" / "report.json").exists()


def test_a_missing_file_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "questions.yaml").unlink()
    assert run(folder) == 2
    assert "questions.yaml: cannot be read" in said(capsys)


def test_a_question_set_with_errors_is_scored_when_told_to(folder: Path) -> None:
    (folder / "questions.yaml").write_text(QUESTIONS.replace("24 months", "36 months"))
    assert run(folder, "--skip-validation") == 0
    report = EvalReport.model_validate_json((folder / "out" / "report.json").read_bytes())
    assert report.strategy_results[0].recall_at_k == 0.0


def test_a_budget_ends_the_run_early_and_everything_says_that_it_is_partial(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "--budget", "1e-9") == 0
    report = EvalReport.model_validate_json((folder / "out" / "report.json").read_bytes())
    assert [row.strategy for row in report.strategy_results] == ["fixed"]
    assert not report.complete
    words = "This run is partial: it finished 1 of 2 configurations (time budget 1e-09 s)."
    assert report.warnings[0] == words
    assert report.recommendation.startswith(f"{words} The verdict covers only these")
    shown = capsys.readouterr()
    assert f"warning: {words}" in shown.err
    assert words in shown.out


def test_a_budget_that_is_long_enough_changes_nothing(folder: Path) -> None:
    assert run(folder, "--budget", "600") == 0
    report = EvalReport.model_validate_json((folder / "out" / "report.json").read_bytes())
    assert report.complete
    assert len(report.strategy_results) == 2
    assert "partial" not in report.recommendation


def test_a_budget_must_be_more_than_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--budget", "-5") == 2
    assert said(capsys) == "evalgrid: --budget: budget_seconds is -5.0; expected more than 0.0"
