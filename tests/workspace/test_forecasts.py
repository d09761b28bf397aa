"""Predictions of a project's next run: worked out by a process of its own, kept by its inputs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.run.forecasting import main, predict
from evalcore.run.lease import acquire
from evalcore.settings import Settings
from evalcore.workspace import Forecast, Workspace
from evalcore.workspace.forecasts import LOCK, SPEEDS

TEXT = b"# Fees\n\nA late return costs 15 %. Devices may be returned within 30 days of delivery.\n"
GRID = {"chunker": ["recursive:64"], "embedder": ["tfidf"], "index": ["dense", "bm25"], "mode": "factorial"}


@pytest.fixture
def workspace(workspace_home: Path) -> Workspace:
    return Workspace(workspace_home)


@pytest.fixture
def project(workspace: Workspace) -> str:
    found = workspace.create_project("Fees").id
    workspace.add_files(found, [("fees.md", TEXT)])
    workspace.save_settings(found, Settings.from_dict({"embedding": {"model": "tfidf"}, "grid": GRID}))
    return found


def test_a_project_without_documents_says_what_it_needs(workspace: Workspace) -> None:
    empty = workspace.create_project("Empty").id
    assert workspace.forecast(empty) == Forecast(problem="add documents to see what a run takes")


def test_a_process_works_it_out_and_it_is_kept(workspace: Workspace, project: str) -> None:
    found = workspace.forecast(project)
    assert found.is_pending
    until = time.monotonic() + 60
    while found.is_pending and time.monotonic() < until:
        time.sleep(0.1)
        found = workspace.forecast(project)
    assert found.estimate is not None, (workspace.root / "estimate.log").read_text()
    assert found.estimate.configurations == 2
    assert Workspace(workspace.root).kept_forecast(project) == found


def test_other_inputs_are_predicted_anew(workspace: Workspace, project: str) -> None:
    predict(workspace, project)
    assert workspace.kept_forecast(project) is not None
    workspace.save_questions(
        project, EvalSet("q", [EvalItem("q1", "What?", [GoldAnchor(None, "A late return costs 15 %.")])])
    )
    assert workspace.kept_forecast(project) is None
    predict(workspace, project)
    workspace.add_files(project, [("more.md", TEXT * 2)])
    assert workspace.kept_forecast(project) is None


def test_settings_that_cannot_run_are_kept_as_the_reason(workspace: Workspace, project: str) -> None:
    workspace.save_settings(project, Settings.from_dict({"grid": {**GRID, "chunker": ["nonsense"]}}))
    predict(workspace, project)
    kept = workspace.kept_forecast(project)
    assert kept is not None
    assert "unknown chunker 'nonsense'" in kept.problem


def test_a_damaged_prediction_is_worked_out_again(workspace: Workspace, project: str) -> None:
    predict(workspace, project)
    for path in (workspace.root / "estimates").glob("*/*.json"):
        path.write_text('{"problem": ""}')
    assert workspace.kept_forecast(project) is None


def test_speeds_that_cannot_be_read_are_measured_again(workspace: Workspace, project: str) -> None:
    (workspace.root / SPEEDS).write_text('{"a model": {"load": 1}}')
    assert predict(workspace, project).estimate is not None


def test_one_process_at_a_time(workspace: Workspace, project: str) -> None:
    lease = acquire(workspace.root / LOCK, 0)
    assert lease is not None
    assert main(["--home", str(workspace.root), "--project", project]) == 0
    assert workspace.kept_forecast(project) is None
    lease.release()
