"""Where a worker's run goes: cells to its folder, how it stands to the database."""

from __future__ import annotations

import threading
import time

from evalcore.chunking.base import ChunkSet
from evalcore.errors import RunCancelledError
from evalcore.grid import Configuration
from evalcore.run.ledger import Ledger
from evalcore.run.record import CellResult, FailedCellResult, Stage
from evalcore.run.store import RunStore


class WorkspaceSink:
    """The sink of one run. `cancelled` is set by another thread; the next call of `progress` raises.

    Progress is kept in memory and written by `flush`, which another thread calls a few times a second.
    """

    def __init__(self, run_id: str, store: RunStore, ledger: Ledger) -> None:
        self.run_id = run_id
        self.cancelled = threading.Event()
        self._store = store
        self._ledger = ledger
        self._stages: dict[Stage, tuple[int, int, float]] = {}
        self._changed: set[Stage] = set()
        self._lock = threading.Lock()
        self._last = time.monotonic()

    def progress(self, stage: Stage, done: int, total: int) -> None:
        """Note how far a stage is.

        Raises:
            RunCancelledError: when the user has asked to stop.
        """
        moment = time.monotonic()
        with self._lock:
            before, _, seconds = self._stages.get(stage, (0, 0, 0.0))
            # Time since the last call belongs to this stage when it got on meanwhile.
            worked = moment - self._last if done > before else 0.0
            self._stages[stage] = (done, total, seconds + worked)
            self._changed.add(stage)
            self._last = moment
        if self.cancelled.is_set():
            raise RunCancelledError("cancelled")

    def flush(self) -> None:
        """Write the progress noted since the last call."""
        with self._lock:
            changed = {stage: self._stages[stage] for stage in self._changed}
            self._changed.clear()
        if changed:
            self._ledger.set_stages(self.run_id, changed)

    def finished(self) -> frozenset[str]:
        """Return the keys of the cells that can be read back whole, and show these as done."""
        cells = self._store.cells()
        self._ledger.set_finished(self.run_id, cells)
        return frozenset(cell.configuration.key for cell in cells)

    def planned(self, configurations: tuple[Configuration, ...], last: bool) -> None:
        """Keep and show the cells of a staged run known so far."""
        self._store.planned(configurations, last)
        self._ledger.set_cells(self.run_id, configurations)

    def kept(self) -> tuple[CellResult, ...]:
        """Return the finished cells."""
        return self._store.kept()

    def running(self, configuration: Configuration) -> None:
        """Show that a cell has begun."""
        self._ledger.cell_running(self.run_id, configuration.key)

    def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
        """Keep the chunks of a strategy."""
        self._store.chunks(strategy, chunk_set)

    def cell(self, cell: CellResult) -> None:
        """Keep a finished cell and show it."""
        self._store.cell(cell)
        self._ledger.cell_done(self.run_id, cell)

    def failed(self, cell: FailedCellResult) -> None:
        """Keep a failed cell and show it."""
        self._store.failed(cell)
        self._ledger.cell_failed(self.run_id, cell)
