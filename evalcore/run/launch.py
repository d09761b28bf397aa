"""Starting the worker: a process of its own that outlives who started it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from evalcore.errors import WorkspaceError
from evalcore.run.lease import is_held

LOG = "worker.log"
LOCK = "worker.lock"
LOG_BYTES = 5_000_000


# No worker is started more often than this for one folder: the last may not have taken its lock yet.
PAUSE_SECONDS = 3.0


@dataclass(slots=True)
class _Started:
    at: float
    pid: int
    code: int | None = None


_started: dict[Path, _Started] = {}


def ensure_worker(root: Path, closing: bool, extra: tuple[str, ...] = ()) -> None:
    """Start a worker unless one lives; `closing`: the living one is about to end and takes no more runs.

    Raises:
        WorkspaceError: as `start_worker` does.
    """
    if is_held(root / LOCK) and not closing:
        return
    last = _started.get(root)
    if last is not None and last.code is None and time.monotonic() - last.at < PAUSE_SECONDS:
        return
    start_worker(root, extra)


def last_failure(root: Path) -> str | None:
    """Return why the worker this process started last ended by itself, None when it did not; said once."""
    last = _started.get(root)
    if last is None or last.code is None or last.code <= 0:
        return None
    del _started[root]
    return f"the worker ended with code {last.code}; {root / LOG} says why"


def start_worker(root: Path, extra: tuple[str, ...] = ()) -> int:
    """Start a worker for the workspace at `root` and return its process id; `extra` are further arguments.

    Of two that start at the same time one ends by itself.

    Raises:
        WorkspaceError: the process or its log cannot be created.
    """
    command = [sys.executable, "-m", "evalcore.run.worker", "--home", str(root), *extra]
    try:
        _shorten(root / LOG)
        with (root / LOG).open("ab") as log:
            process = _detached(command, log.fileno())
    except OSError as error:
        raise WorkspaceError(f"cannot start the worker in {root}: {error.strerror or error}") from error
    started = _started[root] = _Started(time.monotonic(), process.pid)
    # Somebody must wait for it, or a dead worker stays a zombie as long as this process lives.
    threading.Thread(target=_reap, args=(process, started), name="evalgrid-reaper", daemon=True).start()
    return process.pid


def _reap(process: subprocess.Popen[bytes], started: _Started) -> None:
    started.code = process.wait()


def _detached(command: list[str], log: int) -> subprocess.Popen[bytes]:
    project = Path(__file__).resolve().parents[2]
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(project), *([inherited] if inherited else [])])
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd=project,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
        creationflags=flags,
    )


def _shorten(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".old.log"))
