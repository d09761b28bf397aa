"""The worker as a process of its own: carried out, killed, cancelled, resumed, and never two of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from evalcore.run.launch import LOCK
from evalcore.run.lease import holder, is_held
from evalcore.run.record import RunRecord
from evalcore.workspace import RunStatus, Workspace
from tests.run.conftest import end_worker, use_engine, worker_of
from tests.run.helpers import SETTINGS, computed, done, filled, seeded, state_of, wait_for, wait_until

ENDS = (RunStatus.FINISHED, RunStatus.FAILED, RunStatus.CANCELLED, RunStatus.INTERRUPTED)


def kill_after(workspace: Workspace, run_id: str, cells: int) -> None:
    wait_for(lambda: done(state_of(workspace, run_id)) >= cells)
    os.kill(worker_of(workspace.root), signal.SIGKILL)
    wait_for(lambda: not is_held(workspace.root / LOCK))


def undisturbed(workspace: Workspace, project: str) -> RunRecord:
    use_engine(workspace, "quick")
    run_id = workspace.start_run(project)
    wait_until(workspace, run_id, *ENDS)
    return workspace.record(run_id)


def test_a_run_is_carried_out_by_another_process_and_read_back(workspace: Workspace) -> None:
    project = filled(workspace)
    run_id = workspace.start_run(project)
    state = wait_until(workspace, run_id, *ENDS)
    assert state.status is RunStatus.FINISHED, state.reason
    assert worker_of(workspace.root) != os.getpid()
    assert [cell.state for cell in state.cells] == ["done"] * 6
    assert [(s.stage.value, s.done, s.total) for s in state.stages] == [
        ("chunk", 2, 2),
        ("embed", 80, 80),
        ("search", 6, 6),
    ]
    record = workspace.record(run_id)
    assert record.complete
    assert record.inputs.corpus == workspace.corpus(project)
    assert record.inputs.evalset == workspace.questions(project)
    assert record.inputs.settings == SETTINGS
    assert [cell.configuration.key for cell in record.cells] == [cell.key for cell in state.cells]


def test_a_killed_worker_leaves_an_interrupted_run_and_resume_gives_an_undisturbed_one(
    workspace: Workspace,
) -> None:
    project = filled(workspace)
    use_engine(workspace, "slow")
    run_id = workspace.start_run(project)
    kill_after(workspace, run_id, 2)
    interrupted = state_of(workspace, run_id)
    assert interrupted.status is RunStatus.INTERRUPTED
    assert interrupted.can_resume
    assert {cell.state for cell in interrupted.cells} == {"done", "waiting"}
    assert not workspace.record(run_id).complete
    workspace.resume_run(run_id)
    assert wait_until(workspace, run_id, *ENDS).status is RunStatus.FINISHED
    assert sorted(computed(workspace.root)) == sorted(set(computed(workspace.root)))
    assert workspace.record(run_id) == undisturbed(workspace, project)


def test_runs_behind_a_killed_one_go_on_by_themselves(workspace: Workspace) -> None:
    project = filled(workspace)
    use_engine(workspace, "slow")
    first = workspace.start_run(project)
    workspace.save_settings(project, seeded(1))
    second = workspace.start_run(project)
    kill_after(workspace, first, 1)
    assert wait_until(workspace, second, *ENDS).status is RunStatus.FINISHED
    assert state_of(workspace, first).status is RunStatus.INTERRUPTED


def test_cancel_keeps_finished_cells_and_answers_within_two_seconds(workspace: Workspace) -> None:
    use_engine(workspace, "slow")
    run_id = workspace.start_run(filled(workspace))
    wait_for(lambda: done(state_of(workspace, run_id)) >= 1)
    begun = time.monotonic()
    workspace.cancel_run(run_id)
    assert state_of(workspace, run_id).status in (RunStatus.CANCELLING, RunStatus.CANCELLED)
    state = wait_until(workspace, run_id, *ENDS)
    assert time.monotonic() - begun < 2
    assert state.status is RunStatus.CANCELLED
    assert done(state) == len(workspace.record(run_id).cells) >= 1
    workspace.resume_run(run_id)
    assert wait_until(workspace, run_id, *ENDS).status is RunStatus.FINISHED
    assert len(computed(workspace.root)) == 6


@pytest.mark.parametrize("engine", ["deaf", "frozen"])
def test_an_engine_that_does_not_answer_is_ended_within_two_seconds(
    workspace: Workspace, engine: str
) -> None:
    project = filled(workspace)
    use_engine(workspace, engine)
    run_id = workspace.start_run(project)
    wait_until(workspace, run_id, RunStatus.RUNNING)
    time.sleep(1.0)
    workspace.save_settings(project, seeded(1))
    behind = workspace.start_run(project)
    begun = time.monotonic()
    workspace.cancel_run(run_id)
    use_engine(workspace, "quick")
    state = wait_until(workspace, run_id, *ENDS)
    assert time.monotonic() - begun < 2
    assert state.status is RunStatus.CANCELLED
    assert len(workspace.record(run_id).cells) == (1 if engine == "deaf" else 0)
    wait_until(workspace, behind, RunStatus.RUNNING, RunStatus.FINISHED)


def test_two_clicks_and_two_tabs_start_one_run(workspace: Workspace) -> None:
    project = filled(workspace)
    use_engine(workspace, "slow")
    tabs = [Workspace(workspace.root) for _ in range(4)]
    found: list[str] = []
    for tab in tabs:
        tab.worker_arguments = workspace.worker_arguments
    clicks = [threading.Thread(target=lambda t=tab: found.append(t.start_run(project))) for tab in tabs]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len(set(found)) == 1
    assert len(workspace.runs(project)) == 1
    assert [folder.name for folder in (workspace.root / "runs").iterdir()] == found[:1]
    wait_until(workspace, found[0], RunStatus.FINISHED)
    assert len(computed(workspace.root)) == 6


def test_of_two_workers_one_serves_and_the_other_ends(workspace: Workspace) -> None:
    command = [sys.executable, "-m", "evalcore.run.worker", "--home", str(workspace.root)]
    command += ["--engine", "tests.run.fake_engine:slow"]
    environment = {**os.environ, "EVALGRID_WORKER_IDLE": "20"}
    both = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(2)]
    wait_for(lambda: any(process.poll() is not None for process in both))
    ended = next(process for process in both if process.poll() is not None)
    serving = next(process for process in both if process is not ended)
    assert ended.returncode == 0
    assert holder(workspace.root / LOCK) == serving.pid
    end_worker(workspace.root)
    serving.wait()


def test_an_idle_worker_ends_and_the_next_run_finds_another(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALGRID_WORKER_IDLE", "0.3")
    project = filled(workspace)
    first = workspace.start_run(project)
    wait_until(workspace, first, RunStatus.FINISHED)
    wait_for(lambda: not is_held(workspace.root / LOCK))
    second = workspace.start_run(project)
    wait_until(workspace, second, RunStatus.FINISHED)


def test_a_damaged_cell_is_computed_again_and_the_others_are_not(workspace: Workspace) -> None:
    project = filled(workspace)
    use_engine(workspace, "slow")
    run_id = workspace.start_run(project)
    kill_after(workspace, run_id, 3)
    before = computed(workspace.root)
    cells = sorted((workspace.run_folder(run_id) / "cells").glob("*.parquet"))
    cells[0].write_bytes(cells[0].read_bytes()[:100])
    use_engine(workspace, "quick")
    workspace.resume_run(run_id)
    wait_until(workspace, run_id, RunStatus.FINISHED)
    assert len(computed(workspace.root)[len(before) :]) == 6 - len(cells) + 1
    assert workspace.record(run_id) == undisturbed(workspace, project)


def test_a_worker_that_cannot_start_fails_the_run_and_names_its_log(workspace: Workspace) -> None:
    workspace.worker_arguments = ("--no-such-option",)
    run_id = workspace.start_run(filled(workspace))
    state = wait_until(workspace, run_id, *ENDS)
    assert state.status is RunStatus.FAILED
    assert "worker.log" in state.reason


def test_a_stopped_worker_goes_on_where_it_was(workspace: Workspace) -> None:
    use_engine(workspace, "slow")
    run_id = workspace.start_run(filled(workspace))
    wait_for(lambda: done(state_of(workspace, run_id)) >= 1)
    pid = worker_of(workspace.root)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.5)
    assert state_of(workspace, run_id).status is RunStatus.RUNNING
    os.kill(pid, signal.SIGCONT)
    assert wait_until(workspace, run_id, *ENDS).status is RunStatus.FINISHED
    assert len(computed(workspace.root)) == 6


def test_a_worker_that_stays_stopped_is_shown_as_interrupted_and_replaced_on_resume(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcore.workspace.queue.STALE_SECONDS", 1.5)
    use_engine(workspace, "slow")
    run_id = workspace.start_run(filled(workspace))
    wait_for(lambda: done(state_of(workspace, run_id)) >= 1)
    stopped = worker_of(workspace.root)
    os.kill(stopped, signal.SIGSTOP)
    wait_until(workspace, run_id, RunStatus.INTERRUPTED, seconds=4)
    workspace.resume_run(run_id)
    assert wait_until(workspace, run_id, RunStatus.FINISHED).status is RunStatus.FINISHED
    assert worker_of(workspace.root) != stopped
    assert len(computed(workspace.root)) == 6


def test_a_cancel_reaches_a_stopped_worker_too(workspace: Workspace) -> None:
    use_engine(workspace, "slow")
    run_id = workspace.start_run(filled(workspace))
    wait_for(lambda: done(state_of(workspace, run_id)) >= 1)
    os.kill(worker_of(workspace.root), signal.SIGSTOP)
    begun = time.monotonic()
    workspace.cancel_run(run_id)
    assert wait_until(workspace, run_id, *ENDS).status is RunStatus.CANCELLED
    assert time.monotonic() - begun < 2


def test_a_worker_that_keeps_the_database_to_itself_is_ended_on_cancel(workspace: Workspace) -> None:
    use_engine(workspace, "hoarding")
    run_id = workspace.start_run(filled(workspace))
    wait_until(workspace, run_id, RunStatus.RUNNING)
    time.sleep(1.0)
    begun = time.monotonic()
    workspace.cancel_run(run_id)
    assert wait_until(workspace, run_id, *ENDS).status is RunStatus.CANCELLED
    assert time.monotonic() - begun < 2
    assert workspace.create_project("Another").name == "Another"


def test_a_worker_killed_before_its_first_cell_loses_nothing_and_events_tell_the_story(
    workspace: Workspace,
) -> None:
    use_engine(workspace, "slow")
    run_id = workspace.start_run(filled(workspace))
    wait_until(workspace, run_id, RunStatus.RUNNING)
    kill_after(workspace, run_id, 0)
    assert state_of(workspace, run_id).status is RunStatus.INTERRUPTED
    use_engine(workspace, "quick")
    workspace.resume_run(run_id)
    wait_until(workspace, run_id, RunStatus.FINISHED)
    events = workspace.events(run_id)
    numbers = [event.seq for event in events]
    assert numbers == sorted(set(numbers))
    story = [event.kind for event in events if not event.kind.startswith("cell")]
    assert story == ["queued", "started", "interrupted", "resumed", "started", "finished"]
    assert sum(event.kind == "cell done" for event in events) == 6
    assert workspace.events(run_id, after=numbers[-2]) == events[-1:]


def test_progress_moves_and_time_left_is_told_while_a_run_works(workspace: Workspace) -> None:
    use_engine(workspace, "unhurried")
    run_id = workspace.start_run(filled(workspace))
    seen = []
    while (state := state_of(workspace, run_id)).is_live:
        seen.append(state)
        time.sleep(0.05)
    shown = [stage.done for state in seen for stage in state.stages if stage.stage.value == "embed"]
    assert len(set(shown)) >= 2
    assert shown == sorted(shown)
    left = [state.seconds_left for state in seen if state.seconds_left is not None]
    assert left
    assert max(left) < 60


def test_the_worker_survives_its_starter(workspace: Workspace, tmp_path: Path) -> None:
    project = filled(workspace)
    script = tmp_path / "server.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom evalcore.workspace import Workspace\n"
        "w = Workspace(Path(sys.argv[1]))\n"
        "w.worker_arguments = ('--engine', 'tests.run.fake_engine:slow')\n"
        "print(w.start_run(sys.argv[2]))\n"
    )
    command = [sys.executable, str(script), str(workspace.root), project]
    root = str(Path(__file__).resolve().parents[2])
    started = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True, check=True
    )
    wait_until(workspace, started.stdout.strip(), RunStatus.FINISHED)
