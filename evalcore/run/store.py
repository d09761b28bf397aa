"""A run's folder: chunk sets and cells as they come about, read back as a record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from evalcore.chunking.base import ChunkSet
from evalcore.errors import WorkspaceError
from evalcore.grid import Configuration
from evalcore.run.files import make_folder, read_json, sweep, write_json
from evalcore.run.inputs import configuration_from_dict, configuration_to_dict
from evalcore.run.record import CellResult, FailedCellResult, RunInputs, RunRecord, Stage
from evalcore.run.tables import read_cell, read_chunks, write_cell, write_chunks


class RunStore:
    """A sink that keeps everything in a folder and never cancels.

    A file that is missing, half-written or damaged counts as not there: its cell is not finished. So do
    cells whose chunk set is. `configurations` are the run's; others in the folder are ignored. Of a staged
    run they are the ones known at its start, and the folder holds those that followed.
    """

    def __init__(self, folder: Path, configurations: Sequence[Configuration]) -> None:
        self.folder = folder
        self.configurations, _ = _plan(folder, configurations)
        for part in (_chunks_folder(folder), _cells_folder(folder)):
            sweep(make_folder(part))

    def progress(self, stage: Stage, done: int, total: int) -> None:
        """Do nothing: a folder shows no progress."""

    def planned(self, configurations: tuple[Configuration, ...], last: bool) -> None:
        """Write all cells of a staged run known so far.

        Raises:
            WorkspaceError: the folder cannot be written.
        """
        self.configurations = configurations
        cells = [configuration_to_dict(c) for c in configurations]
        write_json(_plan_path(self.folder), {"cells": cells, "last": last})

    def kept(self) -> tuple[CellResult, ...]:
        """Return the finished cells, in grid order."""
        return self.cells()

    def finished(self) -> frozenset[str]:
        """Return the keys of the cells that can be read back whole."""
        return frozenset(cell.configuration.key for cell in self.cells())

    def running(self, configuration: Configuration) -> None:
        """Do nothing: a folder holds finished cells only."""

    def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
        """Write the chunks of a strategy.

        Raises:
            WorkspaceError: the folder cannot be written.
        """
        write_chunks(_chunks_path(self.folder, strategy), strategy, chunk_set)

    def cell(self, cell: CellResult) -> None:
        """Write a finished cell.

        Raises:
            WorkspaceError: the folder cannot be written.
        """
        write_cell(_cell_path(self.folder, cell.configuration.key), cell)
        _failure_path(self.folder, cell.configuration.key).unlink(missing_ok=True)

    def failed(self, cell: FailedCellResult) -> None:
        """Write why a cell could not be computed.

        Raises:
            WorkspaceError: the folder cannot be written.
        """
        key = cell.configuration.key
        write_json(_failure_path(self.folder, key), {"key": key, "reason": cell.reason})

    def cells(self) -> tuple[CellResult, ...]:
        """Return the finished cells, in grid order."""
        return _load_cells(self.folder, self.configurations, _load_chunks(self.folder, self.configurations))


def load_record(folder: Path, inputs: RunInputs, configurations: Sequence[Configuration]) -> RunRecord:
    """Read what the run in `folder` has come to; `configurations` are its grid as known at its start."""
    configurations, is_whole = _plan(folder, configurations)
    chunk_sets = _load_chunks(folder, configurations)
    cells = _load_cells(folder, configurations, chunk_sets)
    finished = {cell.configuration.key for cell in cells}
    failures = [_load_failure(folder, c) for c in configurations if c.key not in finished]
    failed = tuple(failure for failure in failures if failure is not None)
    if inputs.settings.grid is not None and inputs.settings.grid.mode == "staged" and is_whole is None:
        is_whole = False
    complete = is_whole is not False and len(cells) + len(failed) == len(configurations)
    return RunRecord(inputs, chunk_sets, cells, failed, complete)


def _plan(
    folder: Path, configurations: Sequence[Configuration]
) -> tuple[tuple[Configuration, ...], bool | None]:
    """Return the cells a staged run has come to and whether these are all; None where no plan was written."""
    path = _plan_path(folder)
    if path.exists():
        try:
            content = read_json(path)
            return tuple(configuration_from_dict(c) for c in content["cells"]), content["last"] is True
        except (WorkspaceError, KeyError, ValueError, TypeError):
            pass  # the run starts again at its first stage and finds its cells
    return tuple(configurations), None


def _load_chunks(folder: Path, configurations: Sequence[Configuration]) -> dict[str, ChunkSet]:
    found: dict[str, ChunkSet] = {}
    for strategy in dict.fromkeys(c.strategy for c in configurations):
        loaded = read_chunks(_chunks_path(folder, strategy))
        if loaded is not None and loaded[0] == strategy:
            found[strategy] = loaded[1]
    return found


def _load_cells(
    folder: Path, configurations: Sequence[Configuration], chunk_sets: dict[str, ChunkSet]
) -> tuple[CellResult, ...]:
    cells: list[CellResult] = []
    for configuration in configurations:
        chunk_set = chunk_sets.get(configuration.strategy)
        cell = None if chunk_set is None else read_cell(_cell_path(folder, configuration.key))
        if cell is None or chunk_set is None or cell.configuration != configuration:
            continue
        shown = [*(outcome.chunks for outcome in cell.outcomes), *cell.rankings]
        if all(place < len(chunk_set) for places in shown for place in places):
            cells.append(cell)
    return tuple(cells)


def _load_failure(folder: Path, configuration: Configuration) -> FailedCellResult | None:
    path = _failure_path(folder, configuration.key)
    if not path.exists():
        return None
    try:
        return FailedCellResult(configuration, str(read_json(path)["reason"]))
    except (WorkspaceError, KeyError, TypeError):
        return None


def _chunks_folder(folder: Path) -> Path:
    return folder / "chunks"


def _cells_folder(folder: Path) -> Path:
    return folder / "cells"


def _plan_path(folder: Path) -> Path:
    return _cells_folder(folder) / "plan.json"


# Names hold colons, slashes and spaces, which not every file system takes.
def _file_name(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _chunks_path(folder: Path, strategy: str) -> Path:
    return _chunks_folder(folder) / f"{_file_name(strategy)}.parquet"


def _cell_path(folder: Path, key: str) -> Path:
    return _cells_folder(folder) / f"{_file_name(key)}.parquet"


def _failure_path(folder: Path, key: str) -> Path:
    return _cells_folder(folder) / f"{_file_name(key)}.json"
