"""A lock on a file that the system drops when its holder dies, however it dies."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_POLL_SECONDS = 0.02
# Windows locks a range of bytes, which nobody can then read: a place behind the content.
_PLACE = 1 << 20


class Lease:
    """Holds the lock of `path` until `release` or the end of the process; the file holds its process id."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path = path
        self._stream = stream

    def release(self) -> None:
        """Give the lock up."""
        self._stream.close()


def acquire(path: Path, timeout: float) -> Lease | None:
    """Take the lock of `path`, waiting up to `timeout` seconds; None when another process keeps it.

    Raises:
        OSError: the file cannot be written.
    """
    deadline = time.monotonic() + timeout
    stream = _open(path)
    while not _lock(stream, shared=False):
        if time.monotonic() > deadline:
            stream.close()
            return None
        time.sleep(_POLL_SECONDS)
    stream.seek(0)
    stream.truncate()
    stream.write(str(os.getpid()).encode("ascii"))
    stream.flush()
    return Lease(path, stream)


def is_held(path: Path) -> bool:
    """Return whether a living process holds the lock of `path`."""
    if not path.exists():
        return False
    with _open(path) as stream:
        # Shared, so that two who ask at the same time do not take each other for the holder.
        return not _lock(stream, shared=True)


def holder(path: Path) -> int | None:
    """Return the process id of the living holder, None when the lock is free."""
    if not is_held(path):
        return None
    try:
        return int(path.read_bytes())
    except (OSError, ValueError):
        return None


def _open(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)


if sys.platform == "win32":

    def _lock(stream: IO[bytes], *, shared: bool) -> bool:
        stream.seek(_PLACE)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(stream: IO[bytes], *, shared: bool) -> bool:
        try:
            fcntl.flock(stream, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
