"""The reading child: reads one file after another for its parent, under a memory limit (`python -m`)."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from evalcore.corpus.framing import pack_document, read_message, write_message
from evalcore.corpus.limits import Limits
from evalcore.corpus.reading import read_bytes
from evalcore.errors import DocumentError

_GRACE_SECONDS = 10


def main() -> int:
    """Answer requests on standard input until it closes."""
    answers = _take_standard_output()
    baseline = _memory_in_use()
    while message := read_message(sys.stdin.buffer):
        header, data = message
        limits = Limits(**header["limits"])
        _set_timer(limits.seconds + _GRACE_SECONDS)
        _limit_memory(limits.memory_bytes + baseline)
        layout = {"layout": True} if header.get("layout") else {}
        if not _answer(answers, header["name"], data, limits, layout):
            return 1
        _set_timer(0)
    return 0


def _answer(answers: BinaryIO, name: str, data: bytes, limits: Limits, layout: dict[str, bool]) -> bool:
    """Read one file and send the result; False when this process should not go on."""
    try:
        header, payload = pack_document(read_bytes(name, data, limits, **layout))
        write_message(answers, header, payload)
    except DocumentError as error:
        write_message(answers, {"error": str(error)})
    except MemoryError:
        write_message(answers, {"out_of_memory": True})
        return False
    return True


def _take_standard_output() -> BinaryIO:
    """Keep standard output for answers alone: whatever a library prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answers


def _memory_in_use() -> int:
    """Return this process's private data in bytes, 0 where the platform does not tell."""
    try:
        found = re.search(r"VmData:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    except OSError:
        return 0
    return int(found.group(1)) * 1024 if found else 0


def _set_timer(seconds: float) -> None:
    """End this process by itself after so long (0: never), should its parent be gone and unable to do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(size: int) -> None:
    """Bound this process's private data, where the platform can."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    size = size if hard == resource.RLIM_INFINITY else min(size, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


if __name__ == "__main__":
    sys.exit(main())
