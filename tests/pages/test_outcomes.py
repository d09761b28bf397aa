"""Home, Run, Results and Report in every state that a run can have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evalcore.models import EvalReport
from evalcore.report import stored
from evalcore.report.grade import Grade
from evalcore.workspace import RunStatus
from evalcore.workspace.exchange import REPORTS_ID
from tests.pages import reports as made
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import Staged, cells, run, stages

Reports = dict[str, EvalReport]


def test_a_live_run_tells_stages_rate_and_time_left(workspace: Staged, filled: str, open_page: Open) -> None:
    live = run(filled, RunStatus.RUNNING, grid=cells(3, running=1), seconds_left=22.0)
    workspace.stage(live)
    words = said(open_page("run", project=filled))
    for phrase in (
        "Running",
        "3 of 12 configurations",
        "about 22 s left",
        "812 of 1,320 texts · 23/s",
        "provisional",
    ):
        assert phrase in words


def test_a_waiting_run_tells_its_place(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(run(filled, RunStatus.QUEUED, position=3, started=None, stages=()))
    assert "Waiting behind 2 other runs" in said(open_page("run", project=filled))


def test_cancel_asks_the_workspace_once(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(run(filled, RunStatus.RUNNING, grid=cells(3, running=1)))
    app = open_page("run", project=filled)
    app = checked(app.get_by_key("run.cancel").click().run())
    assert workspace.asked == [("cancel", "run1")]
    assert "Cancelled" in said(app)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RunStatus.CANCELLED, "Stopped as you asked"),
        (RunStatus.INTERRUPTED, "The worker stopped before the end"),
    ],
)
def test_a_run_that_stopped_early_offers_to_resume_and_its_part(
    status: RunStatus, words: str, workspace: Staged, filled: str, open_page: Open
) -> None:
    workspace.stage(run(filled, status, grid=cells(7)))
    app = open_page("run", project=filled)
    assert words in said(app)
    assert app.get_by_key("run.results").label == "See partial results"
    checked(app.get_by_key("run.resume").click().run())
    assert workspace.asked == [("resume", "run1")]


def test_a_run_that_used_up_its_budget_says_so_and_offers_to_resume(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    told = "stopped at its time budget of 60 s; 7 of 12 configurations"
    workspace.stage(run(filled, RunStatus.FINISHED, grid=cells(7), reason=told))
    reports["run1"] = made.full().model_copy(update={"complete": False})
    app = open_page("run", project=filled)
    words = said(app)
    assert f"S{told[1:]} done and kept; Resume goes on from there" in words
    assert "Stopped at its budget" in words
    assert app.get_by_key("run.results").label == "See partial results"
    assert app.get_by_key("run.resume").label == "Resume"
    checked(app.get_by_key("run.resume").click().run())
    assert workspace.asked == [("resume", "run1")]


def test_home_says_of_which_run_a_verdict_is_partial(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    told = "stopped at its time budget of 60 s; 7 of 12 configurations"
    workspace.stage(run(filled, RunStatus.FINISHED, grid=cells(7), reason=told))
    reports["run1"] = made.full().model_copy(update={"complete": False})
    words = said(open_page("home", project=filled))
    assert "Last verdict of a partial run" in words
    assert "Stopped at its budget" in words
    assert "Partial" in words


def test_a_failed_run_says_why_as_text(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(
        run(filled, RunStatus.FAILED, stages=(), reason="model <b>x</b> $1$ is not on this machine")
    )
    app = open_page("run", project=filled)
    assert "model <b>x</b> $1$ is not on this machine" in [text.value for text in app.main.text]
    assert app.get_by_key("run.resume") is not None


def test_failed_configurations_open_to_their_reason(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(run(filled, RunStatus.FINISHED, grid=cells(10, failed=2), stages=stages(1_320)))
    app = open_page("run", project=filled)
    assert "Finished with 2 failures in 2 min" in said(app)
    assert [t.value for t in app.main.text].count("vectors of <b>3</b> chunks hold NaN") == 2
    assert app.get_by_key("run.results").proto.type == "primary"


def test_starting_leads_to_the_run_and_a_second_click_to_the_same(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    app = open_page("grid", project=filled)
    app = checked(app.get_by_key("grid.start").click().run())
    assert app.title[0].value == "Run"
    app = open_page("grid", project=filled)
    app = checked(app.get_by_key("grid.watch").click().run())
    assert app.title[0].value == "Run"
    assert workspace.asked == [("start", filled)]


def finished(
    workspace: Staged, project: str, reports: Reports, report: EvalReport, **changes: object
) -> None:
    state = run(project, RunStatus.FINISHED, grid=cells(12))
    workspace.stage(replace(state, **changes))  # type: ignore[arg-type]
    reports["run1"] = report


def test_an_open_verdict_says_so_and_what_would_settle_it(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full())
    words = said(open_page("results", project=filled))
    for phrase in (
        "No single winner; recursive leads",
        "0.61 of resamples over 75 scored questions",
        "Use hybrid",
        "About 230 scored questions",
        "Still in play",
        "Ruled out",
    ):
        assert phrase in words


def test_the_ranked_table_marks_the_winner_and_the_ruled_out(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full(decided=True))
    table = open_page("results", project=filled).main.dataframe[0].value
    marks = dict(zip(table["name"], table["marks"], strict=True))
    assert list(marks["recursive · hybrid"]) == ["winner"]
    assert list(marks["semantic · hybrid"]) == ["ruled out"]
    assert list(marks["recursive · bm25"]) == ["ruled out"]
    assert list(marks["fixed · dense"]) == []
    assert table["recall"][0] == "0.86 [0.77–0.93]"


def test_charts_and_tables_have_words_for_those_who_cannot_see_them(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full())
    app = open_page("results", project=filled)
    charts = app.main.get("vega_lite_chart") + app.main.get("arrow_vega_lite_chart")
    assert len(charts) == 2 + 1 + 4
    assert all(chart.proto.alt for chart in charts)
    assert all(table.proto.alt for table in app.main.dataframe)


@pytest.mark.parametrize("status", [RunStatus.CANCELLED, RunStatus.INTERRUPTED])
def test_partial_results_say_so(
    status: RunStatus, workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    workspace.stage(run(filled, status, grid=cells(7, failed=1)))
    reports["run1"] = made.full(complete=False)
    app = open_page("results", project=filled)
    assert "7 of 12 configurations are finished" in app.main.warning[0].value
    assert "1 configuration failed" in said(app)
    assert "vectors hold NaN" in said(app)


def test_one_configuration_is_shown_without_a_contest(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.one_cell(), cells=cells(1)[:1])
    words = said(open_page("results", project=filled))
    assert "Only fixed was tried" in words
    assert "Chance of being best" not in words


def test_a_report_of_another_program_is_shown_with_its_markup_as_text(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, REPORTS_ID, reports, made.foreign(), kind="report", cells=(), stages=())
    app = open_page("results", project=filled, run="run1")
    texts = [text.value for text in app.main.text]
    assert "Use <b>this</b> for $5 and :smile: [link](http://x)" in texts
    assert any(r"\*\*bold\*\*" in text.value for text in app.main.markdown), "escaped, so shown as it is"
    assert not any("**bold**" in text.value for text in app.main.markdown)
    assert "marks" not in app.main.dataframe[0].proto.column_order
    assert app.sidebar.selectbox[0].value == filled, "the reader's own project stays chosen"


def test_nothing_on_a_page_is_drawn_as_html(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.foreign())
    for name in ("home", "results", "report"):
        app = open_page(name, project=filled)
        assert not [m for m in app.get("markdown") if m.proto.allow_html]


def test_results_of_a_live_run_lead_to_the_run(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(run(filled, RunStatus.RUNNING, grid=cells(3, running=1)))
    assert "The run is not finished" in said(open_page("results", project=filled))


def test_results_of_a_failed_run_lead_to_its_reason(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.stage(run(filled, RunStatus.FAILED))
    assert "This run has no results" in said(open_page("results", project=filled))


def test_the_report_page_tells_where_the_numbers_come_from(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full())
    app = open_page("report", project=filled)
    words = said(app)
    corpus_hash = made.summary().corpus_sha256
    assert corpus_hash is not None
    for phrase in (corpus_hash, "evalgrid 0.1.0", "77 questions, 75 scored", "Chunking: no single winner"):
        assert phrase in words
    assert [b.label for b in app.main.get("download_button")] == [
        "Download report.json",
        "Download the table as CSV",
    ]
    assert f"results?project={filled}&run=run1" in app.main.code[0].value


def test_the_report_page_of_a_foreign_report_says_what_it_does_not_know(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.foreign())
    assert "not said" in said(open_page("report", project=filled))


def test_home_tells_the_last_verdict_in_a_sentence(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full(decided=True))
    app = open_page("home", project=filled)
    assert "Chunking: use recursive\\. Retrieval: use hybrid\\." in said(app).replace("\u2060", "")
    app = checked(app.get_by_key("open-results").click().run())
    assert app.title[0].value == "Results"


def test_the_example_opens_on_its_results(
    workspace: Staged,
    filled: str,
    reports: Reports,
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finished(workspace, filled, reports, made.full())
    monkeypatch.setattr(Staged, "load_example", lambda self: (filled, "run1"))
    app = open_page("home")
    app = checked(app.get_by_key("load-example").click().run())
    assert app.title[0].value == "Results"
    assert "No single winner; recursive leads" in said(app)


def test_a_file_that_is_no_report_is_refused_in_one_line(
    workspace: Staged, project: str, open_page: Open
) -> None:
    app = open_page("home", project=project)
    box = app.get_by_key("home.report")
    box.set_value(("notes.json", b'{"a": 1}', "application/json"))
    app = checked(box.run())
    assert any("notes.json" in text.value for text in app.main.text)


def test_while_a_newer_run_goes_on_the_results_of_the_former_stay(
    workspace: Staged, filled: str, reports: Reports, open_page: Open
) -> None:
    finished(workspace, filled, reports, made.full())
    workspace.stage(run(filled, RunStatus.RUNNING, id="run2", name="Run 2", grid=cells(3, running=1)))
    app = open_page("results", project=filled)
    assert "No single winner; recursive leads" in said(app)
    assert any("Run 2 is going on" in link.proto.label for link in app.main.get("page_link"))


@pytest.mark.parametrize(
    ("grade", "word"), [(Grade.PROVEN, "Proven"), (Grade.CLEAR, "Clear"), (Grade.OPEN, "Open")]
)
def test_a_card_says_how_firm_its_verdict_is(
    grade: Grade,
    word: str,
    workspace: Staged,
    filled: str,
    reports: Reports,
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = made.full(decided=grade is not Grade.OPEN)
    finished(workspace, filled, reports, report)
    monkeypatch.setattr(stored, "load_judged", lambda *_: stored.Judged(report, {"chunking": grade}))
    app = open_page("results", project=filled)
    badges = [m.value for m in app.main.markdown if "-badge[" in m.value]
    assert word in badges[0]
