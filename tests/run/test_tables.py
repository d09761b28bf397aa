"""Chunks and cells on disk: exact, and a damaged file is noticed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.chunking.base import Chunk, ChunkSet
from evalcore.grid import Configuration
from evalcore.run.record import CellResult, QuestionOutcome
from evalcore.run.tables import read_cell, read_chunks, write_cell, write_chunks
from evalcore.specs import Spec
from evalcore.text.span import Span

CONFIGURATION = Configuration(
    parser="auto",
    chunker=Spec("recursive", (("overlap", 64), ("share", 0.1), ("tokenizer", "cl100k_base"))),
    embedder="sentence-transformers/all-MiniLM-L6-v2",
    index="dense",
    reranker=None,
    candidates=None,
    strategy="recursive:256",
    retriever="dense+a/b: c · d",
)
TEXT = st.text(st.characters(), min_size=1, max_size=20)


def chunk(text: str = "Ein Text\u2028mit 🙂", path: tuple[str, ...] = ("Top", "")) -> Chunk:
    return Chunk(Span("münchen/a.b", 3, 3 + len(text)), text, 7, True, path, False)


def outcome(*scores: float) -> QuestionOutcome:
    places = tuple(range(len(scores)))
    return QuestionOutcome("q 1", places, scores, (True,) * len(scores), (0,), 2, 1, True, 90, 12)


def test_chunks_come_back_equal(tmp_path: Path) -> None:
    chunks = ChunkSet((chunk(), chunk("b", ()), chunk("\ud83d alone")))
    write_chunks(tmp_path / "c.parquet", "recursive:256", chunks)
    assert read_chunks(tmp_path / "c.parquet") == ("recursive:256", chunks)


def test_no_chunks_come_back_as_no_chunks(tmp_path: Path) -> None:
    write_chunks(tmp_path / "c.parquet", "fixed", ChunkSet(()))
    assert read_chunks(tmp_path / "c.parquet") == ("fixed", ChunkSet(()))


@given(TEXT, st.lists(TEXT, max_size=3))
def test_any_text_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, text: str, path: list[str]
) -> None:
    target = tmp_path_factory.mktemp("chunks") / "c.parquet"
    chunks = ChunkSet((chunk(text, tuple(path)),))
    write_chunks(target, text, chunks)
    assert read_chunks(target) == (text, chunks)


@given(st.lists(st.floats(allow_nan=False), max_size=8))
def test_scores_come_back_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, scores: list[float]
) -> None:
    target = tmp_path_factory.mktemp("cells") / "c.parquet"
    write_cell(target, CellResult(CONFIGURATION, (outcome(*scores),)))
    found = read_cell(target)
    assert found is not None
    assert [s.hex() for s in found.outcomes[0].scores] == [s.hex() for s in scores]


def test_a_cell_comes_back_equal(tmp_path: Path) -> None:
    missed = QuestionOutcome("q2", (), (), (), (), 1, None, False, 0, 0)
    cell = CellResult(CONFIGURATION, (outcome(0.1 + 0.2, -0.0, 5e-324, math.pi), missed))
    write_cell(tmp_path / "c.parquet", cell)
    found = read_cell(tmp_path / "c.parquet")
    assert found == cell
    assert {type(v) for _, v in found.configuration.chunker.params} == {int, float, str}


def test_equal_cells_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_cell(tmp_path / name, CellResult(CONFIGURATION, (outcome(0.5, 0.25),)))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_file_cut_anywhere_is_no_cell(tmp_path: Path) -> None:
    target = tmp_path / "c.parquet"
    write_cell(target, CellResult(CONFIGURATION, (outcome(0.5, 0.25),)))
    whole = target.read_bytes()
    for length in range(0, len(whole), 97):
        target.write_bytes(whole[:length])
        assert read_cell(target) is None


def test_a_changed_byte_in_the_data_is_noticed(tmp_path: Path) -> None:
    target = tmp_path / "c.parquet"
    cell = CellResult(CONFIGURATION, tuple(outcome(n / 7, n / 9) for n in range(200)))
    write_cell(target, cell)
    whole = target.read_bytes()
    for place in range(4, len(whole), 61):
        changed = bytearray(whole)
        changed[place] ^= 0x10
        target.write_bytes(bytes(changed))
        found = read_cell(target)
        assert found is None or found.outcomes == cell.outcomes


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all", b"PAR1" * 50])
def test_other_content_is_neither_chunks_nor_cell(tmp_path: Path, content: bytes) -> None:
    target = tmp_path / "c.parquet"
    target.write_bytes(content)
    assert read_cell(target) is None
    assert read_chunks(target) is None


def test_a_missing_file_and_a_file_of_the_other_kind_are_not_there(tmp_path: Path) -> None:
    assert read_cell(tmp_path / "none.parquet") is None
    write_chunks(tmp_path / "c.parquet", "fixed", ChunkSet((chunk(),)))
    assert read_cell(tmp_path / "c.parquet") is None
