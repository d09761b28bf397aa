"""What Home draws."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from evalcore.errors import EvalgridError
from evalcore.workspace import Project, RunState, RunStatus
from evalcore.workspace.exchange import REPORTS_ID
from ui import reports, setup, verdict
from ui.sidebar import COLOURS, ICONS
from ui.state import Here, Link, projects
from ui.steps import Progress, Step, progress_of, status_words
from ui.text import ago, count, exact, plain
from ui.words import PRODUCT

QUESTION = "Which way of cutting and searching your documents finds the answers, and is the difference real?"
RECENT = 5
OPENED = 3


def draw(here: Here) -> None:
    """Draw Home."""
    if here.project is None:
        setup.head(f"Welcome to {PRODUCT}", QUESTION)
        _beginnings(here, is_first=True)
        st.caption(
            "Everything stays on this machine: documents, questions and results are kept in a folder here, "
            "and models run here."
        )
        return
    _project(here, here.project)


def _project(here: Here, project: Project) -> None:
    progress = progress_of(here.workspace, project.id)
    setup.head(plain(project.name), QUESTION)
    _verdict(here, progress)
    with st.grid(5, min_column_width=140, gap="small", border=True, key="steps-cards") as grid:
        for step in progress.steps:
            with grid.cell():
                _step(step, here, is_next=progress.next is step)
    _recent(here, progress)
    st.subheader("Begin something else", anchor=False)
    _beginnings(here, is_first=False)


def _verdict(here: Here, progress: Progress) -> None:
    finished = next((r for r in progress.runs if r.kind == "run" and r.status is RunStatus.FINISHED), None)
    if finished is None:
        return
    run = here.workspace.run(finished.id) or finished
    try:
        sentence = verdict.headline(reports.summary(here.workspace, run))
    except EvalgridError as error:
        setup.refuse(error)
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="last-verdict"):
        with st.container(gap="xxsmall", width="stretch"):
            partial = " of a partial run" if run.is_partial else ""
            st.caption(f"Last verdict{partial} · {_when(run)}", help=exact(run.ended))
            st.markdown(f"**{plain(sentence)}**")
        kind: Literal["primary", "secondary"] = "primary" if progress.next is None else "secondary"
        if st.button("Open results", type=kind, key="open-results"):
            setup.go("results", Link(here.link.project, run.id))


def _when(run: RunState) -> str:
    return f"{count(run.questions, 'question')}, {count(run.documents, 'document')} · {ago(run.ended)}"


def _step(step: Step, here: Here, *, is_next: bool) -> None:
    st.markdown(f":{COLOURS[step.state]}[{ICONS[step.state]}] **{step.title}**")
    st.caption(step.words)
    kind: Literal["primary", "secondary"] = "primary" if is_next else "secondary"
    if st.button(step.action, type=kind, width="stretch", key=f"home.{step.page}"):
        setup.go(step.page, Link(here.link.project))


def _recent(here: Here, progress: Progress) -> None:
    if not progress.runs:
        return
    st.subheader("Recent runs", anchor=False)
    with st.container(border=True, gap="xsmall"):
        for run in progress.runs[:RECENT]:
            page = "results" if run.status is RunStatus.FINISHED else "run"
            line = f"{status_words(run).capitalize()} · {_when(run)}"
            st.page_link(
                setup.path_of(page),
                label=f"{plain(run.name)}  :gray[{line}]",
                icon=_icon(run),
                query_params=Link(here.link.project, run.id).params,
                width="stretch",
                help=exact(run.ended or run.created),
            )


def _icon(run: RunState) -> str:
    if run.kind == "report":
        return ":material/file_open:"
    if run.is_live:
        return ICONS["live"]
    is_whole = run.status is RunStatus.FINISHED and not run.is_partial
    return ICONS["done"] if is_whole else ICONS["problem"]


def _beginnings(here: Here, *, is_first: bool) -> None:
    grid = st.grid(3, min_column_width=220, gap="small", border=True, key="beginnings")
    with grid.cell():
        _example(here, is_first=is_first)
    with grid.cell():
        _own(here)
    with grid.cell():
        _report(here)


def _card(icon: str, title: str, line: str) -> None:
    st.markdown(f":primary[{icon}] **{title}**")
    st.caption(line)


def _example(here: Here, *, is_first: bool) -> None:
    with st.container():
        _card(
            ":material/play_circle:",
            "See the example",
            "A company's product, contract and support documents, 138 questions and a finished run. "
            "You see its verdict at once.",
        )
        if st.button("Load the example", type="primary" if is_first else "secondary", key="load-example"):
            _load_example(here)


def _load_example(here: Here) -> None:
    try:
        project_id, run_id = here.workspace.load_example()
    except EvalgridError as error:
        setup.refuse(error)
        return
    setup.go("results", Link(project_id, run_id))


def _own(here: Here) -> None:
    with st.container():
        _card(
            ":material/upload_file:",
            "Start with my documents",
            "Add files, add questions with the passages that answer them, and compare. "
            "Markdown, text, HTML, PDF and Word.",
        )
        if st.button("Start a project", key="new-project"):
            name = f"Project {len(projects(here.workspace)) + 1}"
            setup.go("corpus", Link(here.workspace.create_project(name).id))


def _report(here: Here) -> None:
    with st.container(key="open-report"):
        _card(
            ":material/file_open:",
            "Open a report.json",
            "Look at the results of a run made elsewhere: ours or any program's that writes this format.",
        )
        given = st.file_uploader(
            "A report.json", type=["json"], key="home.report", label_visibility="collapsed"
        )
        if given is None:
            _opened_before(here)
            return
        try:
            run_id = here.workspace.open_report(given.getvalue(), given.name)
        except EvalgridError as error:
            setup.refuse(error)
            return
        setup.go("results", Link(here.link.project, run_id))


def _opened_before(here: Here) -> None:
    for run in here.workspace.runs(REPORTS_ID)[:OPENED]:
        st.page_link(
            setup.path_of("results"),
            label=f"{plain(run.name)}  :gray[{ago(run.created)}]",
            icon=":material/history:",
            query_params=Link(here.link.project, run.id).params,
        )
