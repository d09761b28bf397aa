"""A reading child that breaks down on files whose name says so; else it is the real one."""

from __future__ import annotations

import os
import signal
import sys

from evalcore.corpus import child
from evalcore.corpus.document import Document
from evalcore.corpus.limits import Limits
from evalcore.corpus.reading import read_bytes


def read_or_crash(name: str, data: bytes, limits: Limits) -> Document:
    if name == "crash.md":
        os.kill(os.getpid(), signal.SIGSEGV)
    return read_bytes(name, data, limits)


if __name__ == "__main__":
    child.read_bytes = read_or_crash
    sys.exit(child.main())
