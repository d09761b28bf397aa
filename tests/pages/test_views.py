"""Every view of the Results page in every state of a run, and what a reader can do there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.models import EvalReport
from evalcore.results import stored
from evalcore.results.prices import load_prices
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


def table(app: AppTest, alt: str) -> pd.DataFrame:
    """Return the rows of the table whose description has these words."""
    return next(found.value for found in app.main.dataframe if alt in found.proto.alt)


def board(app: AppTest) -> pd.DataFrame:
    """Return the leaderboard's rows."""
    return table(app, "Leaderboard")


def picked(app: AppTest, *rows: int) -> AppTest:
    """Select rows of the leaderboard."""
    found = next(found for found in app.main.dataframe if "Leaderboard" in found.proto.alt)
    key = found.proto.id.rpartition("-")[2]
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


def test_metric_cut_off_filter_and_view_are_read_from_the_address(
    workspace: Staged, filled: str, reports: Reports, results: dict[str, Results], open_page: Open
) -> None:
    workspace.stage(run(filled, RunStatus.FINISHED, grid=cells(12)))
    reports["run1"], results["run1"] = made.full(), viewed.results()
    address = {"metric": "nDCG", "k": "10", "only.index": "bm25", "view": "All pairs", "colour": "Reranker"}
    app = open_page("results", project=filled, **address)
    words = said(app)
    assert "scored best on ndcg@10" in words
    assert "4 of 8 shown" in words
    assert "6 pairs" in words
    assert app.selectbox(key="colour").value == "reranker"


def test_filters_hold_in_every_view(show: Open) -> None:
    app = show(viewed.results(), "All pairs")
    assert "28 pairs" in said(app)
    app = checked(app.multiselect(key="only.index").set_value(["bm25"]).run())
    assert "6 pairs" in said(app)
    app = turned(app, "Compare")
    assert all("bm25" in option for option in app.selectbox(key="left").options)
    app = turned(app, "Trade-offs")
    assert len(table(app, "configurations with Tokens")) == 4


def test_filters_may_leave_nothing(show: Open) -> None:
    app = show(viewed.results(cells=5), "Ranking")
    app.multiselect(key="only.index").set_value(["bm25"])
    app = checked(app.multiselect(key="only.reranker").set_value(["mmr"]).run())
    assert "No configuration fits these filters" in said(app)
    assert "across 5 configurations" in said(app), "the summary is of the whole run"


def test_more_than_two_picked_rows_are_the_matrix_of_pairs(show: Open) -> None:
    app = turned(picked(show(viewed.results(), "Ranking"), 0, 3, 5), "All pairs")
    assert "Drawn are the rows picked in Ranking" in said(app)
    assert len(table(app, "pairs with gap")) == 28, "the table has every pair"


def test_a_warning_leads_to_what_it_is_about(show: Open) -> None:
    shown = viewed.results()
    app = show(shown, "Warnings")
    links = {link.proto.label: link.proto.query_string for link in app.main.get("page_link")}
    assert any(label.startswith("Question") and "question=q1" in to for label, to in links.items())
    assert any(label.startswith("Document policy") and "document=policy" in to for label, to in links.items())
    assert any(label.startswith("Grid") for label in links)
    button = next(button for button in app.main.button if "in the ranking" in button.label)
    app = checked(button.click().run())
    assert app.session_state["view"] == "Ranking"
    assert app.session_state["views.picked"] == [shown.runs[0].label]


def test_the_questions_that_differ_are_links_to_them(show: Open) -> None:
    app = turned(picked(show(viewed.results(), "Ranking"), 0, 7), "Compare")
    links = [link.proto.query_string for link in app.main.get("page_link")]
    rows = table(app, "questions that differ")
    assert any(f"question={rows['id'][0]}" in link for link in links)
    assert list(rows["gap"]) == pytest.approx(list(rows["left"] - rows["right"]))
    assert all(f"question={i}" in address for i, address in zip(rows["id"], rows["open"], strict=True))


def test_an_interval_by_document_stands_beside_the_other_where_it_is_wider(show: Open) -> None:
    """Each document's questions all found or all missed: drawing 6 documents, not 30 questions."""
    shown = viewed.results(cells=2)
    first = shown.runs[0]
    whole = np.array([float(n // 5 % 2) for n in range(30)])
    cell = replace(first.cell, values={**first.cell.values, "recall@5": whole})
    app = show(replace(shown, runs=(replace(first, cell=cell), shown.runs[1])), "Ranking")
    drawn = np.random.default_rng(0).integers(0, 6, size=(2_000, 6))
    low, high = np.quantile(whole[::5][drawn].mean(axis=1), [0.025, 0.975])
    assert board(app).set_index("label")["document"][first.label] == f"[{low:.2f}–{high:.2f}]"
    app = turned(app, "Compare")
    assert any("by document" in chart.proto.alt for chart in app.main.get("vega_lite_chart"))
    assert "It is wider because several questions ask about one document" in said(app)


def test_a_price_is_chosen_and_kept_in_the_workspace(workspace: Staged, show: Open) -> None:
    shown = viewed.results()
    app = show(shown, "Ranking")
    tokens = {run.label: run.metric("tokens@5") for run in shown.runs}
    dear = board(app).set_index("label")["context"]
    assert dear[shown.runs[0].label] == pytest.approx(tokens[shown.runs[0].label] * 0.4 / 1000)
    app = checked(app.selectbox(key="prices.model.0").set_value("gpt-4o").run())
    assert load_prices(workspace.root).chosen == "gpt-4o"
    dear = board(app).set_index("label")["context"]
    assert dear[shown.runs[0].label] == pytest.approx(tokens[shown.runs[0].label] * 2.5 / 1000)
    app = checked(app.selectbox(key="prices.model.1").set_value("(no price)").run())
    assert load_prices(workspace.root).chosen is None


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
    assert list(board(show(equal, "Ranking"))["place"]) == ["1–3"] * 3
