"""What the worker makes of the runs that wait, seen without a process of its own."""

from __future__ import annotations

import logging

import pytest

from evalcore.workspace import RunStatus, Workspace
from tests.run.conftest import serve
from tests.run.helpers import computed, done, filled, seeded, state_of


def test_means_on_screen_are_those_of_the_outcomes(queue: Workspace) -> None:
    run_id = queue.start_run(filled(queue))
    serve(queue)
    for shown, cell in zip(state_of(queue, run_id).cells, queue.record(run_id).cells, strict=True):
        found = sum(outcome.hit for outcome in cell.outcomes)
        assert (shown.recall, shown.hit_rate, shown.mrr) == (found / 4, found / 4, found / 8)


def test_equal_inputs_run_again_once_the_first_run_has_ended(queue: Workspace) -> None:
    project = filled(queue)
    first = queue.start_run(project)
    assert queue.start_run(project) == first
    serve(queue)
    assert queue.start_run(project) != first


def test_runs_are_carried_out_in_the_order_they_were_started(queue: Workspace) -> None:
    project = filled(queue)
    runs = []
    for seed in range(3):
        queue.save_settings(project, seeded(seed))
        runs.append(queue.start_run(project))
    assert [state_of(queue, run).position for run in runs] == [1, 2, 3]
    serve(queue)
    states = [state_of(queue, run) for run in runs]
    assert {(state.status, state.position) for state in states} == {(RunStatus.FINISHED, 0)}
    started = [state.started for state in states]
    assert started == sorted(started, key=str)
    assert [state.id for state in queue.runs(project)] == runs[::-1]


def test_a_waiting_run_is_cancelled_at_once_and_waits_again_on_resume(queue: Workspace) -> None:
    run_id = queue.start_run(filled(queue))
    queue.cancel_run(run_id)
    assert (state_of(queue, run_id).status, state_of(queue, run_id).position) == (RunStatus.CANCELLED, 0)
    serve(queue)
    assert computed(queue.root) == []
    queue.resume_run(run_id)
    serve(queue)
    assert state_of(queue, run_id).status is RunStatus.FINISHED


def test_failed_cells_leave_the_others_and_can_be_tried_again(queue: Workspace) -> None:
    run_id = queue.start_run(filled(queue))
    serve(queue, "half_failing")
    state = state_of(queue, run_id)
    assert (state.status, state.can_resume) == (RunStatus.FINISHED, True)
    failed = [cell for cell in state.cells if cell.state == "failed"]
    assert [(cell.retriever, cell.reason, cell.recall) for cell in failed] == [
        ("bm25", "no words in common", None)
    ] * 2
    record = queue.record(run_id)
    assert record.complete
    assert [cell.reason for cell in record.failed] == ["no words in common"] * 2
    queue.resume_run(run_id)
    serve(queue, "quick")
    assert done(state_of(queue, run_id)) == 6
    assert queue.record(run_id).failed == ()
    assert len(computed(queue.root)) == 6


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("broken", "ValueError: a fault in two lines; details in {log}"),
        ("without_model", "the model is not here"),
    ],
)
def test_a_run_that_cannot_be_carried_out_says_why_in_one_line(
    queue: Workspace, caplog: pytest.LogCaptureFixture, engine: str, reason: str
) -> None:
    project = filled(queue)
    run_id = queue.start_run(project)
    with caplog.at_level(logging.ERROR):
        serve(queue, engine)
    state = state_of(queue, run_id)
    log = queue.root / "worker.log"
    assert (state.status, state.reason) == (RunStatus.FAILED, reason.format(log=log))
    assert ("Traceback" in caplog.text) == (engine == "broken")


def test_inputs_damaged_on_disk_fail_the_run_and_not_the_next(queue: Workspace) -> None:
    project = filled(queue)
    damaged = queue.start_run(project)
    queue.save_settings(project, seeded(1))
    whole = queue.start_run(project)
    (queue.run_folder(damaged) / "inputs.json").write_bytes(b'{"format": 1')
    serve(queue)
    state = state_of(queue, damaged)
    assert state.status is RunStatus.FAILED
    assert "inputs.json is damaged" in state.reason
    assert "\n" not in state.reason
    assert state_of(queue, whole).status is RunStatus.FINISHED


def test_a_run_keeps_its_inputs_when_the_project_changes(queue: Workspace) -> None:
    project = filled(queue)
    before = queue.corpus(project), queue.questions(project), queue.settings(project)
    run_id = queue.start_run(project)
    queue.add_files(project, [("warranty.md", b"Nothing is left of it.")])
    queue.remove_files(project, ["returns.txt"])
    queue.save_settings(project, seeded(7))
    serve(queue)
    inputs = queue.record(run_id).inputs
    assert (inputs.corpus, inputs.evalset, inputs.settings) == before
    assert queue.corpus(project) != before[0]


def test_a_run_planned_by_another_version_is_not_shown_as_finished(queue: Workspace) -> None:
    run_id = queue.start_run(filled(queue))
    with queue.database.write() as connection:
        connection.execute("UPDATE cells SET key = key || ' of old' WHERE run_id = ?", (run_id,))
    serve(queue)
    state = state_of(queue, run_id)
    assert state.status is RunStatus.FAILED
    assert "6 cells were not computed" in state.reason


def test_a_disk_that_is_full_for_a_moment_fails_the_run_with_one_line(
    queue: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = queue.start_run(filled(queue))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("evalcore.run.files.os.fsync", full)
        serve(queue)
    state = state_of(queue, run_id)
    assert state.status is RunStatus.FAILED
    assert "No space left on device" in state.reason
    queue.resume_run(run_id)
    serve(queue)
    assert state_of(queue, run_id).status is RunStatus.FINISHED
