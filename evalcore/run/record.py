"""What a run is made of: its inputs as they were at the start, its chunks and its finished cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalSet
from evalcore.grid import Configuration
from evalcore.settings import Settings


class Stage(StrEnum):
    """The parts of a run, in order."""

    CHUNK = "chunk"
    EMBED = "embed"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """How one question fared in one cell.

    `chunks` are positions in the cell's chunk set, best first, with `scores` and `is_hit` beside them;
    `found` are indices of slots; `tokens` those retrieved; `found_tokens` those of the shortest passage of
    each found slot.
    """

    question_id: str
    chunks: tuple[int, ...]
    scores: tuple[float, ...]
    is_hit: tuple[bool, ...]
    found: tuple[int, ...]
    slots: int
    first_hit_rank: int | None
    split: bool
    tokens: int
    found_tokens: int

    @property
    def recall(self) -> float:
        """Found slots / slots, 0..1."""
        return len(self.found) / self.slots

    @property
    def hit(self) -> bool:
        """Whether any slot was found."""
        return bool(self.found)


@dataclass(frozen=True, slots=True)
class CellResult:
    """A finished cell: one outcome per scored question, in the question set's order."""

    configuration: Configuration
    outcomes: tuple[QuestionOutcome, ...]


@dataclass(frozen=True, slots=True)
class FailedCellResult:
    """A cell that could not be computed, and why, in one line."""

    configuration: Configuration
    reason: str


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run started with; it keeps these whatever is edited meanwhile."""

    corpus: Corpus
    evalset: EvalSet
    settings: Settings


@dataclass(frozen=True)
class RunRecord:
    """A run as far as it got. `chunk_sets` by strategy name; `cells` and `failed` in grid order.

    `complete` is false when cells of the grid are neither finished nor failed.
    """

    inputs: RunInputs
    chunk_sets: Mapping[str, ChunkSet]
    cells: tuple[CellResult, ...]
    failed: tuple[FailedCellResult, ...]
    complete: bool


class Sink(Protocol):
    """Where a run's output goes as it comes about; every call returns when it is safe on disk."""

    def progress(self, stage: Stage, done: int, total: int) -> None:
        """Note how far a stage is; called between batches.

        Raises:
            RunCancelledError: when the user has asked to stop.
        """
        ...

    def finished(self) -> frozenset[str]:
        """Return the keys of cells that are finished already and need not be computed again."""
        ...

    def running(self, configuration: Configuration) -> None:
        """Note that a cell has begun."""
        ...

    def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
        """Keep the chunks of a strategy."""
        ...

    def cell(self, cell: CellResult) -> None:
        """Keep a finished cell."""
        ...

    def failed(self, cell: FailedCellResult) -> None:
        """Keep a cell that could not be computed."""
        ...
