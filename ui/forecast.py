"""What the next run is predicted to take, beside the grid."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import WorkspaceError
from evalcore.run.estimate import Estimate, duration, rounded, size
from evalcore.run.record import Stage
from evalcore.workspace import Forecast
from ui.state import Here
from ui.text import plain, sentence

STAGES = {Stage.CHUNK: "cut", Stage.EMBED: "embed", Stage.SEARCH: "search and score"}
HOW = (
    "Every method of the grid was tried on a part of your documents on this machine, and the times scaled to "
    "all of them. Vectors kept from earlier runs make it quicker. Five runs on public sets took 0.8 to 1.1 "
    "times as long as predicted."
)


def draw(here: Here, project: str) -> None:
    """Draw the prediction; while it is worked out, look again every second."""
    try:
        found = here.workspace.forecast(project)
    except WorkspaceError as error:
        found = Forecast(problem=str(error))
    with st.container(border=True, key="grid-forecast"):
        if found.is_pending:
            _wait(here, project)
        elif found.estimate is not None:
            _shown(found.estimate)
        else:
            st.caption(f"No prediction: {sentence(found.problem)}")


@st.fragment(run_every=1.0)
def _wait(here: Here, project: str) -> None:
    if not here.workspace.forecast(project).is_pending:
        st.rerun()
    st.metric("Predicted time", "…", help=HOW)
    st.caption("Trying the methods on a part of your documents.")


def _shown(estimate: Estimate) -> None:
    with st.container(horizontal=True):
        st.metric("Predicted time", duration(estimate.seconds), help=HOW)
        st.metric("Memory", size(estimate.memory), help="What the run's process holds at its highest.")
    parts = [
        f"{duration(seconds)} to {STAGES[Stage(name)]}"
        for name, seconds in estimate.stages.items()
        if seconds >= 1
    ]
    st.caption(
        f"About {rounded(estimate.tokens):,} tokens in {rounded(estimate.chunks):,} chunks to index, for "
        f"{estimate.questions:,} questions. {', '.join(parts).capitalize()}{'.' if parts else ''}"
    )
    for line in estimate.unknown:
        st.caption(f":orange[{plain(line)}]")
