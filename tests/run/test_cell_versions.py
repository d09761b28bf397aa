"""Cells of earlier versions, which kept neither deep rankings nor measures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from evalcore.embedding.quality import EmbeddingQuality
from evalcore.run.record import CellMeasures, CellResult
from evalcore.run.tables import read_cell, write_cell
from tests.run.test_tables import CONFIGURATION, outcome

QUALITY = EmbeddingQuality(0.643, 0.155, None, 6.9, 0.0, 325)


def cell() -> CellResult:
    measures = CellMeasures(12.5, (0.1 + 0.2, 5e-324), 4096, 0.25, QUALITY)
    return CellResult(CONFIGURATION, (outcome(0.5, 0.25), outcome()), ((0, 1, 7), ()), measures)


def test_rankings_and_measures_come_back_to_the_last_bit(tmp_path: Path) -> None:
    for given in (cell(), replace(cell(), measures=CellMeasures(1.0, (1.0, 2.0), 0))):
        write_cell(tmp_path / "c.parquet", given)
        found = read_cell(tmp_path / "c.parquet")
        assert found == given
        assert found.measures == given.measures


def test_a_cell_without_the_later_columns_has_its_chunks_as_rankings(tmp_path: Path) -> None:
    target = tmp_path / "c.parquet"
    write_cell(target, replace(cell(), measures=None))
    table = pq.read_table(target)
    pq.write_table(table.drop_columns(["ranking"]), target)
    found = read_cell(target)
    assert found is not None
    assert found.rankings == ((0, 1), ())
    assert found.measures is None


def test_the_example_that_ships_can_be_read() -> None:
    folder = Path(__file__).resolve().parents[2] / "examples" / "run" / "cells"
    cells = [read_cell(path) for path in sorted(folder.glob("*.parquet"))]
    assert len(cells) == 15
    for found in cells:
        assert found is not None
        assert [r[:5] for r in found.rankings] == [o.chunks for o in found.outcomes]


def test_a_cell_made_without_rankings_takes_those_of_its_outcomes() -> None:
    made = CellResult(CONFIGURATION, (outcome(0.5, 0.25), outcome()))
    assert made.rankings == ((0, 1), ())
    assert made == replace(made, measures=CellMeasures(1.0, (), 0))
