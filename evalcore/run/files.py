"""Files of the workspace folder: written whole or not at all, named after what they hold."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evalcore.errors import WorkspaceError

TEMPORARY = ".tmp"


def sha256(data: bytes) -> str:
    """Return the SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def shelf(root: Path, key: str, suffix: str = "") -> Path:
    """Return where the content called `key` lies: in a folder named after its first two characters."""
    return root / key[:2] / f"{key}{suffix}"


@contextmanager
def one_line(what: str, path: Path) -> Iterator[None]:
    """Turn an OSError into one line that says what could not be done, where and why.

    Raises:
        WorkspaceError: in place of the OSError.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise WorkspaceError(f"cannot {what} {path}: {reason}; free space or fix its permissions") from error


def make_folder(path: Path) -> Path:
    """Create a folder and its parents when they are missing.

    Raises:
        WorkspaceError: when that is not possible.
    """
    with one_line("create the folder", path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that a reader finds the old content or the new, whatever happens; on disk on return.

    Raises:
        WorkspaceError: the folder cannot be written or the disk is full.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}{TEMPORARY}")
    with one_line("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


def write_json(path: Path, value: object) -> None:
    """Write `value` as JSON, ASCII only (lone surrogates survive), no NaN.

    Raises:
        WorkspaceError: as `write_atomic` does.
    """
    write_atomic(path, json.dumps(value, allow_nan=False).encode("ascii"))


def read_json(path: Path) -> Any:
    """Read JSON that `write_json` wrote.

    Raises:
        WorkspaceError: it is not there or damaged.
    """
    try:
        with one_line("read", path):
            return json.loads(path.read_bytes())
    except ValueError as error:
        raise WorkspaceError(f"{path} is damaged: it holds no JSON; restore it from a copy") from error


def sweep(folder: Path) -> None:
    """Delete what an interrupted write left behind in `folder`."""
    with suppress(OSError):
        for path in folder.glob(f".*{TEMPORARY}"):
            path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
