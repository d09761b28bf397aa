"""Resampling statistics over questions; every function is pure and takes its seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TIE = 1e-12
_BLOCK_CELLS = 2_000_000
_MOST_QUESTIONS = 100_000
VIEW_RESAMPLES = 2_000
_Z_ALPHA = 1.96
_Z_POWER = 0.84
_WORST_VARIANCE = 0.25


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


def resample_counts(n: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of shape (rows, n): how often each of n questions is drawn in each resample.

    Indices come from one `default_rng(seed)` as `integers(0, n, size=(rows, n))`, in blocks of
    max(1, 2,000,000 // n) rows, `resamples` rows in all.
    """
    rng = np.random.default_rng(seed)
    most = max(1, _BLOCK_CELLS // n)
    for first in range(0, resamples, most):
        rows = min(most, resamples - first)
        drawn = rng.integers(0, n, size=(rows, n))
        drawn += np.arange(rows, dtype=np.int64)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def bootstrap_interval(values: Floats, resamples: int, seed: int) -> Interval:
    """Return the percentile bootstrap's 95 % interval of the mean of `values`, shape (n,), n at least 1."""
    means = np.concatenate([counts @ values for counts in resample_counts(len(values), resamples, seed)])
    return percentiles(means / len(values))


Score = Callable[[Floats], Floats]
"""From counts of shape (rows, n) to scores of shape (rows, candidates)."""


def probability_best(score: Score, n: int, candidates: int, resamples: int, seed: int) -> Floats:
    """Return each candidate's share of resamples in which its score is the highest; ties share equally."""
    return _shares_best(score, resample_counts(n, resamples, seed), candidates)


def clustered_probability_best(
    score: Score, clusters: Sequence[str], candidates: int, resamples: int, seed: int
) -> Floats:
    """Return what `probability_best` does when whole clusters of questions are drawn, at least two."""
    return _shares_best(score, clustered_counts(clusters, resamples, seed), candidates)


def clustered_counts(clusters: Sequence[str], resamples: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of shape (rows, n): how often each question counts when as many clusters are drawn as
    there are.

    Each row is scaled to sum to n, so that a mean over n is one over the questions drawn.
    """
    belongs = _membership(clusters)
    for counts in resample_counts(len(belongs), resamples, seed):
        drawn = counts @ belongs
        yield drawn * (len(clusters) / drawn.sum(axis=1, keepdims=True))


def _membership(clusters: Sequence[str]) -> Floats:
    """Return a row per cluster, in order of name, with 1 at the questions that are in it."""
    names, member = np.unique(np.array(clusters, dtype=object).astype(str), return_inverse=True)
    belongs = np.zeros((len(names), len(clusters)))
    belongs[member, np.arange(len(clusters))] = 1.0
    return belongs


def _shares_best(score: Score, blocks: Iterable[Floats], candidates: int) -> Floats:
    wins = np.zeros((candidates + 1, candidates), dtype=np.int64)
    resamples = 0
    for counts in blocks:
        resamples += len(counts)
        scores = score(counts)
        best = scores >= scores.max(axis=1, keepdims=True) - TIE
        sharing = best.sum(axis=1)
        for size in np.unique(sharing):
            wins[size] += best[sharing == size].sum(axis=0)
    shares = wins[1:] / np.arange(1, candidates + 1)[:, None]
    return np.asarray(shares.sum(axis=0) / resamples, dtype=np.float64)


def share_at_least_as_good(
    score: Score, n: int, leader: int, candidates: int, resamples: int, seed: int
) -> Floats:
    """Return each candidate's share of resamples in which the leader is not better by more than 1e-12."""
    times = np.zeros(candidates)
    for counts in resample_counts(n, resamples, seed):
        scores = score(counts)
        times += (scores[:, [leader]] - scores <= TIE).sum(axis=0)
    return times / resamples


def questions_to_separate(n: int, difference: float, interval: Interval) -> int | None:
    """Return about how many questions would separate two candidates: max(n+1, ceil(n·(h/d)²)).

    h is half the width of the interval of the difference d. None when d is below 1e-9, h is 0, or the result
    is above 100,000.
    """
    half = (interval.high - interval.low) / 2
    if difference < 1e-9 or half <= 0:
        return None
    needed = max(n + 1, math.ceil(n * (half / difference) ** 2))
    return needed if needed <= _MOST_QUESTIONS else None


def resampled_means(table: Floats, seed: int = 0) -> Floats:
    """Return the column means of a table, shape (n, m), in each resample of the views: shape (2000, m).

    One draw serves all columns (spec/results.md §6).
    """
    blocks = [counts @ table for counts in resample_counts(len(table), VIEW_RESAMPLES, seed)]
    return np.asarray(np.concatenate(blocks) / len(table), dtype=np.float64)


def clustered_means(table: Floats, clusters: Sequence[str], seed: int = 0) -> Floats | None:
    """Return column means when whole clusters of rows are drawn, (2000, m); None with fewer than two.

    As many clusters are drawn as there are, with all their rows, and the mean is taken over the rows drawn
    (Cameron, Gelbach and Miller, 2008, doi:10.1162/rest.90.3.414).
    """
    belongs = _membership(clusters)
    if len(belongs) < 2:
        return None
    counts = np.concatenate(list(resample_counts(len(belongs), VIEW_RESAMPLES, seed)))
    return np.asarray((counts @ (belongs @ table)) / (counts @ belongs.sum(axis=1))[:, None])


def flipped_means(table: Floats, seed: int = 0) -> Floats:
    """Return the column means of a table, shape (n, m), under 2000 draws of random signs of its rows."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(VIEW_RESAMPLES, len(table)))
    return np.asarray(signs @ table / len(table), dtype=np.float64)


def percentiles(means: Floats) -> Interval:
    """Return the 95 % interval that resampled means give."""
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


def intervals_of_rows(means: Floats) -> tuple[Floats, Floats]:
    """Return low and high of the 95 % interval of each row of resampled means, shape (m, draws), draws >= 2.

    Quantiles as `percentiles` has them (Hyndman and Fan's type 7); the rows are sorted in place.
    """
    means.sort(axis=1)
    bounds = []
    for share in (0.025, 0.975):
        below, rest = divmod(share * (means.shape[1] - 1), 1.0)
        lower, upper = means[:, int(below)], means[:, int(below) + 1]
        bounds.append(lower + rest * (upper - lower))
    return bounds[0], bounds[1]


def mean_interval(values: Floats, seed: int = 0) -> Interval:
    """Return the 95 % interval of the mean of `values`, shape (n,), n at least 1, as the views draw it."""
    return bootstrap_interval(values, VIEW_RESAMPLES, seed)


def clustered_interval(values: Floats, clusters: Sequence[str], seed: int = 0) -> Interval | None:
    """Return the 95 % interval of the mean when whole clusters are drawn; None with fewer than two."""
    means = clustered_means(values[:, None], clusters, seed)
    return None if means is None else percentiles(means[:, 0])


def sign_flip_p(differences: Floats, seed: int = 0) -> float:
    """Return the two-sided p of paired differences, shape (n,), under random signs; 1 when all are 0."""
    if not np.any(differences):
        return 1.0
    return share_as_far(flipped_means(differences[:, None], seed)[:, 0], float(differences.mean()))


def share_as_far(flipped: Floats, mean: float) -> float:
    """Return (count of flipped means at least as far from 0 as `mean` + 1) / 2001 (spec/results.md §6)."""
    return float(shares_as_far(flipped[None, :], np.array([mean]))[0])


def shares_as_far(flipped: Floats, means: Floats) -> Floats:
    """Return `share_as_far` of each row of flipped means, shape (m, 2000), and its mean, shape (m,)."""
    as_far = (np.abs(flipped) >= np.abs(means)[:, None] - TIE).sum(axis=1)
    return np.asarray((as_far + 1) / (VIEW_RESAMPLES + 1), dtype=np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being several, in their order (Holm, 1979, jstor.org/stable/4615733)."""
    adjusted = [1.0] * len(p_values)
    so_far = 0.0
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for rank, i in enumerate(order):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = so_far
    return adjusted


def questions_for_gap(gap: float) -> int | None:
    """Return about how many questions would show a gap between two unpaired means; None without a gap.

    floor((1.96 + 0.84)² · 2 · 0.25 / gap²) + 1, to two significant figures from 100 on: 80 % power at alpha
    0.05, with the largest variance that scores in 0..1 can have (spec/results.md §6).
    """
    if abs(gap) < TIE:
        return None
    needed = math.floor((_Z_ALPHA + _Z_POWER) ** 2 * 2 * _WORST_VARIANCE / gap**2) + 1
    if needed < 100:
        return needed
    scale: int = 10 ** (len(str(needed)) - 2)
    return round(needed / scale) * scale
