"""Carries out a grid in this process: shared stages once, cells one by one, everything kept as it comes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from evalcore.chunking.base import Chunker, ChunkSet, SentenceVectors, chunk_corpus
from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.base import Embedder, Progress, VectorSpace
from evalcore.embedding.cache import MemoryCache, VectorCache
from evalcore.embedding.registry import build_embedder, sentence_vectors
from evalcore.errors import EvalgridError, InputError, RunCancelledError
from evalcore.evalset.items import EvalItem
from evalcore.grid import Configuration, Grid, grid_of
from evalcore.run.record import (
    CellResult,
    FailedCellResult,
    QuestionOutcome,
    RunInputs,
    Sink,
    Stage,
)
from evalcore.run.shelf import Shelf
from evalcore.scoring.matching import Matcher
from evalcore.scoring.outcome import score_question
from evalcore.specs import Spec

log = logging.getLogger(__name__)


def check_inputs(inputs: RunInputs) -> Grid:
    """Return the grid of a run that can begin.

    Raises:
        InputError: no document has text, or no question has a gold passage.
        SettingsError: unknown methods or parameters.
    """
    if not any(document.has_text for document in inputs.corpus):
        raise InputError("no document has readable text; add documents with text, or run OCR on scans first")
    if not inputs.evalset.scored:
        raise InputError("no question has a gold passage; add the passages that answer your questions")
    return grid_of(inputs.settings)


def run_grid(inputs: RunInputs, sink: Sink, *, cache_path: Path | None = None) -> None:
    """Compute every cell of the grid that `sink` has not finished.

    A cell that cannot be computed is handed over as failed, with its reason; the others go on.

    Raises:
        InputError: as `check_inputs`.
        RunCancelledError: from `sink.progress`.
    """
    grid = check_inputs(inputs)
    done = sink.finished()
    todo = [c for c in grid.configurations if c.key not in done]
    if todo:
        _Engine(inputs, sink, cache_path, len(grid.configurations)).run(todo)


class _Engine:
    """One run: what was made for one cell and serves others."""

    def __init__(self, inputs: RunInputs, sink: Sink, cache_path: Path | None, cells: int) -> None:
        settings = inputs.settings
        self._inputs = inputs
        self._sink = sink
        self._cells = cells
        self._cache = VectorCache(cache_path) if cache_path and settings.embedding.cache else MemoryCache()
        self._embedders: dict[str, Embedder] = {}
        self._chunk_sets: dict[str, ChunkSet] = {}
        self._matcher = Matcher(settings.eval.fuzzy_threshold)
        self._no_chunks: dict[str, str] = {}
        self._no_vectors: dict[str, str] = {}
        self._questions = [item.question for item in inputs.evalset.scored]

    def run(self, todo: Sequence[Configuration]) -> None:
        self._chunk(todo)
        self._embed(todo)
        self._search(todo)

    def _chunk(self, todo: Sequence[Configuration]) -> None:
        chunkers = {c.strategy: c.chunker for c in todo}
        for number, (strategy, spec) in enumerate(chunkers.items()):
            self._sink.progress(Stage.CHUNK, number, len(chunkers))
            watch = partial(self._watch, number, len(chunkers))
            try:
                self._chunk_sets[strategy] = self._chunks(spec, watch)
            except RunCancelledError:
                raise
            except Exception as error:
                self._no_chunks[strategy] = _reason(error, f"chunking with {strategy}")
            else:
                self._sink.chunks(strategy, self._chunk_sets[strategy])
        self._sink.progress(Stage.CHUNK, len(chunkers), len(chunkers))

    def _chunks(self, spec: Spec, watch: Progress) -> ChunkSet:
        chunker: Chunker = CHUNKERS.build(spec)
        vectors: SentenceVectors | None = None
        if chunker.needs_vectors:
            vectors = sentence_vectors(self._embedder(self._inputs.settings.embedding.model), watch)
        return chunk_corpus(self._inputs.corpus, chunker, vectors)

    def _watch(self, done: int, total: int, _embedded: int, _sentences: int) -> None:
        """Let a cancel request through while sentences are embedded for a chunker."""
        self._sink.progress(Stage.CHUNK, done, total)

    def _embedder(self, name: str) -> Embedder:
        if name not in self._embedders:
            settings = self._inputs.settings.embedding
            self._embedders[name] = build_embedder(
                name, cache=self._cache, prefixes=settings.prefixes, precision=settings.precision
            )
        return self._embedders[name]

    def _embed(self, todo: Sequence[Configuration]) -> None:
        """Embed each distinct text once per model, so that the cells find every vector ready."""
        wanted = {
            name: list(self._texts_for(todo, name))
            for name in dict.fromkeys(c.embedder for c in todo if c.embedder is not None)
        }
        asked = len(set(self._questions))
        total = sum(len(texts) + asked for texts in wanted.values())
        before = 0
        for name, texts in wanted.items():
            try:
                self._embedder(name).space(texts, self._counted(before, total)).queries(self._questions)
            except RunCancelledError:
                raise
            except Exception as error:
                self._no_vectors[name] = _reason(error, f"embedding with {name}")
            before += len(texts) + asked
            self._sink.progress(Stage.EMBED, before, total)

    def _texts_for(self, todo: Sequence[Configuration], embedder: str) -> Iterable[str]:
        strategies = dict.fromkeys(c.strategy for c in todo if c.embedder == embedder)
        sets = [self._chunk_sets[s] for s in strategies if s in self._chunk_sets]
        return dict.fromkeys(text for chunk_set in sets for text in chunk_set.texts)

    def _counted(self, before: int, total: int) -> Progress:
        return lambda done, _all: self._sink.progress(Stage.EMBED, before + done, total)

    def _search(self, todo: Sequence[Configuration]) -> None:
        already = self._cells - len(todo)
        shelf = Shelf(self._space)
        for number, configuration in enumerate(todo):
            self._sink.progress(Stage.SEARCH, already + number, self._cells)
            self._sink.running(configuration)
            blocked = self._reason_against(configuration)
            if blocked is not None:
                self._sink.failed(FailedCellResult(configuration, blocked))
                continue
            try:
                cell = self._cell(configuration, shelf)
            except RunCancelledError:
                raise
            except Exception as error:
                self._sink.failed(FailedCellResult(configuration, _reason(error, configuration.key)))
            else:
                self._sink.cell(cell)
        self._sink.progress(Stage.SEARCH, self._cells, self._cells)

    def _reason_against(self, configuration: Configuration) -> str | None:
        embedder = configuration.embedder
        return self._no_chunks.get(configuration.strategy) or (
            self._no_vectors.get(embedder) if embedder else None
        )

    def _cell(self, configuration: Configuration, shelf: Shelf) -> CellResult:
        chunk_set = self._chunk_sets[configuration.strategy]
        retriever = shelf.retriever(configuration, chunk_set)
        items = self._inputs.evalset.scored
        rankings = retriever.search(self._questions, self._inputs.settings.retrieval.top_k)
        outcomes = [
            self._outcome(item, chunk_set, ranking.chunks.tolist(), ranking.scores.tolist())
            for item, ranking in zip(items, rankings, strict=True)
        ]
        return CellResult(configuration, tuple(outcomes))

    def _space(self, embedder: str, chunk_set: ChunkSet) -> VectorSpace:
        return self._embedder(embedder).space(chunk_set.texts, lambda _done, _total: None)

    def _outcome(
        self, item: EvalItem, chunk_set: ChunkSet, positions: Sequence[int], scores: Sequence[float]
    ) -> QuestionOutcome:
        outcome = score_question(item, [chunk_set.chunks[p] for p in positions], self._matcher)
        return QuestionOutcome(
            question_id=item.id,
            chunks=tuple(positions),
            scores=tuple(scores),
            is_hit=outcome.is_hit,
            found=outcome.found,
            slots=len(item.slots),
            first_hit_rank=outcome.first_hit_rank,
            split=outcome.split,
            tokens=outcome.tokens,
            found_tokens=outcome.found_tokens,
        )


def _reason(error: Exception, doing: str) -> str:
    """Return one line for the user; what is not his doing keeps its traceback in the log."""
    if isinstance(error, EvalgridError):
        return str(error)
    log.exception("%s failed", doing)
    return f"{doing} failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
