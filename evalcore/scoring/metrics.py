"""Ranking metrics: how good an order of chunks is, given how relevant each chunk is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalcore.errors import InputError


@dataclass(frozen=True, slots=True)
class Gains:
    """The grades of a ranking's chunks, best rank first (0: not relevant), and of all relevant chunks,
    highest first.
    """

    ranked: tuple[int, ...]
    ideal: tuple[int, ...]

    @classmethod
    def of(cls, ranking: Sequence[int], grades: Mapping[int, int]) -> Gains:
        """Look up the grades of a ranking; a chunk without a positive grade is not relevant.

        Raises:
            InputError: the ranking names a chunk twice.
        """
        if len(set(ranking)) < len(ranking):
            twice = next(chunk for chunk in ranking if ranking.count(chunk) > 1)
            raise InputError(f"the ranking names chunk {twice} more than once; a chunk has one rank")
        relevant = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        return cls(tuple(max(0, grades.get(chunk, 0)) for chunk in ranking), tuple(relevant))


def recall_at(gains: Gains, k: int) -> float:
    """Return relevant chunks among the first k / relevant chunks, 0..1; 0 without any."""
    return _hits(gains, k) / len(gains.ideal) if gains.ideal else 0.0


def precision_at(gains: Gains, k: int) -> float:
    """Return relevant chunks among the first k / k, 0..1, however few chunks were retrieved."""
    return _hits(gains, k) / k


def hit_rate_at(gains: Gains, k: int) -> float:
    """Return 1 when a relevant chunk is among the first k, else 0."""
    return 1.0 if _hits(gains, k) else 0.0


def mrr_at(gains: Gains, k: int) -> float:
    """Return 1 / rank of the first relevant chunk among the first k, 0..1; 0 when there is none."""
    return next((1.0 / rank for rank, gain in enumerate(gains.ranked[:k], start=1) if gain), 0.0)


def map_at(gains: Gains, k: int) -> float:
    """Return the sum of the precisions at the ranks of relevant chunks up to k / relevant chunks, 0..1."""
    if not gains.ideal:
        return 0.0
    found, total = 0, 0.0
    for rank, gain in enumerate(gains.ranked[:k], start=1):
        if gain:
            found += 1
            total += found / rank
    return total / len(gains.ideal)


def ndcg_at(gains: Gains, k: int) -> float:
    """Return the discounted gain of the first k / that of the best order, 0..1 (gain = grade, log2 discount).

    Järvelin and Kekäläinen, 2002, doi:10.1145/582415.582418.
    """
    best = _discounted(gains.ideal[:k])
    return _discounted(gains.ranked[:k]) / best if best else 0.0


METRICS: dict[str, Callable[[Gains, int], float]] = {
    "recall": recall_at,
    "precision": precision_at,
    "hit_rate": hit_rate_at,
    "mrr": mrr_at,
    "map": map_at,
    "ndcg": ndcg_at,
}


def measure(ranking: Sequence[int], grades: Mapping[int, int], cut_offs: Iterable[int]) -> dict[str, float]:
    """Return every metric at every cut-off, as `recall@5`.

    Raises:
        InputError: the ranking names a chunk twice.
    """
    gains = Gains.of(ranking, grades)
    return {f"{name}@{k}": metric(gains, k) for k in cut_offs for name, metric in METRICS.items()}


def _hits(gains: Gains, k: int) -> int:
    return sum(1 for gain in gains.ranked[:k] if gain)


def _discounted(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1) if grade)
