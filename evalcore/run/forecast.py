"""Predicts a run from trials: every method of the grid on a part of the corpus, scaled to all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import psutil

from evalcore.corpus.document import Corpus
from evalcore.errors import EvalgridError, InputError
from evalcore.evalset.items import EvalItem, GoldAnchor
from evalcore.grid import Axes, Configuration, Stages, axes_of, expand, grid_of
from evalcore.run.estimate import QUESTIONS, Estimate, counted, shape_of
from evalcore.run.record import Stage
from evalcore.run.search import cut_of
from evalcore.run.trials import (
    CutTrial,
    EmbedderTrial,
    IndexTrial,
    ModelSpeed,
    hardest,
    sample_of,
    token_counts,
    try_chunker,
    try_index,
    try_reranker,
)
from evalcore.scoring.matching import Matcher
from evalcore.scoring.outcome import score_question
from evalcore.settings import Settings
from evalcore.text.sentences import sentence_spans

T = TypeVar("T")
_SCORED = 10
_STATISTICS_BYTES = 50_000_000
"""Three blocks of resamples (stats.resample_counts), the most that the statistics hold at a time."""
_RANK_BYTES = 120
"""What one retrieved chunk of one question weighs, with its score and its judgement."""


def estimate(
    corpus: Corpus,
    settings: Settings,
    items: Sequence[EvalItem] = (),
    speeds: dict[str, ModelSpeed] | None = None,
) -> Estimate:
    """Predict a run. `items` are the scored questions; without them it reckons with 100.

    Takes some seconds, more when a model must be loaded; `speeds` remembers those of models from one call to
    the next. What cannot be tried is named and left out.

    Raises:
        InputError: no document has text.
        SettingsError: unknown methods or parameters throughout an axis.
    """
    axes, grid = axes_of(settings), grid_of(settings)
    sample = sample_of(corpus)
    if not len(sample):
        raise InputError("no document has readable text; there is nothing to predict a run from")
    forecast = _Forecast(corpus, sample, settings, items, {} if speeds is None else speeds)
    for configuration in _all_cells(axes, settings, grid.configurations):
        forecast.add(configuration)
    return Estimate(
        configurations=counted(grid),
        shape=shape_of(axes),
        folded=grid.folded,
        impossible=grid.impossible,
        documents=len(corpus),
        questions=forecast.questions,
        chunks=round(forecast.chunks),
        tokens=round(forecast.tokens),
        stages={stage.value: seconds for stage, seconds in forecast.seconds.items()},
        memory=round(forecast.memory),
        unknown=tuple(forecast.unknown),
    )


def _all_cells(
    axes: Axes, settings: Settings, planned: tuple[Configuration, ...]
) -> tuple[Configuration, ...]:
    """Return the configurations to reckon with: of a staged grid those that follow from the baseline."""
    if settings.grid is None or settings.grid.mode != "staged":
        return planned
    return expand(axes, "ofat").configurations or Stages(axes).next() or ()


class _Forecast:
    """Adds up cells; what cells share is tried and counted once."""

    def __init__(
        self,
        corpus: Corpus,
        sample: Corpus,
        settings: Settings,
        items: Sequence[EvalItem],
        speeds: dict[str, ModelSpeed],
    ) -> None:
        self._sample = sample
        self._speeds = speeds
        self._settings = settings
        characters = sum(len(document.text) for document in corpus)
        self._scale = characters / sum(len(document.text) for document in sample)
        self._items = list(items) or _stand_ins(sample)
        self.questions = len(items) or QUESTIONS
        self._tried: dict[Hashable, object] = {}
        self.seconds = dict.fromkeys(Stage, 0.0)
        self.unknown: dict[str, None] = {}
        self.chunks = self.tokens = 0.0
        self._kept = float(2 * characters)
        self._widest = 0.0

    @property
    def memory(self) -> float:
        """The highest use in bytes: this process as it is, what a run keeps, and its largest index."""
        loaded = psutil.Process().memory_info().rss
        return loaded + _STATISTICS_BYTES + self._kept + self._widest

    def add(self, configuration: Configuration) -> None:
        """Add a cell."""
        try:
            self._add(configuration)
        except EvalgridError as error:
            self.unknown.setdefault(f"Not predicted: {error}.")
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            self.unknown.setdefault(f"Not predicted: {configuration.label} ({said}).")

    def _add(self, configuration: Configuration) -> None:
        cut = self._once(("cut", configuration.strategy), lambda: self._cut(configuration))
        embedder = None
        if configuration.embedder is not None:
            embedder = found = self._embedder(configuration.embedder)
            key = ("embed", configuration.strategy, configuration.embedder)
            self._once(key, lambda: self._embed(found, cut))
        self._search(configuration, cut, embedder)

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        if key not in self._tried:
            self._tried[key] = work()
        return self._tried[key]  # type: ignore[return-value]

    def _cut(self, configuration: Configuration) -> CutTrial:
        trial = try_chunker(self._sample, configuration.chunker)
        self.seconds[Stage.CHUNK] += trial.seconds * self._scale
        self.chunks += len(trial.chunk_set) * self._scale
        self.tokens += trial.tokens * self._scale
        self._kept += trial.nbytes * self._scale
        if trial.sentences:
            model = self._settings.embedding.model
            self._once(("sentences", model), lambda: self._sentences(model, trial.sentences))
        return trial

    def _sentences(self, name: str, sentences: Sequence[str]) -> None:
        """Count the sentences that meaning is measured by: the same for every way of cutting."""
        model = self._embedder(name).model
        if model is not None:
            distinct = list(dict.fromkeys(sentences))
            self.seconds[Stage.CHUNK] += model.seconds(token_counts(distinct)) * self._scale
            self._kept += 4.0 * model.dimensions * len(distinct) * self._scale

    def _embedder(self, name: str) -> EmbedderTrial:
        return self._once(("embedder", name), lambda: self._load(name))

    def _load(self, name: str) -> EmbedderTrial:
        settings = self._settings.embedding
        trial = EmbedderTrial(
            name, prefixes=settings.prefixes, precision=settings.precision, speeds=self._speeds
        )
        if trial.model is not None:
            asked = token_counts([item.question for item in self._items])
            each = trial.model.seconds(asked) / len(asked)
            self.seconds[Stage.EMBED] += trial.model.load + each * self.questions
            self._kept += 0 if trial.is_loaded else trial.model.memory
        return trial

    def _embed(self, embedder: EmbedderTrial, cut: CutTrial) -> None:
        texts, model = cut.chunk_set.texts, embedder.model
        if not texts:
            return
        if model is not None:
            self.seconds[Stage.EMBED] += model.seconds(cut.chunk_set.tokens.tolist()) * self._scale
            self._kept += 8.0 * model.dimensions * len(texts) * self._scale
            return
        start = time.perf_counter()
        embedder.space(texts)
        self.seconds[Stage.EMBED] += (time.perf_counter() - start) * self._scale

    def _search(self, configuration: Configuration, cut: CutTrial, embedder: EmbedderTrial | None) -> None:
        if not cut.chunk_set.texts:
            return
        cuts = cut_of(self._settings, configuration)
        key = (configuration.strategy, configuration.index, configuration.embedder)
        trial = self._once(("index", *key), lambda: self._index(configuration, cut, embedder))
        each = trial.query_seconds(len(cut.chunk_set) * self._scale)
        if configuration.reranker is not None:
            name, sizes = configuration.reranker, (cuts.fetched, cuts.depth)
            again = self._once(
                ("rerank", *key, name, sizes),
                lambda: try_reranker(name, trial.retriever, cut.chunk_set.texts, self._questions, sizes),
            )
            each += again * min(cuts.fetched, len(cut.chunk_set) * self._scale)
        each += self._once(("score", configuration.strategy), lambda: self._score(cut))
        self.seconds[Stage.SEARCH] += each * self.questions
        self._kept += _RANK_BYTES * cuts.depth * self.questions

    def _index(
        self, configuration: Configuration, cut: CutTrial, embedder: EmbedderTrial | None
    ) -> IndexTrial:
        k = cut_of(self._settings, configuration).fetched
        trial = try_index(configuration.index, cut.chunk_set.texts, embedder, self._questions, k)
        self.seconds[Stage.SEARCH] += trial.build_seconds * self._scale
        self._widest = max(self._widest, trial.nbytes * self._scale)
        return trial

    def _score(self, cut: CutTrial) -> float:
        """Return the seconds to look for one question's passages in the chunks that come back."""
        matcher = Matcher(self._settings.eval.fuzzy_threshold)
        some = self._items[:_SCORED]
        chunks = hardest(cut.chunk_set.chunks, self._settings.top_k)
        start = time.perf_counter()
        for item in some:
            score_question(item, chunks, matcher)
        return (time.perf_counter() - start) / len(some)

    @property
    def _questions(self) -> list[str]:
        return [item.question for item in self._items]


def _stand_ins(sample: Corpus) -> list[EvalItem]:
    """Return sentences of the sample as questions with themselves as passages."""
    found = []
    for document in sample:
        for start, end in sentence_spans(document.text)[1:40:4]:
            text = document.text[start:end]
            found.append(EvalItem(f"{document.id}:{start}", text, [GoldAnchor(document.id, text)]))
    whole = next(document for document in sample)
    return found or [EvalItem("text", whole.text[:200], [GoldAnchor(whole.id, whole.text[:200].strip())])]
