"""A sink that keeps a run in memory, for the command line and for calls from Python."""

from __future__ import annotations

from collections.abc import Callable

from evalcore.chunking.base import ChunkSet
from evalcore.grid import Configuration, grid_of
from evalcore.run.record import CellResult, FailedCellResult, RunInputs, RunRecord, Stage

Report = Callable[[Stage, int, int], None]
"""Called with (stage, done, total); raises RunCancelledError to stop."""


class MemorySink:
    """Keeps chunk sets and cells; `report` hears of progress."""

    def __init__(self, report: Report | None = None) -> None:
        self._report = report
        self._chunk_sets: dict[str, ChunkSet] = {}
        self._cells: dict[str, CellResult] = {}
        self._failed: dict[str, FailedCellResult] = {}
        self._planned: tuple[Configuration, ...] | None = None
        self._is_planned_whole = True

    def progress(self, stage: Stage, done: int, total: int) -> None:
        """Pass progress on."""
        if self._report is not None:
            self._report(stage, done, total)

    def finished(self) -> frozenset[str]:
        """Return the keys of the cells kept so far."""
        return frozenset(self._cells)

    def planned(self, configurations: tuple[Configuration, ...], last: bool) -> None:
        """Keep the plan of a staged grid."""
        self._planned, self._is_planned_whole = configurations, last

    def kept(self) -> tuple[CellResult, ...]:
        """Return the cells kept so far."""
        return tuple(self._cells.values())

    def running(self, configuration: Configuration) -> None:
        """Nothing to keep."""

    def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
        """Keep a strategy's chunks."""
        self._chunk_sets[strategy] = chunk_set

    def cell(self, cell: CellResult) -> None:
        """Keep a finished cell."""
        self._cells[cell.configuration.key] = cell

    def failed(self, cell: FailedCellResult) -> None:
        """Keep a failed cell."""
        self._failed[cell.configuration.key] = cell

    def record(self, inputs: RunInputs) -> RunRecord:
        """Return what was kept, in grid order."""
        planned = grid_of(inputs.settings).configurations if self._planned is None else self._planned
        keys = [c.key for c in planned]
        return RunRecord(
            inputs=inputs,
            chunk_sets=self._chunk_sets,
            cells=tuple(self._cells[key] for key in keys if key in self._cells),
            failed=tuple(self._failed[key] for key in keys if key in self._failed),
            complete=self._is_planned_whole
            and all(key in self._cells or key in self._failed for key in keys),
        )
