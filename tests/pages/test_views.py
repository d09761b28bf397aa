"""Every view of the Results page in every state of a run, and what a reader can do there."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.models import EvalReport
from evalcore.results import stored
from evalcore.results.results import Results
from evalcore.workspace import RunStatus
from tests.pages import reports as made
from tests.pages import viewed
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import Staged, cells, run
from ui.views import VIEWS

Reports = dict[str, EvalReport]
OTHERS = ("The report's ranking", "Chunk health")
WORDS = {
    "Ranking": "Rows that share a range of places are tied",
    "Trade-offs": "Nothing beats a configuration on the frontier",
    "What mattered": "Two axes against each other",
    "Kinds of questions": "Hardest questions",
    "Compare": "Wins / losses / ties",
    "All pairs": "could be so by chance alone",
    "Quality": "Embedding quality",
    "Warnings": "Shared work: 106 of 132 lookups reused",
    "The report's ranking": "Recall with its interval",
    "Chunk health": "What each way of cutting makes of your documents",
}


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> dict[str, Results]:
    """The results by run id, to be filled by the test."""
    found: dict[str, Results] = {}
    monkeypatch.setattr(stored, "load_results", lambda workspace, run_id: found[run_id])
    return found


@pytest.fixture
def show(
    workspace: Staged, filled: str, reports: Reports, results: dict[str, Results], open_page: Open
) -> Open:
    """Open one view of a finished run with these results."""

    def opened(shown: Results, view: str = "Ranking", **changes: object) -> AppTest:
        status = changes.pop("status", RunStatus.FINISHED)
        state = run(filled, status, grid=cells(12))  # type: ignore[arg-type]
        workspace.stage(replace(state, **changes))  # type: ignore[arg-type]
        reports["run1"], results["run1"] = made.full(complete=not shown.partial), shown
        app = open_page("results", project=filled)
        return turned(app, view)

    return opened


def turned(app: AppTest, view: str) -> AppTest:
    """Open another view."""
    label = next(tab.label for tab in app.tabs if tab.label.startswith(view))
    app.session_state["view"] = label
    return checked(app.run())


def board(app: AppTest) -> pd.DataFrame:
    """The leaderboard's rows."""
    return next(table.value for table in app.main.dataframe if "Leaderboard" in table.proto.alt)


def picked(app: AppTest, *rows: int) -> AppTest:
    """Select rows of the leaderboard."""
    table = next(table for table in app.main.dataframe if "Leaderboard" in table.proto.alt)
    key = table.proto.id.rpartition("-")[2]
    app.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return checked(app.run())


@pytest.mark.parametrize("view", [*VIEWS, *OTHERS])
def test_every_view_of_a_finished_run(view: str, show: Open) -> None:
    app = show(viewed.results(), view)
    assert WORDS[view] in said(app)
    charts = app.main.get("vega_lite_chart") + app.main.get("arrow_vega_lite_chart")
    assert all(chart.proto.alt for chart in charts)
    assert all(table.proto.alt for table in app.main.dataframe)
    assert not [m for m in app.get("markdown") if m.proto.allow_html]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_one_configuration(view: str, show: Open) -> None:
    words = said(show(viewed.results(cells=1), view))
    if view in ("Compare", "All pairs", "What mattered"):
        assert "nothing to compare" in words or "no pairs" in words or "Nothing varies" in words
    assert "There is nothing to compare it with." in words


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_one_question(view: str, show: Open) -> None:
    words = said(show(viewed.results(questions=1), view))
    assert "scored on 1 question." in words
    assert "nan" not in words.casefold()


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_two_hundred_configurations(view: str, show: Open) -> None:
    app = show(viewed.results(cells=200, questions=12), view)
    assert "across 200 configurations" in said(app)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_a_partial_run_says_so(view: str, show: Open) -> None:
    words = said(show(viewed.results(partial=viewed.PARTIAL), view, status=RunStatus.CANCELLED))
    assert "The views cover only these" in words
    assert "it finished 4 of 12 configurations" in words


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "No results yet"),
        (RunStatus.RUNNING, "The run is not finished"),
        (RunStatus.FAILED, "This run has no results"),
    ],
)
def test_without_results_there_are_no_views(
    status: RunStatus | None, words: str, workspace: Staged, filled: str, open_page: Open
) -> None:
    if status is not None:
        workspace.stage(run(filled, status))
    app = open_page("results", project=filled)
    assert words in said(app)
    assert not app.tabs


def test_views_that_cannot_be_read_leave_the_report(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    workspace.stage(run(filled, RunStatus.FINISHED, grid=cells(12)))
    reports["run1"] = made.full()
    words = said(open_page("results", project=filled))
    assert "The views cannot be shown" in words
    assert "Recall with its interval" in words


def test_a_metric_is_chosen_once_for_all_views(show: Open) -> None:
    app = show(viewed.results(), "Ranking")
    app = checked(app.selectbox(key="metric").set_value("ndcg").run())
    assert "scored best on ndcg@5" in said(app)
    app = turned(app, "What mattered")
    assert "scored best on ndcg@5" in said(app)


def test_two_selected_rows_are_compared(show: Open) -> None:
    app = show(viewed.results(), "Ranking")
    assert "scored differently" not in said(app)
    app = picked(app, 0, 7)
    assert "scored differently" in said(app)
    names = list(board(app)["label"])
    app = turned(app, "Compare")
    assert [app.selectbox(key=side).value for side in ("left", "right")] == [names[0], names[7]]


def test_rows_are_filtered_by_a_value(show: Open) -> None:
    app = show(viewed.results(), "Ranking")
    before = len(board(app))
    app = checked(app.multiselect(key="only.index").set_value(["bm25"]).run())
    names = list(board(app)["name"])
    assert 0 < len(names) < before
    assert all("bm25" in name for name in names)


def test_tied_configurations_share_their_places(show: Open) -> None:
    same = viewed.results(cells=3)
    first = same.runs[0]
    equal = replace(same, runs=tuple(replace(run, cell=first.cell) for run in same.runs))
    table = board(show(equal, "Ranking"))
    assert list(table["place"]) == ["1–3"] * 3
