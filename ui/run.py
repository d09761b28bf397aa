"""What the Run page draws. While a run is live it draws itself again each second."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.errors import EvalgridError
from evalcore.run.record import Stage
from evalcore.workspace import CellState, RunState, RunStatus, StageState
from ui import setup, starting, tables
from ui.state import Here, Link
from ui.steps import progress_of, status_words
from ui.text import ago, count, duration, exact, plain, whole

TITLE = "Run"
LINE = "What is happening and how far it is. It goes on when you close this page; come back to it any time."
Colour = Literal["red", "orange", "blue", "green", "gray"]
STATUS_LOOK: dict[RunStatus, tuple[str, Colour]] = {
    RunStatus.QUEUED: (":material/hourglass_empty:", "blue"),
    RunStatus.RUNNING: (":material/play_arrow:", "blue"),
    RunStatus.CANCELLING: (":material/hourglass_bottom:", "orange"),
    RunStatus.CANCELLED: (":material/stop_circle:", "orange"),
    RunStatus.INTERRUPTED: (":material/power_off:", "orange"),
    RunStatus.FINISHED: (":material/check_circle:", "green"),
    RunStatus.FAILED: (":material/error:", "red"),
}
BUDGET_LOOK: tuple[str, Colour] = (":material/timer_off:", "orange")
STAGES = {
    Stage.CHUNK: ("Cut", "strategy", "strategies"),
    Stage.EMBED: ("Embed", "text", "texts"),
    Stage.SEARCH: ("Search", "configuration", "configurations"),
}
WEIGHTS = {Stage.CHUNK: 0.1, Stage.EMBED: 0.75, Stage.SEARCH: 0.15}
RECENT = 8


def draw(here: Here) -> None:
    """Draw the Run page."""
    run = here.run_shown()
    if run is not None and run.kind == "report":
        setup.head(TITLE, LINE)
        card = setup.empty(
            "This is a report that was opened",
            "It was run elsewhere; there is nothing to watch.",
            ":material/file_open:",
        )
        if card.button("See its results", type="primary"):
            setup.go("results", Link(here.link.project, run.id))
        return
    setup.need_project(here, TITLE, LINE)
    actions = setup.head(TITLE, LINE)
    if run is None:
        _nothing_yet(here, actions)
        return
    if run.is_live:
        _live(here, run)
    else:
        _ended_actions(here, run, actions)
        _run(here, run)
    _others(here, run)


def _nothing_yet(here: Here, actions: DeltaGenerator) -> None:
    progress = progress_of(here.workspace, here.link.project or "")
    step = progress.next
    if step is not None and step.page in ("corpus", "questions"):
        if actions.button(step.action, type="primary", icon=":material/arrow_forward:", key="run.next"):
            setup.go(step.page, here.link)
    else:
        starting.button(here, actions, progress, key="run")
    setup.empty(
        "Nothing has run yet",
        "A run cuts the documents in every way of the grid, searches each and counts the answers found.",
        ":material/rocket_launch:",
    )
    starting.reasons(progress, key="run")


@st.fragment(run_every=1.0)
def _live(here: Here, drawn: RunState) -> None:
    """Draw a live run; once its status is another, draw the whole page again, which may end the clock."""
    run = here.workspace.run(drawn.id)
    if run is None or run.status is not drawn.status:
        st.rerun()
    _run(here, run)


def _ended_actions(here: Here, run: RunState, actions: DeltaGenerator) -> None:
    done = sum(cell.state == "done" for cell in run.cells)
    finished = run.status is RunStatus.FINISHED
    if run.can_resume and actions.button(
        "Try the failed ones again" if finished and not run.is_partial else "Resume",
        type="secondary" if finished else "primary",
        icon=":material/resume:",
        key="run.resume",
        help="Goes on at the first configuration that is not finished, with the whole time budget again."
        if run.is_partial
        else "Goes on at the first configuration that is not finished.",
    ):
        _do(here, run, "resume")
    if done and actions.button(
        "See the results" if finished and not run.is_partial else "See partial results",
        type="primary" if finished else "secondary",
        icon=":material/arrow_forward:",
        key="run.results",
    ):
        setup.go("results", Link(here.link.project, run.id))


def _do(here: Here, run: RunState, what: Literal["resume", "cancel"]) -> None:
    try:
        if what == "resume":
            here.workspace.resume_run(run.id)
        else:
            here.workspace.cancel_run(run.id)
    except EvalgridError as error:
        setup.refuse(error)
        return
    if what == "resume":
        setup.go("run", Link(here.link.project, run.id))


def _run(here: Here, run: RunState) -> None:
    _head(here, run)
    if run.reason and not run.is_partial:
        with st.container(border=True, horizontal=True):
            st.badge(
                "Why", icon=":material/info:", color="red" if run.status is RunStatus.FAILED else "orange"
            )
            st.text(run.reason, width="stretch")
    if run.stages:
        _stages(run)
    _failed(run)
    if run.cells:
        _cells(run)


def _head(here: Here, run: RunState) -> None:
    icon, colour = BUDGET_LOOK if run.is_partial else STATUS_LOOK[run.status]
    with st.container(border=True, key="run-head"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                st.badge(status_words(run).capitalize(), icon=icon, color=colour)
                st.markdown(f"**{plain(run.name)}**", width="content")
                st.caption(_about(run), help=exact(run.started or run.created), width="content")
            if run.status in (RunStatus.QUEUED, RunStatus.RUNNING):
                pressed = st.button(
                    "Cancel",
                    icon=":material/stop:",
                    key="run.cancel",
                    help="Keeps what is finished. You can resume later.",
                )
                if pressed:
                    _do(here, run, "cancel")
                    st.rerun()
        st.progress(_overall(run), text=_sentence(run))


def _about(run: RunState) -> str:
    begun = ago(run.started or run.created)
    return f"{count(run.documents, 'document')} · {count(run.questions, 'question')} · started {begun}"


def _overall(run: RunState) -> float:
    """The share of the whole that is done, its stages weighted by what they usually take."""
    if run.status is RunStatus.FINISHED and not run.is_partial:
        return 1.0
    return sum(WEIGHTS[s.stage] * min(1.0, s.done / s.total) for s in run.stages if s.total)


def _sentence(run: RunState) -> str:
    done = sum(cell.state == "done" for cell in run.cells)
    failed = sum(cell.state == "failed" for cell in run.cells)
    cells = f"{done:,} of {count(len(run.cells), 'configuration')} done"
    if run.status is RunStatus.QUEUED:
        ahead = run.position - 1
        return (
            f"Waiting behind {count(ahead, 'other run')}"
            if ahead > 0
            else "Next in line; the worker is starting"
        )
    if run.status is RunStatus.RUNNING:
        return f"{cells}{_left(run)}"
    if run.status is RunStatus.CANCELLING:
        return f"Stopping; {cells} are kept"
    if run.is_partial:
        return f"{run.reason[:1].upper()}{run.reason[1:]} done and kept; Resume goes on from there"
    if run.status is RunStatus.FINISHED:
        took = duration((run.ended - run.started).total_seconds()) if run.ended and run.started else ""
        failures = f" with {count(failed, 'failure')}" if failed else ""
        return f"Finished{failures}{f' in {took}' if took else ''} · {cells}"
    if run.status is RunStatus.INTERRUPTED:
        return f"The worker stopped before the end · {cells} and kept; Resume goes on from there"
    if run.status is RunStatus.CANCELLED:
        return f"Stopped as you asked · {cells} and kept; Resume goes on from there"
    return f"The run could not be carried out · {cells}"


def _left(run: RunState) -> str:
    """How long it still takes; cutting alone says nothing of that."""
    is_known = any(state.done and state.stage is not Stage.CHUNK for state in run.stages)
    if run.seconds_left is None or not is_known:
        return ""
    return f" · about {duration(run.seconds_left)} left"


def _stages(run: RunState) -> None:
    found = {state.stage: state for state in run.stages}
    with st.container(border=True, gap="small", key="run-stages"):
        for stage in Stage:
            _stage(found.get(stage, StageState(stage, 0, 0, 0.0)))


def _stage(state: StageState) -> None:
    title, one, many = STAGES[state.stage]
    name, bar, words = st.columns([0.6, 2.4, 2], vertical_alignment="center", wrap=False)
    name.markdown(f"**{title}**")
    bar.progress(min(1.0, state.done / state.total) if state.total else 0.0)
    rate = f" · {_rate(state.rate)}/s" if state.rate is not None and state.stage is Stage.EMBED else ""
    words.caption(
        f"{whole(state.done)} of {count(state.total, one, many)}{rate}" if state.total else "not yet"
    )


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def _failed(run: RunState) -> None:
    failed = [cell for cell in run.cells if cell.state == "failed"]
    if not failed:
        return
    with st.expander(
        f"{count(len(failed), 'configuration')} failed; the others are not affected",
        icon=":material/error:",
        key="run-failed",
    ):
        for cell in failed:
            st.markdown(f"**{plain(cell.key)}**")
            st.text(cell.reason, width="stretch")


def _cells(run: RunState) -> None:
    halves = st.grid(2, min_column_width=340, gap="small")
    with halves.cell():
        st.markdown("**The grid**", help="✓ recall when done, … running, · waiting, ✕ failed")
        tables.matrix(run.cells)
    done = [cell for cell in run.cells if cell.state == "done"]
    with halves.cell():
        _board(run, done)


def _board(run: RunState, done: list[CellState]) -> None:
    is_final = run.status is RunStatus.FINISHED and not run.is_partial
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Best so far**" if not is_final else "**By recall**", width="content")
        if not is_final:
            st.badge(
                "provisional",
                color="orange",
                help="Not all configurations are done, and no interval is drawn yet.",
            )
    if done:
        st.caption(f"Means over {count(done[0].questions, 'scored question')}.")
        tables.provisional(done)
    else:
        st.caption("The first finished configuration appears here.")


def _others(here: Here, shown: RunState) -> None:
    runs = [r for r in here.workspace.runs(here.link.project or "") if r.id != shown.id and r.kind == "run"]
    if not runs:
        return
    with st.expander(f"Other runs of this project ({len(runs):,})", icon=":material/history:"):
        for run in runs[:RECENT]:
            st.page_link(
                setup.path_of("run"),
                label=f"{plain(run.name)}  :gray[{_when(run)}]",
                query_params=Link(here.link.project, run.id).params,
                help=exact(run.ended or run.created),
            )


def _when(run: RunState) -> str:
    return f"{status_words(run)} · {ago(run.ended or run.created)}"
