"""The runs' way through the database: queued, stopped, resumed, and found dead with their worker."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from evalcore.grid import Configuration
from evalcore.run.launch import LOCK
from evalcore.run.lease import holder, is_held
from evalcore.run.record import CellResult
from evalcore.workspace.database import Database, DatabaseBusyError, now
from evalcore.workspace.rows import RunStatus

STALE_SECONDS = 60.0
CANCEL_SECONDS = 1.75
LOCKED_SECONDS = 1.0
_POLL_SECONDS = 0.05


def add_event(connection: Connection, run_id: str, kind: str, text: str = "") -> None:
    """Append an event to a run."""
    connection.execute(
        "INSERT INTO events (run_id, time, kind, text) VALUES (?, ?, ?, ?)", (run_id, now(), kind, text)
    )


def enqueue(connection: Connection, run_id: str, kind: str = "queued") -> None:
    """Put a run at the end of the queue."""
    last = connection.execute("SELECT COALESCE(MAX(queued), 0) FROM runs").fetchone()[0]
    connection.execute(
        "UPDATE runs SET status = 'queued', queued = ?, worker = NULL, cancel_asked = NULL, reason = '',"
        " ended = NULL WHERE id = ?",
        (last + 1, run_id),
    )
    connection.execute("DELETE FROM stages WHERE run_id = ?", (run_id,))
    connection.execute(
        "UPDATE cells SET state = 'waiting', reason = '' WHERE run_id = ? AND state != 'done'", (run_id,)
    )
    add_event(connection, run_id, kind)


def end_run(connection: Connection, run_id: str, status: RunStatus, reason: str = "") -> None:
    """Close a run; cells that were being computed wait again."""
    connection.execute(
        "UPDATE runs SET status = ?, reason = ?, ended = ?, worker = NULL, cancel_asked = NULL WHERE id = ?",
        (status.value, reason, now(), run_id),
    )
    connection.execute("UPDATE cells SET state = 'waiting' WHERE run_id = ? AND state = 'running'", (run_id,))
    add_event(connection, run_id, status.value, reason)


def insert_cells(
    connection: Connection, run_id: str, configurations: Sequence[Configuration], questions: int
) -> None:
    """Enter a run's cells in grid order, all of them waiting; those that are there stay as they are."""
    connection.executemany(
        "INSERT OR IGNORE INTO cells (run_id, position, key, strategy, retriever, label, state, questions)"
        " VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?)",
        [
            (run_id, place, c.key, c.strategy, c.retriever, c.label, questions)
            for place, c in enumerate(configurations)
        ],
    )


def show_done(connection: Connection, run_id: str, cell: CellResult) -> None:
    """Show a cell as done, with the means over its questions."""
    count = len(cell.outcomes)
    recall = sum(o.recall for o in cell.outcomes) / count
    hits = sum(o.hit for o in cell.outcomes) / count
    reciprocal = sum(1 / o.first_hit_rank for o in cell.outcomes if o.first_hit_rank) / count
    connection.execute(
        "UPDATE cells SET state = 'done', reason = '', recall = ?, hit_rate = ?, mrr = ?, questions = ?"
        " WHERE run_id = ? AND key = ?",
        (recall, hits, reciprocal, count, run_id, cell.configuration.key),
    )


def end_orphans(connection: Connection, token: str) -> None:
    """Close the runs of a worker that is dead: interrupted, or cancelled when that was asked for."""
    for row in connection.execute(
        "SELECT id, status FROM runs WHERE worker = ? AND status IN ('running', 'cancelling')", (token,)
    ).fetchall():
        asked = row["status"] == RunStatus.CANCELLING
        end_run(connection, row["id"], RunStatus.CANCELLED if asked else RunStatus.INTERRUPTED)


def bury(database: Database, root: Path) -> None:
    """Close runs whose worker is dead. Cheap when nothing runs."""
    # The tokens are read before the lock is tried: a worker that starts in between has another token.
    with database.read() as connection:
        tokens = _tokens_at_work(connection)
    if tokens and not is_held(root / LOCK):
        with database.write() as connection:
            for token in tokens:
                end_orphans(connection, token)


def _tokens_at_work(connection: Connection) -> list[str]:
    rows = connection.execute("SELECT worker FROM runs WHERE status IN ('running', 'cancelling')").fetchall()
    return [row["worker"] for row in rows]


def ask_to_cancel(connection: Connection, run_id: str) -> bool:
    """Cancel a run that waits, or ask the worker to stop one that runs; True when it must be waited for."""
    row = connection.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        return False
    if row["status"] == RunStatus.QUEUED:
        end_run(connection, run_id, RunStatus.CANCELLED)
        return False
    if row["status"] != RunStatus.RUNNING:
        return False
    connection.execute(
        "UPDATE runs SET status = 'cancelling', cancel_asked = ? WHERE id = ?", (time.time(), run_id)
    )
    add_event(connection, run_id, "cancelling")
    return True


def enforce_cancel(database: Database, root: Path, run_id: str, seconds: float = CANCEL_SECONDS) -> None:
    """Wait until a run that is being cancelled has ended, and kill its worker when it does not in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not _is_cancelling(database, run_id):
            return
        time.sleep(_POLL_SECONDS)
    kill_for(database, root, run_id)


def free_lock(database: Database, root: Path, run_id: str) -> None:
    """Kill the run's worker if it keeps others from writing, stopped in the middle of a transaction."""
    try:
        with database.write(LOCKED_SECONDS):
            return
    except DatabaseBusyError:
        with database.read() as connection:
            row = connection.execute(
                "SELECT worker.pid FROM runs JOIN worker ON worker.token = runs.worker WHERE runs.id = ?"
                " AND status IN ('running', 'cancelling')",
                (run_id,),
            ).fetchone()
        if row is not None:
            _kill(root, row["pid"])


def kill_for(database: Database, root: Path, run_id: str) -> None:
    """Kill the worker if it still works on a run that is to be cancelled, and close that run."""
    with database.write() as connection:
        # Under the write lock the worker cannot pass on to another run meanwhile.
        row = connection.execute(
            "SELECT runs.worker, worker.pid FROM runs JOIN worker ON worker.token = runs.worker"
            " WHERE runs.id = ? AND status = 'cancelling'",
            (run_id,),
        ).fetchone()
        if row is None:
            return
        _kill(root, row["pid"])
        end_orphans(connection, row["worker"])


def _kill(root: Path, pid: int) -> None:
    """Kill the worker if it lives; another process that has got its number does not hold the lock."""
    if holder(root / LOCK) != pid:
        return
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _is_cancelling(database: Database, run_id: str) -> bool:
    with database.read() as connection:
        row = connection.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
    return row is not None and row["status"] == RunStatus.CANCELLING


@dataclass(slots=True)
class _Seen:
    beats: tuple[str, int]
    since: float


class Pulse:
    """Tells when a worker stopped answering by counting its beats, whatever the clocks are set to."""

    def __init__(self) -> None:
        self._seen: _Seen | None = None
        self._lock = threading.Lock()

    def is_stale(self, connection: Connection) -> bool:
        """Return whether the worker's beat has not changed for STALE_SECONDS of watching."""
        row = connection.execute("SELECT token, beats FROM worker").fetchone()
        if row is None:
            return False
        beats = (row["token"], row["beats"])
        with self._lock:
            if self._seen is None or self._seen.beats != beats:
                self._seen = _Seen(beats, time.monotonic())
            return time.monotonic() - self._seen.since > STALE_SECONDS
