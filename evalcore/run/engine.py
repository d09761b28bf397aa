"""Carries out a grid in this process: shared stages once, cells one by one, everything kept as it comes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from evalcore.chunking.base import ChunkSet, SentenceVectors, chunk_corpus
from evalcore.corpus.document import Corpus
from evalcore.embedding.base import Embedder, Progress, VectorSpace
from evalcore.embedding.cache import MemoryCache, VectorCache
from evalcore.embedding.registry import build_embedder, sentence_vectors
from evalcore.embedding.remembering import RememberingEmbedder
from evalcore.errors import EvalgridError, InputError, RunCancelledError, SettingsError
from evalcore.evalset.items import EvalItem
from evalcore.grid import Configuration, Grid, Stages, axes_of, build_chunker, grid_of, mode_of
from evalcore.plugins import obstacles, uses
from evalcore.retrieval.base import Ranking
from evalcore.run.gauge import headline_score
from evalcore.run.record import (
    CellMeasures,
    CellResult,
    FailedCellResult,
    QuestionOutcome,
    RunInputs,
    Sink,
    Stage,
)
from evalcore.run.search import Cut, cut_of, ranked
from evalcore.run.shelf import Shelf
from evalcore.scoring.headline import headline_of
from evalcore.scoring.matching import Matcher
from evalcore.scoring.outcome import score_question

log = logging.getLogger(__name__)

Score = Callable[[CellResult, ChunkSet], float | None]
"""What a staged grid goes by: a finished cell's headline, higher is better, None when it has none."""
_BEAT_SECONDS = 0.25


def check_inputs(inputs: RunInputs) -> Grid:
    """Return the grid of a run that can begin.

    Raises:
        InputError: no document has text, or no question has a gold passage.
        SettingsError: unknown methods, parameters or headline metric; or a staged run's plug-in is not here
            as it was planned.
    """
    if not any(document.has_text for document in inputs.corpus):
        raise InputError("no document has readable text; add documents with text, or run OCR on scans first")
    if not inputs.evalset.scored:
        raise InputError("no question has a gold passage; add the passages that answer your questions")
    headline_of(inputs.settings)
    if inputs.planned and not _is_staged(inputs):
        return Grid(inputs.planned, len(inputs.planned), 0, 0)
    # Which cells follow depends on all values of a staged grid: without one of them it cannot be told.
    for line in obstacles(inputs.plugins).values():
        raise SettingsError(line)
    return grid_of(inputs.settings)


def _is_staged(inputs: RunInputs) -> bool:
    return mode_of(inputs.settings) == "staged"


def found_recall(cell: CellResult, _chunk_set: ChunkSet) -> float | None:
    """Return the mean recall of the report contract (found slots / slots, at the run's k)."""
    return sum(o.recall for o in cell.outcomes) / len(cell.outcomes) if cell.outcomes else None


def run_grid(
    inputs: RunInputs,
    sink: Sink,
    *,
    cache_path: Path | None = None,
    score: Score | None = None,
) -> bool:
    """Compute every cell that `sink` has not finished; False when the time was up before the last.

    A cell that cannot be computed is handed over as failed, with its reason; the others go on. After the
    settings' `budget_seconds` no further cell begins; one is computed in any case. `score` decides between
    the stages of a staged grid; by default the settings' headline metric, else the report's recall.

    Raises:
        InputError: as `check_inputs`.
        RunCancelledError: from `sink.progress`.
    """
    grid = check_inputs(inputs)
    budget = inputs.settings.budget_seconds
    until = None if budget is None else time.monotonic() + budget
    engine = _Engine(inputs, sink, cache_path, len(grid.configurations) + grid.later, until)
    if _is_staged(inputs):
        return _run_stages(engine, inputs, sink, score or _score_of(inputs))
    return engine.run(grid.configurations)


def _score_of(inputs: RunInputs) -> Score:
    headline = headline_of(inputs.settings)
    return found_recall if headline is None else headline_score(inputs, headline)


def _run_stages(engine: _Engine, inputs: RunInputs, sink: Sink, score: Score) -> bool:
    """Run stage by stage; what was finished before is scored again and gives the same choices."""
    stages = Stages(axes_of(inputs.settings))
    planned: dict[str, Configuration] = {}
    while (stage := stages.next()) is not None:
        planned.update({configuration.key: configuration for configuration in stage})
        sink.planned(tuple(planned.values()), stages.is_last)
        if not engine.run(stage):
            return False
        cells = {cell.configuration.key: cell for cell in sink.kept()}
        found = {c.key: score(cells[c.key], engine.chunk_set(c)) for c in stage if c.key in cells}
        stages.settle({key: value for key, value in found.items() if value is not None})
    return True


