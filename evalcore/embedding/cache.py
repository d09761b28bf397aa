"""Vectors that were computed before: in a SQLite file that many processes may share, or in memory."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from evalcore.embedding.base import Role

T = TypeVar("T")
Row = npt.NDArray[np.float32]

_APPLICATION_ID = 0x65766772
_FORMAT = 1
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_KEYS_AT_ONCE = 500
_SECONDS_TO_WAIT = 30.0


class VectorStore(Protocol):
    """Keeps rows of float32 by key."""

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, Row]:
        """Return the rows that are there."""
        ...

    def put_many(self, rows: Mapping[bytes, Row]) -> None:
        """Keep the rows."""
        ...


def vector_key(identity: str, role: Role, prefix: str, precision: str, text: str) -> bytes:
    """Return the key (SHA-256, 32 bytes) of a text's vector: all that its bits depend on."""
    return hashlib.sha256(json.dumps([identity, role, prefix, precision, text]).encode("ascii")).digest()


class MemoryCache:
    """A store that lives as long as its process."""

    def __init__(self) -> None:
        self._rows: dict[bytes, Row] = {}

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, Row]:
        """Return the rows that are there."""
        return {key: self._rows[key] for key in keys if key in self._rows}

    def put_many(self, rows: Mapping[bytes, Row]) -> None:
        """Keep the rows."""
        self._rows.update(rows)


class VectorCache:
    """A store in a file; never a reason to fail.

    A file that is damaged or not ours is moved aside (`NAME.set-aside-1`) and a new one started; when the
    disk refuses, rows are kept in memory. `warnings` says so. Safe among threads and processes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._lock = threading.RLock()
        self._memory = MemoryCache()
        self._connection: sqlite3.Connection | None = None

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, Row]:
        """Return the rows that are there and undamaged."""
        wanted = list(dict.fromkeys(keys))
        found = self._memory.get_many(wanted)
        for start in range(0, len(wanted), _KEYS_AT_ONCE):
            part = wanted[start : start + _KEYS_AT_ONCE]
            stored = self._attempt(partial(_read, part))
            found.update(stored or {})
        return found

    def put_many(self, rows: Mapping[bytes, Row]) -> None:
        """Keep the rows; they are on disk when this returns, or in memory when the disk refuses."""
        if rows and self._attempt(partial(_write, rows)) is None:
            self._memory.put_many(rows)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _attempt(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do `action`, a second time on a new file if this one is damaged; None when the disk refuses."""
        with self._lock:
            for _ in range(2):
                try:
                    return action(self._opened())
                except (sqlite3.Error, OSError) as error:
                    self.close()
                    if not _is_damage(error):
                        self._warn(
                            f"the vector cache {self.path} cannot be used ({error}); vectors stay in memory"
                        )
                        return None
                    self._set_aside()
            return None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _set_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.set-aside-{number}")).exists():
            number += 1
        for ending in ("", "-wal", "-shm"):
            file = self.path.with_name(self.path.name + ending)
            if file.exists():
                file.replace(aside.with_name(aside.name + ending))
        self._warn(
            f"the vector cache {self.path} was damaged or not a cache; "
            f"it is now {aside.name} and a new one was started"
        )

    def _warn(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)


class _NotOursError(sqlite3.DatabaseError):
    """A sound database that is not a vector cache of this format."""


def _is_damage(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, _NotOursError) or (code is not None and (code & 0xFF) in _CORRUPT)


def _prepare(connection: sqlite3.Connection) -> None:
    """Check that the database is ours, or empty and then made ours.

    Raises:
        sqlite3.DatabaseError: it is damaged, or another program's.
    """
    mark = (_number(connection, "application_id"), _number(connection, "user_version"))
    if mark != (_APPLICATION_ID, _FORMAT):
        connection.execute("BEGIN IMMEDIATE")
        mark = (_number(connection, "application_id"), _number(connection, "user_version"))
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if mark != (_APPLICATION_ID, _FORMAT) and (tables or mark != (0, 0)):
            raise _NotOursError("not a vector cache")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors "
            "(key BLOB PRIMARY KEY, checksum INTEGER NOT NULL, vector BLOB NOT NULL)"
        )
        connection.execute(f"PRAGMA application_id={_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={_FORMAT}")
        connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _read(keys: list[bytes], connection: sqlite3.Connection) -> dict[bytes, Row]:
    marks = ",".join("?" * len(keys))
    rows = connection.execute(f"SELECT key, checksum, vector FROM vectors WHERE key IN ({marks})", keys)
    return {
        key: np.frombuffer(data, dtype="<f4").astype(np.float32)
        for key, checksum, data in rows
        if isinstance(data, bytes) and len(data) % 4 == 0 and zlib.crc32(data) == checksum
    }


def _write(rows: Mapping[bytes, Row], connection: sqlite3.Connection) -> bool:
    values = []
    for key, row in rows.items():
        data = np.ascontiguousarray(row, dtype="<f4").tobytes()
        values.append((key, zlib.crc32(data), data))
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", values)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return True
