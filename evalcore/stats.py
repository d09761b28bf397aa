"""Resampling statistics over questions; every function is pure and takes its seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TIE = 1e-12
_BLOCK_CELLS = 2_000_000
_MOST_QUESTIONS = 100_000


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
    low, high = np.quantile(means / len(values), [0.025, 0.975])
    return Interval(float(low), float(high))


Score = Callable[[Floats], Floats]
"""From counts of shape (rows, n) to scores of shape (rows, candidates)."""


def probability_best(score: Score, n: int, candidates: int, resamples: int, seed: int) -> Floats:
    """Return each candidate's share of resamples in which its score is the highest; ties share equally."""
    wins = np.zeros((candidates + 1, candidates), dtype=np.int64)
    for counts in resample_counts(n, resamples, seed):
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
