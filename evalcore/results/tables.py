"""What the views draw: intervals, axes against each other, kinds of questions."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.results.comparison import WIDER
from evalcore.results.results import Results, axis_value
from evalcore.results.run_result import RunResult
from evalcore.stats import TIE, Floats, clustered_means, percentiles, resampled_means


@dataclass(frozen=True, slots=True)
class Spread:
    """A run's mean with its 95 % interval over n questions.

    `clustered` draws documents instead of questions, None unless it is more than a tenth wider.
    """

    mean: float
    low: float
    high: float
    n: int
    clustered: tuple[float, float] | None = None


def spreads(results: Results, metric: str) -> dict[str, Spread]:
    """Return the spread of every run that has a metric over questions, as `RunResult.interval` does.

    Runs that answered the same questions share one resampling.
    """
    grouped: dict[tuple[str, ...], list[RunResult]] = defaultdict(list)
    for run in results.runs:
        if ids := tuple(run.scores(metric)):
            grouped[ids].append(run)
    found: dict[str, Spread] = {}
    for ids, runs in grouped.items():
        table = np.array([list(run.scores(metric).values()) for run in runs]).T
        documents = [results.clusters.get(i, i) for i in ids]
        found.update(_spreads(runs, table, documents, results.seed))
    return found


def _spreads(
    runs: Sequence[RunResult], table: Floats, documents: Sequence[str], seed: int
) -> dict[str, Spread]:
    n, several = len(table), len(set(documents)) < len(documents)
    resampled = resampled_means(table, seed)
    by_document = clustered_means(table, documents, seed) if several else None
    found = {}
    for column, run in enumerate(runs):
        low, high = percentiles(resampled[:, column])
        wide = None if by_document is None else percentiles(by_document[:, column])
        if wide is not None and wide.high - wide.low <= WIDER * (high - low) + TIE:
            wide = None
        found[run.label] = Spread(float(table[:, column].mean()), low, high, n, wide)
    return found


@dataclass(frozen=True, slots=True)
class Effect:
    """A value on an axis: mean, least and greatest of a metric over the runs that used it, and how many."""

    value: str
    mean: float
    low: float
    high: float
    runs: int


def axis_table(results: Results, axis: str, metric: str) -> list[Effect]:
    """Return every value on an axis, the best mean first."""
    found = results.axis_values(axis, metric)
    effects = [
        Effect(v, statistics.fmean(some), min(some), max(some), len(some)) for v, some in found.items()
    ]
    return sorted(effects, key=lambda effect: -effect.mean)


def two_axes(results: Results, down: str, across: str, metric: str) -> dict[tuple[str, str], float]:
    """Return the mean of a metric for each pair of values on two axes that some run used."""
    grouped: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in results.runs:
        value = run.metric(metric)
        if value is not None:
            grouped[axis_value(run, down), axis_value(run, across)].append(value)
    return {pair: statistics.fmean(values) for pair, values in grouped.items()}


@dataclass(frozen=True, slots=True)
class Kind:
    """A configuration's mean over the questions of one type, and how many these are."""

    label: str
    kind: str
    mean: float
    questions: int


def kinds(results: Results, metric: str) -> list[Kind]:
    """Return every configuration's mean by type of question, configurations best first, types sorted."""
    means, counts = results.by_type(metric), results.type_counts(metric)
    return [
        Kind(run.label, kind, mean, counts[run.label][kind])
        for run in results.ranking(metric)
        for kind, mean in means[run.label].items()
    ]


def embedded(results: Results) -> list[RunResult]:
    """Return one run for each set of vectors whose quality was measured."""
    found: dict[tuple[str | None, str], RunResult] = {}
    for run in results.runs:
        if run.embedding_quality is not None:
            found.setdefault((run.configuration.embedder, run.configuration.strategy), run)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Hard:
    """A question with its mean over all configurations and how many scored nothing on it."""

    id: str
    question: str
    mean: float
    failed: int
    runs: int


def hardest(results: Results, metric: str, count: int) -> list[Hard]:
    """Return the questions with the lowest means over all configurations, the hardest first."""
    found: dict[str, list[float]] = defaultdict(list)
    for run in results.runs:
        for question, score in run.scores(metric).items():
            found[question].append(score)
    rows = [
        Hard(i, results.questions.get(i, ""), statistics.fmean(some), sum(s == 0 for s in some), len(some))
        for i, some in found.items()
    ]
    return sorted(rows, key=lambda row: (row.mean, -row.failed))[:count]
