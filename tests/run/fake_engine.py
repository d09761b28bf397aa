"""Engines for the worker's tests: they go through a grid as the real one does, but compute nothing."""

from __future__ import annotations

import ctypes
import hashlib
import time
from pathlib import Path

from evalcore.chunking.base import Chunk, ChunkSet
from evalcore.errors import ModelError
from evalcore.grid import Configuration, grid_of
from evalcore.run.record import CellResult, FailedCellResult, QuestionOutcome, RunInputs, Sink, Stage
from evalcore.run.sink import WorkspaceSink
from evalcore.text.span import Span

STEPS = 10


def quick(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    go(inputs, sink, cache_path, pause=0.0)


def slow(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    go(inputs, sink, cache_path, pause=0.025)


def unhurried(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    """Take long enough over each step that every write of the progress can be seen."""
    go(inputs, sink, cache_path, pause=0.2)


def half_failing(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    go(inputs, sink, cache_path, pause=0.0, failing=cache_path is not None and not mended(cache_path))


def deaf(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    """Finish one cell and then never look up again."""
    configuration = grid_of(inputs.settings).configurations[0]
    sink.chunks(configuration.strategy, chunks_of(inputs))
    sink.cell(cell_of(inputs, configuration))
    time.sleep(60)


def frozen(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    """Hold the interpreter's lock, so that no other thread of the worker runs either."""
    sink.progress(Stage.CHUNK, 0, 1)
    time.sleep(0.5)
    ctypes.PyDLL(None).sleep(60)


def hoarding(inputs: RunInputs, sink: WorkspaceSink, *, cache_path: Path | None = None) -> None:
    """Keep the database to itself, as a process that is stopped in a transaction does."""
    sink.progress(Stage.CHUNK, 0, 1)
    time.sleep(0.5)
    with sink._ledger.database.write():
        time.sleep(60)


def broken(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    raise ValueError("a fault\nin two lines")


def without_model(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    raise ModelError("the model is not here")


def exiting(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    raise SystemExit(3)


def go(inputs: RunInputs, sink: Sink, cache_path: Path | None, pause: float, failing: bool = False) -> None:
    finished = sink.finished()
    todo = [c for c in grid_of(inputs.settings).configurations if c.key not in finished]
    strategies = list(dict.fromkeys(c.strategy for c in todo))
    for number, strategy in enumerate(strategies, start=1):
        sink.chunks(strategy, chunks_of(inputs))
        sink.progress(Stage.CHUNK, number, len(strategies))
    for step in range(1, STEPS + 1):
        time.sleep(pause)
        sink.progress(Stage.EMBED, 8 * step, 8 * STEPS)
    for number, configuration in enumerate(todo, start=1):
        sink.running(configuration)
        time.sleep(pause * 5)
        sink.progress(Stage.SEARCH, number - 1, len(todo))
        if failing and configuration.retriever == "bm25":
            sink.failed(FailedCellResult(configuration, "no words in common"))
        else:
            sink.cell(cell_of(inputs, configuration))
            note(cache_path, configuration.key)
        sink.progress(Stage.SEARCH, number, len(todo))


def chunks_of(inputs: RunInputs) -> ChunkSet:
    found: list[Chunk] = []
    for document in inputs.corpus:
        middle = max(1, len(document.text) // 2)
        for start, end in ((0, middle), (middle, len(document.text))):
            text = document.text[start:end]
            if text.strip():
                found.append(Chunk(Span(document.id, start, end), text, len(text), False, ("Top",), False))
    return ChunkSet(tuple(found))


def cell_of(inputs: RunInputs, configuration: Configuration) -> CellResult:
    outcomes = []
    for item in inputs.evalset.scored:
        digest = hashlib.sha256(f"{configuration.key} {item.id}".encode()).digest()
        hit = digest[0] < 128
        outcomes.append(
            QuestionOutcome(
                question_id=item.id,
                chunks=(0, 1),
                scores=(1 / (3 + digest[1]), 0.1 + 0.2),
                is_hit=(False, hit),
                found=(0,) if hit else (),
                slots=len(item.slots),
                first_hit_rank=2 if hit else None,
                split=False,
                tokens=digest[2],
                found_tokens=1 if hit else 0,
            )
        )
    return CellResult(configuration, tuple(outcomes))


def note(cache_path: Path | None, key: str) -> None:
    """Write down that a cell was computed, to see which are computed again."""
    if cache_path is not None:
        with (cache_path.parent / "computed.log").open("a") as log:
            log.write(f"{key}\n")


def mended(cache_path: Path) -> bool:
    return (cache_path.parent / "mended").exists()
