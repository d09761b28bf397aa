"""What the views draw: groups that are tied, all pairs, axes against each other, kinds of questions."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from evalcore.results.comparison import ALPHA, WIDER
from evalcore.results.results import Results, axis_value
from evalcore.results.run_result import RunResult
from evalcore.stats import (
    TIE,
    Floats,
    clustered_means,
    flipped_means,
    holm,
    percentiles,
    resampled_means,
    share_as_far,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two configurations: the gap left - right, its interval, p, and p adjusted for all pairs (Holm)."""

    left: str
    right: str
    n: int
    difference: float
    low: float
    high: float
    p_value: float
    p_holm: float = 1.0

    @property
    def distinguishable(self) -> bool:
        """Whether p is below alpha and the interval leaves out zero, taken alone."""
        return self.p_value < ALPHA and (self.low > TIE or self.high < -TIE)

    @property
    def holds(self) -> bool:
        """Whether it is still distinguishable when all pairs are taken together."""
        return self.distinguishable and self.p_holm < ALPHA


@dataclass(frozen=True)
class AllPairs:
    """Every pair of configurations. `by_chance`: how many of them would look distinguishable if none were."""

    pairs: tuple[Pair, ...]
    labels: tuple[str, ...]

    @property
    def by_chance(self) -> float:
        """Alpha × pairs."""
        return ALPHA * len(self.pairs)

    @property
    def distinguishable(self) -> int:
        """How many pairs are distinguishable, each taken alone."""
        return sum(pair.distinguishable for pair in self.pairs)

    @property
    def holding(self) -> int:
        """How many pairs are distinguishable when all are taken together."""
        return sum(pair.holds for pair in self.pairs)

    @cached_property
    def by_labels(self) -> dict[tuple[str, str], Pair]:
        """The pairs by (left, right), the better one first."""
        return {(pair.left, pair.right): pair for pair in self.pairs}


def all_pairs(results: Results, metric: str, runs: Sequence[RunResult] | None = None) -> AllPairs:
    """Compare every pair as `significance` does, the better one first; p adjusted after Holm.

    Pairs whose configurations answered the same questions share one resampling.
    """
    chosen = list(runs) if runs is not None else results.ranking(metric)
    scores = {run.label: run.scores(metric) for run in chosen}
    grouped: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    common: dict[tuple[frozenset[str], frozenset[str]], tuple[str, ...]] = {}
    asked = {label: frozenset(found) for label, found in scores.items()}
    for left, right in combinations(scores, 2):
        key = (asked[left], asked[right])
        if key not in common:
            common[key] = tuple(sorted(key[0] & key[1]))
        if common[key]:
            grouped[common[key]].append((left, right))
    pairs = [pair for ids, some in grouped.items() for pair in _pairs(ids, some, scores, results.seed)]
    order = {pair: place for place, pair in enumerate(combinations(scores, 2))}
    pairs.sort(key=lambda pair: order[pair.left, pair.right])
    adjusted = holm([pair.p_value for pair in pairs])
    fields = [(p.left, p.right, p.n, p.difference, p.low, p.high, p.p_value) for p in pairs]
    return AllPairs(
        tuple(Pair(*values, p_holm=p) for values, p in zip(fields, adjusted, strict=True)), tuple(scores)
    )


def _pairs(
    ids: Sequence[str],
    wanted: Sequence[tuple[str, str]],
    scores: Mapping[str, Mapping[str, float]],
    seed: int,
) -> list[Pair]:
    """Compare pairs that share these questions: resampled and sign-flipped means are linear in the scores."""
    labels = list(dict.fromkeys(label for pair in wanted for label in pair))
    column = {label: i for i, label in enumerate(labels)}
    table = np.array([[scores[label][i] for label in labels] for i in ids])
    resampled, flipped = resampled_means(table, seed), flipped_means(table, seed)
    means = table.mean(axis=0)
    found = []
    for left, right in wanted:
        a, b = column[left], column[right]
        low, high = percentiles(resampled[:, a] - resampled[:, b])
        gap = float(means[a] - means[b])
        equal = bool(np.array_equal(table[:, a], table[:, b]))
        p = 1.0 if equal else share_as_far(flipped[:, a] - flipped[:, b], gap)
        found.append(Pair(left, right, len(ids), gap, low, high, p))
    return found


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


def tied_groups(pairs: AllPairs) -> list[tuple[str, ...]]:
    """Group the labels: a group is its best and those after it not distinguishable from that one."""
    groups: list[list[str]] = []
    for label in pairs.labels:
        pair = pairs.by_labels.get((groups[-1][0], label)) if groups else None
        if groups and (pair is None or not pair.distinguishable):
            groups[-1].append(label)
        else:
            groups.append([label])
    return [tuple(group) for group in groups]


def places(groups: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Return the places, from 1, that each label shares with its group: (first, last)."""
    found: dict[str, tuple[int, int]] = {}
    first = 1
    for group in groups:
        found.update(dict.fromkeys(group, (first, first + len(group) - 1)))
        first += len(group)
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
