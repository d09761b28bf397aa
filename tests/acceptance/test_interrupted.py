"""Runs with the real engine that are killed, cancelled and resumed."""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.report.stored import report_bytes
from evalcore.run.launch import LOCK
from evalcore.run.lease import holder, is_held
from evalcore.run.record import Stage
from evalcore.workspace import RunState, RunStatus, Workspace
from tests.acceptance.engines import LOADING
from tests.acceptance.small import files, questions, settings

PATIENCE = 240.0
CELLS = 15
# Two seconds on a machine that has nothing else to do.
CANCELLED_WITHIN = 4.0

log = logging.getLogger(__name__)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("EVALGRID_WORKER_IDLE", "20")
    opened = Workspace(tmp_path / "home")
    yield opened
    kill_worker(opened)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of a run that nobody touched, in a workspace of its own."""
    workspace = Workspace(tmp_path_factory.mktemp("undisturbed"))
    run_id = workspace.start_run(project(workspace))
    wait(workspace, run_id, RunStatus.FINISHED)
    kill_worker(workspace)
    return undated(workspace, run_id)


def project(workspace: Workspace) -> str:
    made = workspace.create_project("Small").id
    workspace.add_files(made, files())
    workspace.save_questions(made, questions(workspace.corpus(made)))
    workspace.save_settings(made, settings(256, 128))
    return made


def kill_worker(workspace: Workspace) -> None:
    pid = holder(workspace.root / LOCK)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while is_held(workspace.root / LOCK) and time.monotonic() < deadline:
            time.sleep(0.02)


def state_of(workspace: Workspace, run_id: str) -> RunState:
    state = workspace.run(run_id)
    assert state is not None
    return state


def wait(workspace: Workspace, run_id: str, *wanted: RunStatus) -> RunState:
    deadline = time.monotonic() + PATIENCE
    while (state := state_of(workspace, run_id)).status not in wanted:
        assert state.is_live, (state.status, state.reason)
        assert time.monotonic() < deadline, state
        time.sleep(0.05)
    return state


def embedded(state: RunState) -> int:
    return next((stage.done for stage in state.stages if stage.stage is Stage.EMBED), 0)


def done(state: RunState) -> int:
    return sum(cell.state == "done" for cell in state.cells)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def until_embedded(workspace: Workspace, run_id: str, texts: int) -> None:
    until(lambda: embedded(state_of(workspace, run_id)) >= texts)


def use_engine(workspace: Workspace, name: str) -> None:
    workspace.worker_arguments = ("--engine", f"tests.acceptance.engines:{name}")


def cancel(workspace: Workspace, run_id: str) -> float:
    """Cancel a run and return after how many seconds it is shown as cancelled."""
    asked = time.monotonic()
    workspace.cancel_run(run_id)
    until(lambda: state_of(workspace, run_id).status is RunStatus.CANCELLED)
    taken = time.monotonic() - asked
    log.info("cancelled after %.2f s", taken)
    return taken


def undated(workspace: Workspace, run_id: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(report_bytes(workspace, run_id))
    del report["generated_at"]
    return report


def test_killed_while_embedding_it_resumes_to_the_same_report(
    workspace: Workspace, undisturbed: dict[str, Any]
) -> None:
    run_id = workspace.start_run(project(workspace))
    until_embedded(workspace, run_id, 24)
    kill_worker(workspace)
    assert state_of(workspace, run_id).status is RunStatus.INTERRUPTED
    assert done(state_of(workspace, run_id)) == 0
    workspace.resume_run(run_id)
    assert done(wait(workspace, run_id, RunStatus.FINISHED)) == CELLS
    assert undated(workspace, run_id) == undisturbed


def test_killed_between_cells_it_computes_only_the_others(
    workspace: Workspace, undisturbed: dict[str, Any]
) -> None:
    use_engine(workspace, "slow_cells")
    run_id = workspace.start_run(project(workspace))
    until(lambda: done(state_of(workspace, run_id)) >= 2)
    kill_worker(workspace)
    state = state_of(workspace, run_id)
    kept = {cell.key for cell in state.cells if cell.state == "done"}
    assert state.status is RunStatus.INTERRUPTED
    assert 2 <= len(kept) < CELLS

    workspace.resume_run(run_id)
    assert done(wait(workspace, run_id, RunStatus.FINISHED)) == CELLS
    events = workspace.events(run_id)
    resumed = next(event.seq for event in events if event.kind == "resumed")
    assert kept.isdisjoint(event.text for event in events if event.kind == "cell" and event.seq > resumed)
    assert set(Counter(event.text for event in events if event.kind == "cell done").values()) == {1}
    assert undated(workspace, run_id) == undisturbed


def test_cancel_while_embedding_answers_at_once_and_resumes_to_the_same_report(
    workspace: Workspace, undisturbed: dict[str, Any]
) -> None:
    run_id = workspace.start_run(project(workspace))
    until_embedded(workspace, run_id, 8)
    assert cancel(workspace, run_id) < CANCELLED_WITHIN
    workspace.resume_run(run_id)
    wait(workspace, run_id, RunStatus.FINISHED)
    assert undated(workspace, run_id) == undisturbed


def test_cancel_while_torch_is_loading_answers_at_once_and_resumes_to_the_same_report(
    workspace: Workspace, undisturbed: dict[str, Any]
) -> None:
    use_engine(workspace, "announced")
    run_id = workspace.start_run(project(workspace))
    until((workspace.root / LOADING).exists)
    assert cancel(workspace, run_id) < CANCELLED_WITHIN
    assert done(state_of(workspace, run_id)) == 0
    workspace.resume_run(run_id)
    wait(workspace, run_id, RunStatus.FINISHED)
    assert undated(workspace, run_id) == undisturbed


def test_a_run_keeps_the_documents_it_started_with(workspace: Workspace, undisturbed: dict[str, Any]) -> None:
    made = project(workspace)
    run_id = workspace.start_run(made)
    workspace.remove_files(made, ["pricing-and-plans.md"])
    wait(workspace, run_id, RunStatus.FINISHED)
    assert undated(workspace, run_id) == undisturbed
