"""The workspace's SQLite file: numbered migrations, short transactions, a connection per call."""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from evalcore.errors import WorkspaceError
from evalcore.workspace.migrations import MIGRATIONS

BUSY_SECONDS = 10.0


def now() -> str:
    """Return the present moment in UTC as text that sorts by time."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def moment(text: str | None) -> datetime | None:
    """Read a moment that `now` wrote."""
    return datetime.fromisoformat(text) if text else None


def known_moment(text: str) -> datetime:
    """Read a moment that must be there."""
    return datetime.fromisoformat(text)


class DatabaseBusyError(WorkspaceError):
    """Another process has been writing for too long."""


class Database:
    """Opens `path`, creating or upgrading it; threads may share it: every call has its own connection.

    Raises:
        WorkspaceError: it cannot be opened or written, is damaged, or was made by a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._one_line():
            self._migrate()
            # Who closes a database last empties its log and locks out all others meanwhile: stay open.
            keeper = self._connect(shared=True)
            weakref.finalize(self, keeper.close)
            _version(keeper)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that sees one moment of the database.

        Raises:
            WorkspaceError: as the class says.
        """
        with self._one_line(), closing(self._connect()) as connection:
            connection.execute("BEGIN")
            yield connection
            connection.execute("ROLLBACK")

    @contextmanager
    def write(self, patience: float = BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
        """Give a connection that alone may write; all is kept on leaving, or nothing after an exception.

        Waits up to `patience` seconds for others that write.

        Raises:
            WorkspaceError: as the class says; DatabaseBusyError when others took longer.
        """
        with self._one_line(), closing(self._connect(patience)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _connect(self, patience: float = BUSY_SECONDS, shared: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=patience, isolation_level=None, check_same_thread=not shared
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _migrate(self) -> None:
        with closing(self._connect()) as connection:
            version = _version(connection)
            if version > len(MIGRATIONS):
                raise WorkspaceError(
                    f"{self.path.parent} was made by a newer version of this program; update the program"
                )
            if version == len(MIGRATIONS):
                _check_writable(self.path)
                return
            _use_wal(connection)
            connection.execute("BEGIN IMMEDIATE")
            for number in range(_version(connection), len(MIGRATIONS)):
                for statement in MIGRATIONS[number]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            kind = DatabaseBusyError if "locked" in str(error) else WorkspaceError
            raise kind(f"cannot use {self.path}: {error}; {_advice(error)}") from error


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check_writable(path: Path) -> None:
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise WorkspaceError(
            f"cannot write {path}: permission denied; fix that or choose another folder (EVALGRID_HOME)"
        )


def _use_wal(connection: sqlite3.Connection) -> None:
    # Changing the journal mode does not wait for another process that does the same.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _advice(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return "free some disk space"
    if "locked" in text:
        return "another program holds it; try again"
    if "readonly" in text or "unable to open" in text:
        return "fix the folder's permissions or choose another with EVALGRID_HOME"
    return "restore it from a copy or choose another folder with EVALGRID_HOME"
