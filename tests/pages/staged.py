"""A workspace on disk whose runs stand exactly where a test puts them; no worker is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evalcore.errors import InputError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.run.record import Stage
from evalcore.workspace import CellState, Forecast, RunState, RunStatus, StageState, Workspace
from tests.pages.reports import RETRIEVERS, STRATEGIES

BEGUN = datetime.now(UTC) - timedelta(minutes=5)
TEXT = b"""# Returns

Devices may be returned within 30 days of delivery.

# Fees

A late return costs 15 %.
"""


class Staged(Workspace):
    """Real projects, files, questions and settings; runs from a list."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.staged: dict[str, RunState] = {}
        self.asked: list[tuple[str, str]] = []
        self.predicted = Forecast(problem="not predicted in this test")

    def forecast(self, project_id: str) -> Forecast:
        return self.predicted

    def stage(self, run: RunState) -> RunState:
        self.staged[run.id] = run
        return run

    def runs(self, project_id: str) -> list[RunState]:
        return [run for run in reversed(self.staged.values()) if run.project_id == project_id]

    def run(self, run_id: str) -> RunState | None:
        return self.staged.get(run_id)

    def start_run(self, project_id: str, *, skip_validation: bool = False) -> str:
        if self.questions(project_id) is None:
            raise InputError("this project has no questions; add some on the Questions page")
        live = next((run.id for run in self.runs(project_id) if run.is_live), None)
        self.asked.append(("start", project_id))
        return live or self.stage(run(project_id, RunStatus.QUEUED, id=f"new{len(self.staged)}")).id

    def cancel_run(self, run_id: str) -> None:
        self.asked.append(("cancel", run_id))
        self.staged[run_id] = replace(self.staged[run_id], status=RunStatus.CANCELLED)

    def resume_run(self, run_id: str) -> None:
        self.asked.append(("resume", run_id))
        self.staged[run_id] = replace(self.staged[run_id], status=RunStatus.QUEUED, position=1)


def cells(done: int, failed: int = 0, running: int = 0) -> tuple[CellState, ...]:
    """The grid of the reports, in order: so many done, then failed, then running, the rest waiting."""
    pairs = [(s, r) for s in STRATEGIES for r in RETRIEVERS]
    states = ["done"] * done + ["failed"] * failed + ["running"] * running
    states += ["waiting"] * (len(pairs) - len(states))
    return tuple(
        _cell(s, r, state, 0.86 - 0.01 * i)
        for i, ((s, r), state) in enumerate(zip(pairs, states, strict=True))
    )


def _cell(strategy: str, retriever: str, state: str, recall: float) -> CellState:
    is_done = state == "done"
    return CellState(
        key=f"{strategy} · {retriever}",
        strategy=strategy,
        retriever=retriever,
        label=f"auto · {strategy}:512 · {retriever}",
        state=state,  # type: ignore[arg-type]
        reason="vectors of <b>3</b> chunks hold NaN" if state == "failed" else "",
        recall=recall if is_done else None,
        hit_rate=recall if is_done else None,
        mrr=recall if is_done else None,
        questions=75,
    )


def stages(texts: int = 812) -> tuple[StageState, ...]:
    return (
        StageState(Stage.CHUNK, 4, 4, 2.0),
        StageState(Stage.EMBED, texts, 1_320, 35.0),
        StageState(Stage.SEARCH, 3, 12, 1.0),
    )


def run(
    project_id: str,
    status: RunStatus,
    *,
    id: str = "run1",  # noqa: A002 - the field's name
    grid: Sequence[CellState] = (),
    **changes: object,
) -> RunState:
    base = RunState(
        id=id,
        project_id=project_id,
        kind="run",
        name="Run 1",
        status=status,
        position=0,
        created=BEGUN,
        started=BEGUN,
        ended=BEGUN + timedelta(minutes=2) if status is RunStatus.FINISHED else None,
        stages=stages(),
        cells=tuple(grid) or cells(0),
        reason="",
        seconds_left=None,
        documents=16,
        questions=75,
        pinned=False,
        note="",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def questions(*, wrong: bool = False) -> EvalSet:
    """Two questions; one quotes a passage that no document has, if `wrong`."""
    quote = "Devices may never be returned at all." if wrong else "Devices may be returned within 30 days"
    return EvalSet(
        "policy",
        (
            EvalItem(
                "q1", "How long is the $return$ :smile: window?", [GoldAnchor(None, quote)], tags=["policy"]
            ),
            EvalItem(
                "q2", "What does <b>a late return</b> cost?", [GoldAnchor(None, "costs 15 %")], tags=["fees"]
            ),
        ),
    )
