"""Reports of stored runs: the summary says the same as the report, without its details."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from evalcore.errors import WorkspaceError
from evalcore.report.build import build_report
from evalcore.report.grade import Grade
from evalcore.report.stored import load_judged, load_report, load_summary, report_bytes
from evalcore.report.table import leaderboard_csv
from evalcore.results.prices import ModelPrice
from evalcore.workspace import Workspace


@pytest.fixture
def example(tmp_path: Path) -> tuple[Workspace, str]:
    workspace = Workspace(tmp_path / "home")
    return workspace, workspace.load_example()[1]


def test_the_summary_is_the_report_without_questions(example: tuple[Workspace, str]) -> None:
    workspace, run_id = example
    report, summary = load_report(workspace, run_id), load_summary(workspace, run_id)
    assert all(row.per_question == [] for row in summary.strategy_results)
    assert all(len(row.per_question) == 138 for row in report.strategy_results)
    bare = [row.model_copy(update={"per_question": []}) for row in report.strategy_results]
    assert report.model_copy(update={"strategy_results": bare}) == summary
    assert load_summary(workspace, run_id) == summary, "read back from the run's folder"


def test_a_damaged_summary_is_made_again(example: tuple[Workspace, str]) -> None:
    workspace, run_id = example
    summary = load_summary(workspace, run_id)
    (workspace.run_folder(run_id) / "summary.json").write_bytes(b'{"stamp": "x"')
    assert load_summary(workspace, run_id) == summary


def test_report_json_comes_back_as_bytes_of_the_same_report(example: tuple[Workspace, str]) -> None:
    workspace, run_id = example
    ended = load_report(workspace, run_id).generated_at
    again = build_report(workspace.record(run_id)).model_copy(update={"generated_at": ended})
    assert report_bytes(workspace, run_id) == again.model_dump_json().encode()


def test_a_run_that_is_not_there_is_said(example: tuple[Workspace, str]) -> None:
    with pytest.raises(WorkspaceError, match="there is no run 'nothing'"):
        load_summary(example[0], "nothing")


def test_the_table_as_csv_has_a_line_per_row_and_runs_no_formula(example: tuple[Workspace, str]) -> None:
    workspace, run_id = example
    summary = load_summary(workspace, run_id)
    evil = summary.strategy_results[0].model_copy(
        update={"strategy": "=HYPERLINK(1)", "balanced_score": -0.5}
    )
    changed = summary.model_copy(update={"strategy_results": [evil, *summary.strategy_results[1:]]})
    lines = leaderboard_csv(changed).splitlines()
    assert len(lines) == 16
    assert lines[0].startswith("rank,strategy,retriever,recall@5,ci95_low,ci95_high,balanced_score")
    assert lines[1].startswith("1,'=HYPERLINK(1),bm25,")
    assert ",-0.5," in lines[1], "a negative number stays a number"


def test_the_csv_tells_the_price_of_context_and_whose_price_it_is(example: tuple[Workspace, str]) -> None:
    """Tokens of 1,000 questions × dollars per million tokens, as the columns beside it say."""
    report = load_summary(*example)
    rows = list(
        csv.DictReader(leaderboard_csv(report, ModelPrice("=ours", 5.0, date(2026, 1, 2))).splitlines())
    )
    assert len(rows) == 15
    for row in rows:
        assert float(row["context_usd_per_1k"]) == pytest.approx(float(row["tokens@5"]) * 1000 * 5.0 / 1e6)
        assert (row["price_model"], row["price_as_of"]) == ("'=ours", "2026-01-02")
        assert float(row["usd_per_million_input_tokens"]) == 5.0


def test_the_csv_of_a_partial_run_says_so_in_every_line(example: tuple[Workspace, str]) -> None:
    report = load_summary(*example)
    assert "complete" not in leaderboard_csv(report).splitlines()[0]
    lines = leaderboard_csv(report.model_copy(update={"complete": False})).splitlines()
    assert lines[0].endswith(",questions,complete")
    assert all(line.endswith(",false") for line in lines[1:])


def test_the_grades_are_kept_with_the_summary(example: tuple[Workspace, str]) -> None:
    """On the example nobody is best in 0.90 of resamples, so both verdicts are open."""
    workspace, run_id = example
    made = load_judged(workspace, run_id)
    assert made.grades == {"chunking": Grade.OPEN, "retrieval": Grade.OPEN}
    assert load_judged(workspace, run_id) == made, "read back from the run's folder"


def test_a_report_that_was_opened_has_no_grades(example: tuple[Workspace, str]) -> None:
    workspace, run_id = example
    opened = workspace.open_report(report_bytes(workspace, run_id), "other.json")
    assert load_judged(workspace, opened).grades == {}
