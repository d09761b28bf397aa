"""Reports for pages: without the per-question details, kept in memory until the run changes."""

from __future__ import annotations

import streamlit as st

from evalcore.models import EvalReport
from evalcore.report import stored
from evalcore.workspace import RunState, Workspace

KEPT = 12


def summary(workspace: Workspace, run: RunState) -> EvalReport:
    """The report of a run as far as it got.

    Raises:
        EvalgridError: there is nothing to report yet, or the folder is damaged.
    """
    finished = sum(cell.state in ("done", "failed") for cell in run.cells)
    return _summary(workspace, str(workspace.root), run.id, f"{run.status}:{finished}")


@st.cache_data(max_entries=KEPT, show_spinner=False)
def _summary(_workspace: Workspace, root: str, run_id: str, version: str) -> EvalReport:
    del root, version
    return stored.load_summary(_workspace, run_id)
