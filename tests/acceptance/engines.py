"""The real engine with something for a test to hold on to; the worker is told by `--engine`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from evalcore.run.engine import run_grid
from evalcore.run.record import CellResult, RunInputs
from evalcore.run.sink import WorkspaceSink

LOADING = "loading"
PAUSE = 0.15


def slow_cells(inputs: RunInputs, sink: WorkspaceSink, *, cache_path: Path | None = None) -> None:
    """Wait after each cell, so that a test can be sure to come between two."""
    keep = sink.cell

    def kept(cell: CellResult) -> None:
        keep(cell)
        time.sleep(PAUSE)

    sink.cell = kept  # type: ignore[method-assign]
    run_grid(inputs, sink, cache_path=cache_path)


def announced(inputs: RunInputs, sink: WorkspaceSink, *, cache_path: Path | None = None) -> None:
    """Leave a file in the workspace when torch begins to load."""
    assert cache_path is not None
    sys.meta_path.insert(0, Herald(cache_path.parent / LOADING))
    run_grid(inputs, sink, cache_path=cache_path)


class Herald(MetaPathFinder):
    """Stands before the importers and finds nothing itself."""

    def __init__(self, sign: Path) -> None:
        self._sign = sign

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "torch":
            self._sign.touch()
        return None
