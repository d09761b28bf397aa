"""A sweep from Python: a corpus, a grid of spec strings, an evaluation set, and Results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalcore.corpus.document import Corpus
from evalcore.corpus.parsers import Reread
from evalcore.errors import SettingsError
from evalcore.evalset.items import EvalSet
from evalcore.evaluation import evaluate_results
from evalcore.grid import NONE
from evalcore.results.results import METRIC, Results
from evalcore.run.estimate import Estimate
from evalcore.run.forecast import estimate
from evalcore.run.memory import Report
from evalcore.settings import Settings

Axis = str | Sequence[str]
AxisOrNone = str | Sequence[str | None] | None


class Lab:
    """Runs grids over one corpus; without `grid`, the one configuration of its defaults.

    `seed`, at least 0, starts every random draw of the statistics: the same seed gives the same intervals.
    `reread` reads a PDF again for the parser `pypdf:layout` (`evalcore.corpus.parsers.folder_reader`).
    """

    def __init__(self, corpus: Corpus, seed: int = 0, *, reread: Reread | None = None) -> None:
        self.corpus = corpus
        self.seed = seed
        self._reread = reread
        self._axes: dict[str, Any] = {}
        self.grid()

    def grid(
        self,
        *,
        parser: Axis = "markdown",
        chunker: Axis = "recursive:512",
        embedder: AxisOrNone = "tfidf",
        index: Axis = "dense",
        reranker: AxisOrNone = None,
        candidates: int | Sequence[int] = 50,
        k: int = 10,
        headline: str = METRIC,
    ) -> Lab:
        """Choose the values of each axis, one or a list of spec strings; the first of each is the baseline.

        A spec string is `name`, `name:value` or `name:key=value,...`; None stands for no embedder or no
        reranker. Sizes count `regex` tokens unless `tokenizer=` names others. `candidates` chunks, at least
        `k`, go from the index to the reranker; `k` chunks answer a question; `headline` is the metric that
        decides between the stages of a staged run. Names are checked when the grid runs.

        Raises:
            SettingsError: an axis without values.
        """
        axes = {
            "parser": _listed(parser),
            "chunker": _listed(chunker),
            "embedder": [NONE if value is None else value for value in _listed(embedder)],
            "index": _listed(index),
            "reranker": _listed(reranker),
            "candidates": _listed(candidates),
        }
        for axis, values in axes.items():
            if not values:
                raise SettingsError(f"grid.{axis} is empty; give it at least one value or leave it out")
        self._axes = {**axes, "k": k, "headline": headline}
        return self

    def settings(self, mode: str = "ofat", budget_seconds: float | None = None) -> Settings:
        """Return the settings that this grid runs with, as the command line and the dashboard take them.

        `mode` and `budget_seconds` (above 0, None: no limit) as for `run`. The settings' embedding model, by
        which semantic chunkers cut, is the grid's first embedder.

        Raises:
            SettingsError: an unknown mode, or a value of the wrong kind.
        """
        model = next((name for name in self._axes["embedder"] if name != NONE), None)
        return Settings.from_dict(
            {
                "embedding": {"model": model},
                "eval": {"seed": self.seed},
                "grid": {**self._axes, "mode": mode},
                "budget_seconds": budget_seconds,
            },
            "grid",
        )

    def estimate(self, mode: str = "ofat", evalset: EvalSet | None = None) -> Estimate:
        """Return what the grid will take: configurations, shape, tokens to index, time and memory.

        Every method is tried on a part of the corpus, which takes some seconds. Without `evalset` the time is
        for 100 questions; of a staged grid all configurations count that may run.

        Raises:
            InputError: no document has text.
            SettingsError: unknown methods or parameters throughout an axis, or an unknown mode.
        """
        return estimate(self.corpus, self.settings(mode), evalset.scored if evalset is not None else ())

    def run(
        self,
        evalset: EvalSet,
        mode: str = "ofat",
        *,
        budget_seconds: float | None = None,
        cache_path: Path | None = None,
        progress: Report | None = None,
    ) -> Results:
        """Run the grid and return its views; `Results.report()` is the report of the same run.

        `mode`: `factorial` is every combination; `ofat` the baseline and then one changed axis at a time;
        `staged` settles one axis after the other at the value that is best by the headline metric. After
        `budget_seconds` no further configuration begins and the results say that they are partial; so they do
        when `progress`, which hears of (stage, done, total), raises RunCancelledError. `cache_path` is the
        file that keeps vectors between runs. A configuration that cannot run is a warning, and so is a
        question whose evidence is not found.

        Raises:
            InputError: no document has text, or no question has evidence.
            SettingsError: unknown methods or parameters, or a headline that is no metric.
        """
        return evaluate_results(
            self.corpus,
            evalset,
            self.settings(mode, budget_seconds),
            cache_path=cache_path,
            progress=progress,
            reread=self._reread,
        )


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
