"""A child process that reads files: killed and replaced when a file is too much for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalcore.corpus.document import Document
from evalcore.corpus.framing import read_message, unpack_document, write_message
from evalcore.corpus.limits import Limits, megabytes
from evalcore.errors import DocumentError

_PROJECT = Path(__file__).resolve().parents[2]
_MODULE = "evalcore.corpus.child"


class ReadingChild:
    """Reads files one after another in one child process. Not for two threads at once."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, name: str, data: bytes, *, layout: bool = False) -> Document:
        """Read one file within the limits; `layout` keeps the columns of a PDF apart.

        Raises:
            DocumentError: one line that begins with the file's name.
        """
        process = self._running()
        with _deadline(process, self._limits.seconds) as expired:
            header = {"name": name, "limits": asdict(self._limits), "layout": layout}
            answer = _exchange(process, header, data)
        if expired.is_set():
            self.close()
            raise DocumentError(f"{name}: {self._too_slow()}")
        if answer is None or "out_of_memory" in answer[0]:
            reason = self._too_large() if answer else _crashed(process)
            self.close()
            raise DocumentError(f"{name}: {reason}")
        if "error" in answer[0]:
            raise DocumentError(str(answer[0]["error"]))
        return unpack_document(*answer)

    def close(self) -> None:
        """End the child process, if any; the next `read` starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            _close_pipes(process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = _start()
        return self._process

    def _too_slow(self) -> str:
        return f"took longer than {self._limits.seconds:g} s to read; split it or save it in a simpler form"

    def _too_large(self) -> str:
        memory = megabytes(self._limits.memory_bytes)
        return f"needs more than {memory} of memory to read; split it or save it in a simpler form"


def _start() -> subprocess.Popen[bytes]:
    """Start a child that imports this project and never what lies in the current folder (`-P`)."""
    path = os.pathsep.join(part for part in (str(_PROJECT), os.environ.get("PYTHONPATH", "")) if part)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
    )


def _exchange(
    process: subprocess.Popen[bytes], header: dict[str, Any], data: bytes
) -> tuple[dict[str, Any], bytes] | None:
    """Send a request and wait for its answer; None when the child ends before."""
    if process.stdin is None or process.stdout is None:
        return None
    try:
        write_message(process.stdin, header, data)
        return read_message(process.stdout)
    except OSError:
        return None


@contextmanager
def _deadline(process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
    """Kill the process after so many seconds; the event tells whether that happened."""
    expired = threading.Event()

    def end() -> None:
        expired.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()


def _crashed(process: subprocess.Popen[bytes]) -> str:
    code = process.wait()
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return f"its reader broke down on it ({how}); open the file and save it anew"


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is None:
            continue
        try:
            pipe.close()
        except OSError:
            continue
