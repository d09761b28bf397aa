"""The worker's side of the database: it takes runs, tells how they go and ends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import TYPE_CHECKING

from evalcore.errors import RunCancelledError
from evalcore.grid import Configuration
from evalcore.run.record import CellResult, FailedCellResult, Stage
from evalcore.workspace.database import Database, now
from evalcore.workspace.queue import add_event, end_orphans, end_run, insert_cells, show_done
from evalcore.workspace.rows import RunStatus

if TYPE_CHECKING:
    from collections.abc import Iterator


class Ledger:
    """What one worker, known by its token, writes about itself and its runs."""

    def __init__(self, database: Database, token: str) -> None:
        self.database = database
        self.token = token

    def enter(self, pid: int) -> None:
        """Register the worker, which holds the lock, and close what a dead one left open."""
        moment = now()
        with self.database.write() as connection:
            rows = connection.execute("SELECT worker FROM runs WHERE status IN ('running', 'cancelling')")
            for row in rows.fetchall():
                end_orphans(connection, row["worker"])
            connection.execute(
                "INSERT OR REPLACE INTO worker (id, token, pid, started, beats, beat, closing)"
                " VALUES (1, ?, ?, ?, 0, ?, 0)",
                (self.token, pid, moment, moment),
            )

    def leave(self) -> bool:
        """Say that the worker takes no more runs; False when one waits."""
        with self.database.write() as connection:
            if connection.execute("SELECT 1 FROM runs WHERE status = 'queued' LIMIT 1").fetchone():
                return False
            connection.execute("UPDATE worker SET closing = 1 WHERE token = ?", (self.token,))
            return True

    def beat(self) -> None:
        """Show that the worker lives."""
        with self.database.write() as connection:
            connection.execute(
                "UPDATE worker SET beats = beats + 1, beat = ? WHERE token = ?", (now(), self.token)
            )

    def take(self) -> str | None:
        """Take the run that waits longest, None when none does."""
        with self.database.read() as connection:
            if connection.execute("SELECT 1 FROM runs WHERE status = 'queued' LIMIT 1").fetchone() is None:
                return None
        with self.database.write() as connection:
            row = connection.execute(
                "SELECT id FROM runs WHERE status = 'queued' ORDER BY queued LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE runs SET status = 'running', worker = ?, started = ?, queued = NULL WHERE id = ?",
                (self.token, now(), row["id"]),
            )
            add_event(connection, row["id"], "started")
            return str(row["id"])

    def waits(self) -> bool:
        """Return whether a run waits in the queue."""
        with self.database.read() as connection:
            return connection.execute("SELECT 1 FROM runs WHERE status = 'queued'").fetchone() is not None

    def must_stop(self, run_id: str) -> bool:
        """Return whether somebody asked to cancel the run, or it is no longer this worker's."""
        with self.database.read() as connection:
            row = connection.execute("SELECT status, worker FROM runs WHERE id = ?", (run_id,)).fetchone()
        return row is None or row["status"] != RunStatus.RUNNING or row["worker"] != self.token

    def end(self, run_id: str, status: RunStatus, reason: str = "") -> None:
        """Close a run unless somebody else did."""
        with self.database.write() as connection:
            if self._is_ours(connection, run_id):
                end_run(connection, run_id, status, reason)

    def set_stages(self, run_id: str, stages: Mapping[Stage, tuple[int, int, float]]) -> None:
        """Note how far stages are: (done, total, seconds) each."""
        with self._own(run_id) as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO stages (run_id, stage, done, total, seconds) VALUES (?, ?, ?, ?, ?)",
                [(run_id, stage.value, *values) for stage, values in stages.items()],
            )

    def set_cells(self, run_id: str, configurations: Sequence[Configuration]) -> None:
        """Enter the cells that are not entered yet, all of them waiting."""
        with self._own(run_id) as connection:
            scored = connection.execute("SELECT questions FROM runs WHERE id = ?", (run_id,)).fetchone()[0]
            insert_cells(connection, run_id, configurations, scored)

    def set_finished(self, run_id: str, cells: Iterable[CellResult]) -> None:
        """Make the cells shown as done those that are."""
        with self._own(run_id) as connection:
            connection.execute("UPDATE cells SET state = 'waiting', reason = '' WHERE run_id = ?", (run_id,))
            for cell in cells:
                show_done(connection, run_id, cell)

    def cell_running(self, run_id: str, key: str) -> None:
        """Show a cell as being computed."""
        with self._own(run_id) as connection:
            connection.execute(
                "UPDATE cells SET state = 'running' WHERE run_id = ? AND key = ?", (run_id, key)
            )
            add_event(connection, run_id, "cell", key)

    def cell_done(self, run_id: str, cell: CellResult) -> None:
        """Show a cell as done, with its means."""
        with self._own(run_id) as connection:
            show_done(connection, run_id, cell)
            add_event(connection, run_id, "cell done", cell.configuration.key)

    def cell_failed(self, run_id: str, cell: FailedCellResult) -> None:
        """Show a cell as failed, with its reason."""
        key = cell.configuration.key
        with self._own(run_id) as connection:
            connection.execute(
                "UPDATE cells SET state = 'failed', reason = ?, recall = NULL, hit_rate = NULL, mrr = NULL"
                " WHERE run_id = ? AND key = ?",
                (cell.reason, run_id, key),
            )
            add_event(connection, run_id, "cell failed", f"{key}: {cell.reason}")

    def left_over(self, run_id: str) -> int:
        """Return how many cells are neither done nor failed."""
        with self.database.read() as connection:
            query = "SELECT COUNT(*) FROM cells WHERE run_id = ? AND state IN ('waiting', 'running')"
            return int(connection.execute(query, (run_id,)).fetchone()[0])

    def done(self, run_id: str) -> int:
        """Return how many cells are finished."""
        with self.database.read() as connection:
            query = "SELECT COUNT(*) FROM cells WHERE run_id = ? AND state = 'done'"
            return int(connection.execute(query, (run_id,)).fetchone()[0])

    @contextmanager
    def _own(self, run_id: str) -> Iterator[Connection]:
        with self.database.write() as connection:
            if not self._is_ours(connection, run_id):
                raise RunCancelledError("this run was closed or taken over")
            yield connection

    def _is_ours(self, connection: Connection, run_id: str) -> bool:
        query = "SELECT 1 FROM runs WHERE id = ? AND worker = ? AND status IN ('running', 'cancelling')"
        return connection.execute(query, (run_id, self.token)).fetchone() is not None
