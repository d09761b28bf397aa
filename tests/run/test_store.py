"""A run's folder: what is finished, what is not, and the record of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.chunking.base import ChunkSet
from evalcore.errors import WorkspaceError
from evalcore.grid import Configuration, grid_of
from evalcore.run.inputs import FrozenInputs, inputs_key, read_inputs, write_inputs
from evalcore.run.record import FailedCellResult, Stage
from evalcore.run.store import RunStore, load_record
from tests.run.fake_engine import cell_of, chunks_of, quick
from tests.run.helpers import SETTINGS, inputs, questions

GRID = grid_of(SETTINGS).configurations


def full(folder: Path) -> RunStore:
    store = RunStore(folder, GRID)
    quick(inputs(), store)
    return store


def path_of(folder: Path, configuration: Configuration) -> Path:
    alone = folder / f"{configuration.strategy} {configuration.retriever}"
    RunStore(alone, GRID).cell(cell_of(inputs(), configuration))
    return folder / "cells" / next((alone / "cells").glob("*.parquet")).name


def test_a_full_folder_gives_a_complete_record_in_grid_order(tmp_path: Path) -> None:
    full(tmp_path)
    record = load_record(tmp_path, inputs(), GRID)
    assert record.complete
    assert [cell.configuration for cell in record.cells] == list(GRID)
    assert record.cells == tuple(cell_of(inputs(), c) for c in GRID)
    assert record.chunk_sets == {"fixed": chunks_of(inputs()), "recursive": chunks_of(inputs())}
    assert record.failed == ()


def test_an_empty_folder_gives_an_empty_record(tmp_path: Path) -> None:
    record = load_record(tmp_path, inputs(), GRID)
    assert (record.cells, record.failed, record.complete) == ((), (), False)


def test_only_cells_that_can_be_read_are_finished(tmp_path: Path) -> None:
    store = full(tmp_path)
    path_of(tmp_path, GRID[1]).write_bytes(b"PAR1 and then the power went")
    path_of(tmp_path, GRID[4]).unlink()
    assert store.finished() == {c.key for c in GRID} - {GRID[1].key, GRID[4].key}
    assert not load_record(tmp_path, inputs(), GRID).complete


def test_cells_without_their_chunks_are_not_finished(tmp_path: Path) -> None:
    store = full(tmp_path)
    for path in (tmp_path / "chunks").glob("*.parquet"):
        path.write_bytes(path.read_bytes()[:-1])
    assert store.finished() == frozenset()


def test_a_cell_that_points_beyond_its_chunks_is_not_finished(tmp_path: Path) -> None:
    store = full(tmp_path)
    store.chunks("fixed", ChunkSet(chunks_of(inputs()).chunks[:1]))
    assert store.finished() == {c.key for c in GRID if c.strategy == "recursive"}


def test_a_cell_of_another_configuration_under_the_same_name_is_not_finished(tmp_path: Path) -> None:
    full(tmp_path)
    path_of(tmp_path, GRID[0]).write_bytes(path_of(tmp_path, GRID[1]).read_bytes())
    assert GRID[0].key not in RunStore(tmp_path, GRID).finished()


def test_a_failed_cell_is_kept_until_it_succeeds(tmp_path: Path) -> None:
    store = RunStore(tmp_path, GRID[:2])
    store.chunks("fixed", chunks_of(inputs()))
    store.cell(cell_of(inputs(), GRID[0]))
    store.failed(FailedCellResult(GRID[1], "no model"))
    record = load_record(tmp_path, inputs(), GRID[:2])
    assert record.failed == (FailedCellResult(GRID[1], "no model"),)
    assert record.complete
    assert store.finished() == {GRID[0].key}
    store.cell(cell_of(inputs(), GRID[1]))
    assert load_record(tmp_path, inputs(), GRID[:2]).failed == ()


def test_what_an_interrupted_write_left_is_swept_away(tmp_path: Path) -> None:
    full(tmp_path)
    left = tmp_path / "cells" / ".abc.parquet.0123.tmp"
    left.write_bytes(b"half")
    RunStore(tmp_path, GRID)
    assert not left.exists()
    RunStore(tmp_path, GRID).progress(Stage.EMBED, 1, 2)


def frozen() -> FrozenInputs:
    return FrozenInputs((("warranty", "ab12"), ("returns", "cd34")), questions(), SETTINGS, GRID)


def test_inputs_come_back_equal(tmp_path: Path) -> None:
    write_inputs(tmp_path, frozen())
    assert read_inputs(tmp_path) == frozen()
    assert inputs_key(read_inputs(tmp_path)) == inputs_key(frozen())


@pytest.mark.parametrize("content", ["", "[]", '{"format": 1}', '{"format": 99}', '{"format": "x"}'])
def test_damaged_inputs_are_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "inputs.json").write_text(content)
    with pytest.raises(WorkspaceError, match=r"inputs\.json") as caught:
        read_inputs(tmp_path)
    assert "\n" not in str(caught.value)