class _Engine:
    """One run: what was made for one cell and serves others."""

    def __init__(
        self, inputs: RunInputs, sink: Sink, cache_path: Path | None, cells: int, until: float | None
    ) -> None:
        settings = inputs.settings
        self._inputs = inputs
        self._sink = sink
        self._cells = cells
        self._until = until
        self._cache = VectorCache(cache_path) if cache_path and settings.embedding.cache else MemoryCache()
        self._embedders: dict[str, Embedder] = {}
        self._corpora: dict[str, Corpus] = {}
        self._chunk_sets: dict[str, ChunkSet] = {}
        self._matcher = Matcher(settings.eval.fuzzy_threshold)
        self._no_chunks: dict[str, str] = {}
        self._no_vectors: dict[str, str] = {}
        self._obstacles = obstacles(inputs.plugins)
        self._questions = [item.question for item in inputs.evalset.scored]
        self._chunk_ms: dict[str, float] = {}
        self._text_times: dict[str, tuple[float, int]] = {}
        self._question_ms: dict[str, float] = {}
        self._embedded: set[tuple[str, str]] = set()
        self._chunks_done = self._chunks_total = self._texts_done = 0
        self._ended = 0
        self._begun = False

    def run(self, configurations: Sequence[Configuration]) -> bool:
        """Compute those that are not finished; False when the time was up before the last."""
        done = self._sink.finished()
        todo = [c for c in configurations if c.key not in done]
        self._ended = max(self._ended, len(done))
        self._chunks_total = self._chunks_done + len(self._unchunked(self._clear(todo)))
        # All vectors at once are made faster; under a budget each cell's are made when it is its turn.
        parts = [todo] if self._until is None else [[configuration] for configuration in todo]
        shelf = Shelf(self._space)
        for part in filter(None, parts):
            if self._begun and self._until is not None and time.monotonic() > self._until:
                return False
            self._chunk(self._clear(part))
            self._embed(self._clear(part))
            self._search(part, shelf)
        return True

    def chunk_set(self, configuration: Configuration) -> ChunkSet:
        """Return the chunks of a finished cell, made anew when another process made them."""
        strategy = configuration.strategy
        if strategy not in self._chunk_sets:
            self._chunk_sets[strategy] = self._chunks(configuration, lambda _done, _total: None)
        return self._chunk_sets[strategy]

    def _clear(self, todo: Sequence[Configuration]) -> list[Configuration]:
        return [configuration for configuration in todo if self._obstacle(configuration) is None]

    def _obstacle(self, configuration: Configuration) -> str | None:
        return next((line for plugin, line in self._obstacles.items() if uses(configuration, plugin)), None)

    def _unchunked(self, todo: Sequence[Configuration]) -> list[str]:
        tried = self._chunk_sets.keys() | self._no_chunks.keys()
        return [s for s in dict.fromkeys(c.strategy for c in todo) if s not in tried]

    def _chunk(self, todo: Sequence[Configuration]) -> None:
        first = {c.strategy: c for c in reversed(todo)}
        for strategy in self._unchunked(todo):
            self._sink.progress(Stage.CHUNK, self._chunks_done, self._chunks_total)
            start = time.perf_counter()
            try:
                self._chunk_sets[strategy] = self._chunks(first[strategy], self._watch)
            except RunCancelledError:
                raise
            except Exception as error:
                self._no_chunks[strategy] = _reason(error, f"chunking with {strategy}")
            else:
                self._chunk_ms[strategy] = _ms_since(start)
                self._sink.chunks(strategy, self._chunk_sets[strategy])
            self._chunks_done += 1
        self._sink.progress(Stage.CHUNK, self._chunks_done, self._chunks_total)

    def _chunks(self, configuration: Configuration, watch: Progress) -> ChunkSet:
        chunker = build_chunker(configuration.chunker)
        vectors: SentenceVectors | None = None
        if chunker.needs_vectors:
            vectors = sentence_vectors(self._embedder(self._inputs.settings.embedding.model), watch)
        return chunk_corpus(self._corpus(configuration.parser), chunker, vectors)

    def _corpus(self, parser: str) -> Corpus:
        if parser not in self._corpora:
            self._corpora[parser] = self._inputs.corpus_under(parser)
        return self._corpora[parser]

    def _watch(self, _embedded: int, _sentences: int) -> None:
        """Let a cancel request through while sentences are embedded for a chunker."""
        self._sink.progress(Stage.CHUNK, self._chunks_done, self._chunks_total)

    def _embedder(self, name: str) -> Embedder:
        if name not in self._embedders:
            settings = self._inputs.settings.embedding
            self._embedders[name] = build_embedder(
                name, cache=self._cache, prefixes=settings.prefixes, precision=settings.precision
            )
        return self._embedders[name]

    def _embed(self, todo: Sequence[Configuration]) -> None:
        """Embed each distinct text once per model, so that the cells find every vector ready."""
        pairs = dict.fromkeys((c.strategy, c.embedder) for c in todo if c.embedder is not None)
        wanted: dict[str, dict[str, None]] = {}
        for strategy, name in pairs:
            is_ready = (strategy, name) in self._embedded or name in self._no_vectors
            if not is_ready and strategy in self._chunk_sets:
                wanted.setdefault(name, {}).update(dict.fromkeys(self._chunk_sets[strategy].texts))
                self._embedded.add((strategy, name))
        asked = len(set(self._questions))
        sizes = {n: len(texts) + (n not in self._question_ms) * asked for n, texts in wanted.items()}
        total = self._texts_done + sum(sizes.values())
        for name, texts in wanted.items():
            try:
                self._embed_texts(name, list(texts), self._counted(self._texts_done, total))
            except RunCancelledError:
                raise
            except Exception as error:
                self._no_vectors[name] = _reason(error, f"embedding with {name}")
            self._texts_done += sizes[name]
            self._sink.progress(Stage.EMBED, self._texts_done, total)

    def _embed_texts(self, name: str, texts: Sequence[str], progress: Progress) -> None:
        """Fill the cache; embedders that remember nothing are quick, or learn from each chunk set anew."""
        embedder = self._embedder(name)
        if not isinstance(embedder, RememberingEmbedder):
            return
        start = time.perf_counter()
        space = embedder.space(texts, progress)
        ms, count = self._text_times.get(name, (0.0, 0))
        self._text_times[name] = (ms + _ms_since(start), count + len(texts))
        if name not in self._question_ms:
            start = time.perf_counter()
            space.queries(self._questions)
            self._question_ms[name] = _ms_since(start) / len(self._questions)

    def _counted(self, before: int, total: int) -> Progress:
        return lambda done, _all: self._sink.progress(Stage.EMBED, before + done, total)

    def _search(self, todo: Sequence[Configuration], shelf: Shelf) -> None:
        self._begun = True
        for configuration in todo:
            self._beat()
            self._sink.running(configuration)
            try:
                blocked = self._reason_against(configuration)
                cell = None if blocked is not None else self._cell(configuration, shelf)
            except RunCancelledError:
                raise
            except Exception as error:
                cell, blocked = None, _reason(error, configuration.key)
            if cell is None:
                self._sink.failed(FailedCellResult(configuration, blocked or ""))
            else:
                self._sink.cell(cell)
            self._ended += 1
        self._beat()

    def _beat(self) -> None:
        self._sink.progress(Stage.SEARCH, self._ended, self._cells)

    def _reason_against(self, configuration: Configuration) -> str | None:
        embedder = configuration.embedder
        return (
            self._obstacle(configuration)
            or self._no_chunks.get(configuration.strategy)
            or (self._no_vectors.get(embedder) if embedder else None)
        )

    def _cell(self, configuration: Configuration, shelf: Shelf) -> CellResult:
        chunk_set = self._chunk_sets[configuration.strategy]
        cut = cut_of(self._inputs.settings, configuration)
        reranker = shelf.reranker(configuration)
        index = shelf.retriever(configuration, chunk_set, cut.pool)
        found = ranked(index.retriever, reranker, self._questions, chunk_set.texts, cut, _Seldom(self._beat))
        embedding_ms = self._question_ms.get(configuration.embedder or "", 0.0)
        return CellResult(
            configuration,
            self._outcomes(chunk_set, [one.ranking for one in found], cut),
            tuple(tuple(one.ranking.chunks[: cut.depth].tolist()) for one in found),
            CellMeasures(
                build_ms=self._shared_ms(configuration, chunk_set) + index.build_ms,
                query_ms=tuple(one.ms + embedding_ms for one in found),
                index_bytes=index.nbytes,
                embedding_quality=shelf.quality(configuration, chunk_set),
            ),
        )

    def _shared_ms(self, configuration: Configuration, chunk_set: ChunkSet) -> float:
        """Return the time for the cell's chunks, and its texts' part of the time for the run's vectors."""
        ms, count = self._text_times.get(configuration.embedder or "", (0.0, 0))
        texts = ms / max(1, count) * len(set(chunk_set.texts))
        return self._chunk_ms.get(configuration.strategy, 0.0) + texts

    def _outcomes(
        self, chunk_set: ChunkSet, rankings: Sequence[Ranking], cut: Cut
    ) -> tuple[QuestionOutcome, ...]:
        items = self._inputs.evalset.scored
        return tuple(
            self._outcome(
                item, chunk_set, ranking.chunks[: cut.top_k].tolist(), ranking.scores[: cut.top_k].tolist()
            )
            for item, ranking in zip(items, rankings, strict=True)
        )

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


class _Seldom:
    """Calls on at most four times a second."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._last = time.monotonic()

    def __call__(self) -> None:
        if time.monotonic() - self._last >= _BEAT_SECONDS:
            self._last = time.monotonic()
            self._call()


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000


def _reason(error: Exception, doing: str) -> str:
    """Return one line for the user; what is not his doing keeps its traceback in the log."""
    if isinstance(error, EvalgridError):
        return str(error)
    log.exception("%s failed", doing)
    return f"{doing} failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
