"""What the Results page draws."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import EvalgridError
from evalcore.models import EvalReport
from evalcore.report.grade import Grade
from evalcore.results.results import Results
from evalcore.workspace import RunState, RunStatus
from ui import charts, reports, setup, tables, verdict, views
from ui.state import Here, Link, has_results
from ui.text import count, listed, plain
from ui.words import RANKING_METRICS, TERMS

TITLE = "Results"
LINE = "Which configuration finds the answers, how sure that is, and what would settle what is open."
MOST_CHART_ROWS = 40
MOST_HISTOGRAMS = 9


def draw(here: Here) -> None:
    """Draw the Results page."""
    run = here.run_reported()
    if run is None or not has_results(run):
        _nothing_yet(here, run)
        return
    try:
        judged = reports.judged(here.workspace, run)
    except EvalgridError as error:
        setup.head(TITLE, LINE)
        setup.refuse(error)
        return
    report = judged.report
    actions = setup.head(TITLE, LINE)
    if actions.button("Get the report", type="primary", icon=":material/description:", key="results.report"):
        setup.go("report", Link(here.link.project, run.id))
    _newer(here, run)
    _about(run, report)
    _partial(here, run, report)
    _verdict(report, judged.grades)
    results = _results(here, run)
    if results is not None and results.runs:
        others = {"The report's ranking": lambda: _ranked(report), "Chunk health": lambda: _health(report)}
        views.draw(here, results, f"{here.workspace.root}:{reports.version(run)}", others)
    else:
        st.subheader("Ranking", anchor=False)
        _ranked(report)
        st.subheader("Chunk health", anchor=False)
        _health(report)
    _warnings(report)


def _nothing_yet(here: Here, run: RunState | None) -> None:
    if run is None:
        setup.need_project(here, TITLE, LINE)
    setup.head(TITLE, LINE)
    if run is not None and run.is_live:
        card = setup.empty(
            "The run is not finished",
            "Its progress is on the Run page; results appear here at its end.",
            ":material/hourglass_top:",
        )
        if card.button("Watch the run", type="primary", icon=":material/visibility:"):
            setup.go("run", Link(here.link.project, run.id))
        return
    if run is not None:
        card = setup.empty(
            "This run has no results",
            "No configuration was finished. The Run page says why.",
            ":material/error:",
        )
        if card.button("Look at the run", type="primary"):
            setup.go("run", Link(here.link.project, run.id))
        return
    card = setup.empty(
        "No results yet",
        "They appear here when a run has finished. The example has one ready on Home.",
        ":material/leaderboard:",
    )
    if card.button("Go to Run", type="primary", key="results.run"):
        setup.go("run", here.link)


def _newer(here: Here, shown: RunState) -> None:
    """Say that another run of the project is going on."""
    runs = here.workspace.runs(here.link.project) if here.link.project else []
    live = next((run for run in runs if run.is_live and run.id != shown.id), None)
    if live is not None:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.page_link(
                setup.path_of("run"),
                label=f"{plain(live.name)} is going on; these are the results of {plain(shown.name)}",
                icon=":material/progress_activity:",
                query_params=Link(here.link.project, live.id).params,
            )


def _about(run: RunState, report: EvalReport) -> None:
    about = report.corpus_summary
    metric = RANKING_METRICS.get(about.ranking_metric, (about.ranking_metric, ""))[0]
    facts = [
        plain(run.name),
        count(about.num_documents, "document"),
        count(about.num_scored_questions, "scored question"),
        f"{count(about.top_k, 'chunk')} per question",
        f"ranked by {metric.lower() if metric != 'MRR' else metric}",
        plain(about.embedding_model),
    ]
    st.caption(" · ".join(facts))


def _partial(here: Here, run: RunState, report: EvalReport) -> None:
    if run.kind == "run" and (not report.complete or run.status is not RunStatus.FINISHED):
        done = sum(cell.state == "done" for cell in run.cells)
        st.warning(
            f"{done:,} of {count(len(run.cells), 'configuration')} are finished. The verdict covers only "
            "these and may change. Resume the run on the Run page.",
            title="These results are partial",
            icon=":material/hourglass_bottom:",
        )
    elif run.kind == "report" and not report.complete:
        st.warning(
            "Not every configuration of its grid is in this report.",
            title="These results are partial",
            icon=":material/hourglass_bottom:",
        )
    if report.failed:
        _failed(report)
    del here


def _failed(report: EvalReport) -> None:
    with st.expander(
        f"{count(len(report.failed), 'configuration')} failed and are not in the table",
        icon=":material/error:",
    ):
        for cell in report.failed:
            st.markdown(f"**{plain(cell.strategy)} · {plain(cell.retriever)}**")
            st.text(cell.reason, width="stretch")


def _verdict(report: EvalReport, grades: dict[str, Grade]) -> None:
    judged = verdict.axes(report)
    if not judged:
        with st.container(border=True, key="verdict-text"):
            st.caption("**Verdict** · as its program wrote it")
            st.text(report.recommendation or "This report says no verdict.", width="stretch")
        return
    grid = st.grid(len(judged), min_column_width=300, gap="small", border=True)
    for axis in judged:
        with grid.cell():
            verdict.card(axis, report, grades.get(axis.axis))
    with st.expander("The verdict in full, as report.json says it", icon=":material/notes:"):
        st.text(report.recommendation, width="stretch")


def _results(here: Here, run: RunState) -> Results | None:
    """The views of a run; None for a report that was opened, which holds too little for them."""
    if run.kind == "report":
        return None
    try:
        return reports.views(here.workspace, run)
    except EvalgridError as error:
        st.caption(f":orange[:material/warning:] The views cannot be shown: {plain(str(error))}")
        return None


def _ranked(report: EvalReport) -> None:
    _ranking(report)
    _recall(report)


def _ranking(report: EvalReport) -> None:
    rows = report.strategy_results
    retrievers = listed(sorted({plain(r.retriever) for r in rows}))
    several = len({r.retriever for r in rows}) > 1
    constant = "" if several else f" All searched with {retrievers}."
    st.caption(
        f"Best first. Ranges hold the true value 95 times in 100.{constant} "
        "Hover a column's name for what it means."
    )
    tables.ranking(report)
    with st.expander("What the columns mean", icon=":material/help:"):
        for key in ("recall", "balanced", "hit", "mrr", "precision", "tokens", "chunks"):
            st.markdown(f"**{TERMS[key].name}.** {TERMS[key].line}")


def _recall(report: EvalReport) -> None:
    rows = report.strategy_results[:MOST_CHART_ROWS]
    names = tables.names_of(report.strategy_results)[:MOST_CHART_ROWS]
    out = [tables.OUT in marks for marks in tables.marks(report)][:MOST_CHART_ROWS]
    st.markdown("**Recall with its interval**")
    st.caption(
        "Intervals that overlap do not prove a tie: all configurations met the same questions, and the "
        "verdict compares them question by question. ● in play, ◆ ruled out."
    )
    st.altair_chart(charts.recall(rows, names, out), alt=charts.recall_alt(rows, names))


def _health(report: EvalReport) -> None:
    st.caption("What each way of cutting makes of your documents, before anything is searched.")
    tables.health(report.strategy_results)
    found = {r.strategy: r.chunk_health for r in report.strategy_results}
    with st.grid(4, min_column_width=185, gap="small", border=True) as grid:
        widest = max((bucket[0] + 100 for h in found.values() for bucket in h.token_histogram), default=100)
        for strategy, health in list(found.items())[:MOST_HISTOGRAMS]:
            with grid.cell():
                st.caption(f"**{plain(strategy)}** · sizes in tokens")
                st.altair_chart(charts.tokens(health, widest), alt=charts.tokens_alt(strategy, health))
    if len(found) > MOST_HISTOGRAMS:
        st.caption(f"The first {MOST_HISTOGRAMS} of {len(found):,} are drawn.")


def _warnings(report: EvalReport) -> None:
    if not report.warnings:
        return
    st.subheader(f"Warnings ({len(report.warnings):,})", anchor=False)
    with st.container(border=True, key="warnings"):
        for warning in report.warnings:
            st.markdown(f":orange[:material/warning:] {plain(warning)}")
