"""The button that starts a run, and why it cannot, where it cannot."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.errors import EvalgridError
from ui import setup
from ui.state import Here, Link
from ui.steps import Progress
from ui.text import count


def button(
    here: Here, place: DeltaGenerator, progress: Progress, *, key: str, label: str = "Start the run"
) -> None:
    """Draw the button at `place`; while a run is live it leads there instead of starting another."""
    live = next((run for run in progress.runs if run.is_live), None)
    if live is not None:
        if place.button("Watch the run", type="primary", icon=":material/visibility:", key=f"{key}.watch"):
            setup.go("run", Link(here.link.project, live.id))
        return
    accepted = bool(st.session_state.get(f"{key}.anyway"))
    blocked = bool(progress.blockers) or (progress.question_errors > 0 and not accepted)
    if place.button(
        label, type="primary", icon=":material/play_arrow:", disabled=blocked, key=f"{key}.start"
    ):
        start(here, accepted=accepted)


def reasons(progress: Progress, *, key: str) -> None:
    """Say why the run cannot start yet, and let the reader go ahead where that is theirs to decide."""
    for reason in progress.blockers:
        with st.container(horizontal=True, vertical_alignment="top"):
            st.badge("First", icon=":material/arrow_forward:", color="orange")
            st.text(reason, width="stretch")
    if progress.question_errors and not progress.blockers:
        st.warning(
            f"{count(progress.question_errors, 'question problem')} would make the numbers wrong. "
            "Mend them on the Questions page, or score the questions as they are.",
            icon=":material/rule:",
        )
        st.checkbox("Score the questions as they are", key=f"{key}.anyway")


def start(here: Here, *, accepted: bool) -> None:
    """Start a run and go to it."""
    try:
        run_id = here.workspace.start_run(here.link.project or "", skip_validation=accepted)
    except EvalgridError as error:
        setup.refuse(error)
        return
    setup.go("run", Link(here.link.project, run_id))
