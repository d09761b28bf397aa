"""Every pair of configurations compared at once, and the groups that cannot be told apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from evalcore.results.comparison import ALPHA
from evalcore.results.results import Results
from evalcore.results.run_result import RunResult
from evalcore.stats import (
    TIE,
    flipped_means,
    holm,
    intervals_of_rows,
    resampled_means,
    shares_as_far,
)

Named = tuple[str, str]
Figures = tuple[float, float, float, float]
_BLOCK = 256


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
    def by_labels(self) -> dict[Named, Pair]:
        """The pairs by (left, right), the better one first."""
        return {(pair.left, pair.right): pair for pair in self.pairs}


def all_pairs(results: Results, metric: str, runs: Sequence[RunResult] | None = None) -> AllPairs:
    """Compare every pair as `significance` does, the better one first; p adjusted after Holm.

    Pairs over equally many questions share one draw, as `significance` would draw it for each.
    """
    chosen = list(runs) if runs is not None else results.ranking(metric)
    scores = {run.label: run.scores(metric) for run in chosen}
    grouped: dict[tuple[str, ...], list[Named]] = defaultdict(list)
    common: dict[tuple[frozenset[str], frozenset[str]], tuple[str, ...]] = {}
    asked = {label: frozenset(found) for label, found in scores.items()}
    for left, right in combinations(scores, 2):
        key = (asked[left], asked[right])
        if key not in common:
            common[key] = tuple(sorted(key[0] & key[1]))
        if common[key]:
            grouped[common[key]].append((left, right))
    found: dict[Named, Figures] = {}
    for n in {len(ids): None for ids in grouped}:
        same = {ids: some for ids, some in grouped.items() if len(ids) == n}
        found.update(_compared(n, same, scores, results.seed))
    named = [pair for pair in combinations(scores, 2) if pair in found]
    adjusted = holm([found[pair][-1] for pair in named])
    sizes = {pair: len(ids) for ids, some in grouped.items() for pair in some}
    pairs = (Pair(*pair, sizes[pair], *found[pair], p) for pair, p in zip(named, adjusted, strict=True))
    return AllPairs(tuple(pairs), tuple(scores))


def _compared(
    n: int,
    grouped: Mapping[tuple[str, ...], Sequence[Named]],
    scores: Mapping[str, Mapping[str, float]],
    seed: int,
) -> dict[Named, Figures]:
    """Return the gap, low, high and p of pairs by the n questions that each shares.

    Resampled and sign-flipped means are linear in the scores: one draw for n serves all columns.
    """
    column: dict[tuple[tuple[str, ...], str], int] = {}
    for ids, some in grouped.items():
        for label in dict.fromkeys(label for pair in some for label in pair):
            column[ids, label] = len(column)
    table = np.array([[scores[label][i] for i in ids] for ids, label in column]).T
    resampled, flipped = (
        np.ascontiguousarray(means(table, seed).T) for means in (resampled_means, flipped_means)
    )
    named = [pair for some in grouped.values() for pair in some]
    places = [(column[ids, a], column[ids, b]) for ids, some in grouped.items() for a, b in some]
    left, right = np.array(places).T
    gaps = table.mean(axis=0)[left] - table.mean(axis=0)[right]
    found: dict[Named, Figures] = {}
    for first in range(0, len(named), _BLOCK):
        block = slice(first, first + _BLOCK)
        a, b = left[block], right[block]
        low, high = intervals_of_rows(resampled[a] - resampled[b])
        p = shares_as_far(flipped[a] - flipped[b], gaps[block])
        p[(table.T[a] == table.T[b]).all(axis=1)] = 1.0
        figures = zip(gaps[block].tolist(), low.tolist(), high.tolist(), p.tolist(), strict=True)
        found.update(zip(named[block], figures, strict=True))
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
