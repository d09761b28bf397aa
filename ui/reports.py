"""Reports and results for pages: kept in memory until the run changes."""

from __future__ import annotations

import streamlit as st

from evalcore.models import EvalReport
from evalcore.report import stored
from evalcore.report.stored import Judged
from evalcore.results import stored as views_stored
from evalcore.results.prices import load_prices
from evalcore.results.results import Results
from evalcore.workspace import RunState, Workspace

KEPT = 12
KEPT_RESULTS = 2


def summary(workspace: Workspace, run: RunState) -> EvalReport:
    """The report of a run as far as it got, without per-question details.

    Raises:
        EvalgridError: there is nothing to report yet, or the folder is damaged.
    """
    return judged(workspace, run).report


def judged(workspace: Workspace, run: RunState) -> Judged:
    """The same with how firm its verdicts are.

    Raises:
        EvalgridError: as `summary`.
    """
    return _judged(workspace, str(workspace.root), run.id, version(run))


def views(workspace: Workspace, run: RunState) -> Results:
    """The results of a run as far as it got, with the workspace's price of context.

    Raises:
        EvalgridError: it is a report that was opened, or the folder is damaged.
    """
    results = _views(workspace, str(workspace.root), run.id, version(run))
    price = load_prices(workspace.root).price
    return results.with_price(price.usd_per_million if price is not None else None)


def version(run: RunState) -> str:
    """What a run has come to, for caches: it changes when cells end."""
    finished = sum(cell.state in ("done", "failed") for cell in run.cells)
    return f"{run.id}:{run.status}:{finished}"


@st.cache_data(max_entries=KEPT, show_spinner=False)
def _judged(_workspace: Workspace, root: str, run_id: str, version: str) -> Judged:
    del root, version
    return stored.load_judged(_workspace, run_id)


# Shared and not copied for each page drawn: results are frozen, and large with many questions.
@st.cache_resource(max_entries=KEPT_RESULTS, show_spinner=False)
def _views(_workspace: Workspace, root: str, run_id: str, version: str) -> Results:
    del root, version
    return views_stored.load_results(_workspace, run_id)
