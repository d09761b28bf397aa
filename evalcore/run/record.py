"""What a run is made of: its inputs as they were at the start, its chunks and its finished cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus
from evalcore.corpus.parsers import Reread, parse_corpus
from evalcore.embedding.quality import EmbeddingQuality
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
class CellMeasures:
    """What a cell cost on this machine, as it happened; never part of report.json.

    `build_ms`: milliseconds for chunks, vectors and index; `query_ms`: per scored question, embedding, search
    and reranking together; `index_bytes`: of vectors and word tables, 0 when the index does not say;
    `usd_per_1k`: dollars per 1,000 questions for calls to priced models; `embedding_quality`: None without
    vectors.
    """

    build_ms: float
    query_ms: tuple[float, ...]
    index_bytes: int
    usd_per_1k: float = 0.0
    embedding_quality: EmbeddingQuality | None = None


@dataclass(frozen=True, slots=True)
class CellResult:
    """A finished cell: one outcome per scored question, in the question set's order.

    `rankings` has one entry per outcome: chunk positions, best first, to a depth of at least 20 where there
    are so many; the first `top_k` are the outcome's chunks, and all there is in runs of earlier versions.
    `measures` is None in runs of earlier versions and plays no part when cells are compared.
    """

    configuration: Configuration
    outcomes: tuple[QuestionOutcome, ...]
    rankings: tuple[tuple[int, ...], ...] = ()
    measures: CellMeasures | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.rankings:
            object.__setattr__(self, "rankings", tuple(outcome.chunks for outcome in self.outcomes))


@dataclass(frozen=True, slots=True)
class FailedCellResult:
    """A cell that could not be computed, and why, in one line."""

    configuration: Configuration
    reason: str


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run started with; it keeps these whatever is edited meanwhile.

    `reread` reads a PDF again for a parser that needs its pages; None where only texts are at hand. `plugins`
    are those among its values, as `evalcore.plugins.identities` gives them, and `planned` its cells, where
    another process planned it: this one may know other plug-ins.
    """

    corpus: Corpus
    evalset: EvalSet
    settings: Settings
    reread: Reread | None = field(default=None, compare=False, repr=False)
    plugins: Mapping[str, str] = field(default_factory=dict, compare=False)
    planned: tuple[Configuration, ...] = field(default=(), compare=False, repr=False)

    def corpus_under(self, parser: str) -> Corpus:
        """Return the documents as a configuration's parser reads them: the ones its chunks were cut from.

        Raises:
            SettingsError: unknown parser, or one that needs files that are not at hand.
            DocumentError: a file cannot be read by this parser.
        """
        return parse_corpus(self.corpus, parser, self.reread)


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

    def planned(self, configurations: tuple[Configuration, ...], last: bool) -> None:
        """Note all cells of a staged grid known so far; `last` when no others will follow."""
        ...

    def kept(self) -> tuple[CellResult, ...]:
        """Return the finished cells; asked for between the stages of a staged grid."""
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
