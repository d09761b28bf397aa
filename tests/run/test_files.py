"""Files are written whole or not at all; a lock ends with its holder."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.errors import WorkspaceError
from evalcore.run.files import read_json, write_atomic, write_json
from evalcore.run.lease import acquire, holder, is_held
from tests.run.helpers import wait_for

HOLD = (
    "import sys, time\nfrom pathlib import Path\nfrom evalcore.run.lease import acquire\n"
    "lease = acquire(Path(sys.argv[1]), 1.0)\nprint('held' if lease else 'refused', flush=True)\n"
    "time.sleep(30)\n"
)


def test_a_write_that_fails_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.json"
    write_atomic(target, b"old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkspaceError, match=r"cannot write .*a\.json: No space left on device"):
        write_atomic(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WorkspaceError, match=r"cannot write .*file/a"):
        write_atomic(tmp_path / "file" / "a", b"")


def test_json_keeps_half_a_surrogate_pair(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"text": "\ud83d and 🙂"})
    assert read_json(tmp_path / "a.json") == {"text": "\ud83d and 🙂"}


def test_damaged_and_missing_json_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": ')
    with pytest.raises(WorkspaceError, match=r"a\.json is damaged"):
        read_json(tmp_path / "a.json")
    with pytest.raises(WorkspaceError, match=r"cannot read .*b\.json: No such file"):
        read_json(tmp_path / "b.json")


def test_a_lock_is_held_by_one_process_and_freed_by_its_death(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as output:
        assert output.readline() == "held\n"
        assert is_held(path)
        assert holder(path) == process.pid
        assert acquire(path, 0.1) is None
        os.kill(process.pid, signal.SIGKILL)
        wait_for(lambda: not is_held(path))
        assert holder(path) is None
        process.wait()
    lease = acquire(path, 0.1)
    assert lease is not None
    assert is_held(path)
    lease.release()
    assert not is_held(path)
