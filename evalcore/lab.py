"""A sweep from Python: a corpus, a grid of spec strings, an evaluation set, and Results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evalcore.corpus.document import Corpus
from evalcore.corpus.parsers import Reread
from evalcore.evalset.items import EvalSet
from evalcore.grid import NONE
from evalcore.report.build import build_report
from evalcore.results.build import build_results
from evalcore.results.results import METRIC, Results
from evalcore.run.engine import check_inputs, run_grid
from evalcore.run.memory import MemorySink, Report
from evalcore.run.record import RunInputs
from evalcore.settings import Settings

Axis = str | Sequence[str]
AxisOrNone = str | Sequence[str | None] | None


class Lab:
    """Runs grids over one corpus. `seed` starts every random draw of the statistics.

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

        `candidates` go from the index to the reranker, `k` chunks answer a question, `headline` is the metric
        that decides between the stages of a staged run. Names are checked when the grid runs.
        """
        self._axes = {
            "parser": _listed(parser),
            "chunker": _listed(chunker),
            "embedder": [NONE if value is None else value for value in _listed(embedder)],
            "index": _listed(index),
            "reranker": _listed(reranker),
            "candidates": _listed(candidates),
            "k": k,
            "headline": headline,
        }
        return self

    def settings(self, mode: str = "ofat", budget_seconds: float | None = None) -> Settings:
        """Return the settings that this grid runs with, as the command line and the dashboard take them.

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

    def run(
        self,
        evalset: EvalSet,
        mode: str = "ofat",
        *,
        budget_seconds: float | None = None,
        cache_path: Path | None = None,
        progress: Report | None = None,
    ) -> Results:
        """Run the grid. `mode`: `factorial`, `ofat` (one change at a time from the baseline) or `staged`.

        After `budget_seconds` no further configuration begins and the results say that they are partial.
        `cache_path` is the file that keeps vectors between runs; `progress` hears of (stage, done, total).

        Raises:
            InputError: no document has text, or no question has evidence.
            SettingsError: unknown methods or parameters.
        """
        inputs = RunInputs(self.corpus, evalset, self.settings(mode, budget_seconds), self._reread)
        check_inputs(inputs)
        sink = MemorySink(progress)
        run_grid(inputs, sink, cache_path=cache_path)
        record = sink.record(inputs)
        return build_results(record, partial(build_report, record))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
