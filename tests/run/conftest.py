from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from evalcore.run.launch import LOCK
from evalcore.run.lease import acquire, holder
from evalcore.run.worker import Worker
from evalcore.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """Open an empty workspace whose worker runs the quick fake engine and ends with the test."""
    monkeypatch.setenv("EVALGRID_WORKER_IDLE", "20")
    opened = Workspace(tmp_path / "home")
    use_engine(opened, "quick")
    yield opened
    end_worker(opened.root)


def use_engine(workspace: Workspace, name: str) -> None:
    workspace.worker_arguments = ("--engine", f"tests.run.fake_engine:{name}")


def worker_of(root: Path) -> int:
    pid = holder(root / LOCK)
    assert pid is not None, (root / "worker.log").read_text()
    return pid


def end_worker(root: Path) -> None:
    pid = holder(root / LOCK)
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Open an empty workspace that starts no worker; `serve` carries out what waits, in this process."""
    monkeypatch.setattr("evalcore.workspace.runs.ensure_worker", lambda *_: None)
    return Workspace(tmp_path / "home")


def serve(workspace: Workspace, engine: str = "quick") -> None:
    lease = acquire(workspace.root / LOCK, 1.0)
    assert lease is not None
    Worker(workspace, f"tests.run.fake_engine:{engine}", idle=0.0).serve()
    lease.release()
