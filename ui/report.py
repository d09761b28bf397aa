"""What the Report page draws."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from evalcore.errors import EvalgridError
from evalcore.models import EvalReport
from evalcore.report import stored
from evalcore.report.table import leaderboard_csv
from evalcore.results.prices import load_prices
from evalcore.workspace import RunState
from ui import reports, setup, verdict
from ui.state import Here, Link, has_results
from ui.text import count, exact, plain

TITLE = "Report"
LINE = "Files that say the same as the screen, for a colleague, a reviewer or another program."


def draw(here: Here) -> None:
    """Draw the Report page."""
    run = here.run_reported()
    if run is None:
        setup.need_project(here, TITLE, LINE)
    if run is None or not has_results(run):
        setup.head(TITLE, LINE)
        card = setup.empty(
            "There is no report yet",
            "A report is made from a run that has results.",
            ":material/description:",
        )
        if card.button("Go to Run", type="primary", key="report.run"):
            setup.go("run", here.link)
        return
    try:
        report = reports.summary(here.workspace, run)
    except EvalgridError as error:
        setup.head(TITLE, LINE)
        setup.refuse(error)
        return
    actions = setup.head(TITLE, LINE)
    if actions.button("Back to results", icon=":material/arrow_back:", key="report.back"):
        setup.go("results", Link(here.link.project, run.id))
    _preview(run, report)
    _files(here, run, report)
    _link(here, run)
    _provenance(report)


def _preview(run: RunState, report: EvalReport) -> None:
    about = report.corpus_summary
    with st.container(border=True, key="report-preview"):
        st.caption(f"**{plain(run.name)}** · what is inside")
        st.markdown(f"**{plain(verdict.headline(report))}**")
        with st.grid(4, min_column_width=100, gap="small"):
            st.metric("Configurations", f"{len(report.strategy_results):,}")
            st.metric("Scored questions", f"{about.num_scored_questions:,}")
            st.metric("Documents", f"{about.num_documents:,}")
            st.metric("Warnings", f"{len(report.warnings):,}")
        if not report.complete:
            st.caption(
                ":orange[:material/hourglass_bottom: Partial: some configurations are not finished. "
                "The file says so too.]"
            )


def _files(here: Here, run: RunState, report: EvalReport) -> None:
    workspace, run_id = here.workspace, run.id
    with st.grid(2, min_column_width=280, gap="small") as grid:
        with grid.cell(), st.container(border=True, height="stretch"):
            st.markdown(":material/data_object: **report.json**")
            st.caption(
                "Everything: the verdict, every configuration, and every question with what it brought back."
            )
            st.download_button(
                "Download report.json",
                lambda: stored.report_bytes(workspace, run_id),
                file_name="report.json",
                mime="application/json",
                type="primary",
                icon=":material/download:",
                on_click="ignore",
                key="report.json",
            )
        with grid.cell(), st.container(border=True, height="stretch"):
            st.markdown(":material/table: **Ranked table**")
            st.caption(
                "One line per configuration with numbers and price at full precision, for a spreadsheet."
            )
            st.download_button(
                "Download the table as CSV",
                lambda: leaderboard_csv(report, load_prices(workspace.root).price).encode("utf-8-sig"),
                file_name="leaderboard.csv",
                mime="text/csv",
                icon=":material/download:",
                on_click="ignore",
                key="report.csv",
            )


def _link(here: Here, run: RunState) -> None:
    with st.container(border=True):
        st.markdown(":material/link: **Link to these results**")
        st.caption("Opens this run for everybody who reaches this server.")
        st.code(_address(here, run), language=None, wrap_lines=True)


def _address(here: Here, run: RunState) -> str:
    base = (st.context.url or "").split("?")[0]
    root = base.removesuffix("/report").rstrip("/")
    params = "&".join(f"{key}={value}" for key, value in Link(here.link.project, run.id).params.items())
    return f"{root}/results?{params}"


def _program(report: EvalReport) -> str:
    """The program's name once: our version carries it, another program's does not."""
    name, version = report.program or "", report.corpus_summary.chunklab_version or ""
    return (version if version.startswith(name) else f"{name} {version}").strip() or "not said"


def _provenance(report: EvalReport) -> None:
    about = report.corpus_summary
    facts: dict[str, object] = {
        "Made": _made(report.generated_at),
        "Program": _program(report),
        "Format": f"report contract {report.schema_version}",
        "Documents": f"{count(about.num_documents, 'document')}"
        + (
            f", {about.num_documents_with_text:,} with text"
            if about.num_documents_with_text is not None
            else ""
        ),
        "Questions": f"{count(about.num_questions, 'question')}, {about.num_scored_questions:,} scored",
        "Corpus SHA-256": about.corpus_sha256 or "not said",
        "Questions SHA-256": about.questions_sha256 or "not said",
        "Model": about.embedding_model,
        "Model revision": about.embedding_model_revision or "not said",
        "Retrievers": ", ".join(about.retrieval_modes),
        "Chunks per question (k)": about.top_k,
        "Ranked by": about.ranking_metric,
        "λ": "not said" if about.balanced_lambda is None else about.balanced_lambda,
        "Likeness that counts as found": "not said"
        if about.fuzzy_threshold is None
        else about.fuzzy_threshold,
        "Seed": "not said" if about.seed is None else about.seed,
    }
    st.subheader("Where the numbers come from", anchor=False)
    st.caption("Equal hashes, settings and versions give equal numbers.")
    with st.container(border=True, gap="xsmall", key="provenance"):
        for name, value in facts.items():
            label, said = st.columns([1, 2.6], wrap=False, gap="small")
            label.caption(name)
            said.text(str(value), width="stretch")


def _made(written: str) -> str:
    try:
        return exact(datetime.fromisoformat(written).replace(microsecond=0))
    except ValueError:
        return written
