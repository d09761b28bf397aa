"""Per-question scores of each cell, their means, and the order of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.models import RankingMetric

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One cell of the table; every array has one value per scored question, in the same order.

    `recall`, `hit`, `reciprocal_rank`, `precision`, `efficiency` are in 0..1; `tokens` are retrieved tokens.
    """

    strategy: str
    retriever: str
    recall: Floats
    hit: Floats
    reciprocal_rank: Floats
    precision: Floats
    efficiency: Floats
    tokens: Floats
    pct_tiny: float

    @property
    def key(self) -> tuple[str, str]:
        """(strategy, retriever), unique in a table."""
        return self.strategy, self.retriever


@dataclass(frozen=True, slots=True)
class Weights:
    """How rows are ranked: the metric, and λ for the balanced score."""

    metric: RankingMetric
    balanced_lambda: float


def cheapest_tokens(rows: Sequence[Row]) -> float:
    """Return the smallest positive mean of retrieved tokens in the table; 0 when there is none."""
    means = [float(row.tokens.mean()) for row in rows]
    return min((m for m in means if m > 0), default=0.0)


def balanced(
    recall: Floats | float, tokens: Floats | float, cheapest: Floats | float, weight: float
) -> Floats:
    """Return recall - λ·(tokens / cheapest - 1); without any tokens in the table there is no penalty."""
    base = np.asarray(cheapest, dtype=np.float64)
    relative = np.divide(tokens, base, out=np.ones(np.broadcast(tokens, base).shape), where=base > 0)
    return np.asarray(recall - weight * (relative - 1.0), dtype=np.float64)


def balanced_scores(rows: Sequence[Row], weight: float) -> list[float]:
    """Return each row's balanced score."""
    cheapest = cheapest_tokens(rows)
    return [float(balanced(r.recall.mean(), r.tokens.mean(), cheapest, weight)) for r in rows]


def ranked(rows: Sequence[Row], weights: Weights) -> list[Row]:
    """Order rows best first: the metric, then MRR, then hit rate, then the smaller share of tiny chunks."""
    scores = {row.key: score for row, score in zip(rows, _scores(rows, weights), strict=True)}
    return sorted(
        rows,
        key=lambda r: (-scores[r.key], -r.reciprocal_rank.mean(), -r.hit.mean(), r.pct_tiny),
    )


def _scores(rows: Sequence[Row], weights: Weights) -> list[float]:
    if weights.metric == "balanced":
        return balanced_scores(rows, weights.balanced_lambda)
    return [float(per_question(row, weights.metric).mean()) for row in rows]


def per_question(row: Row, metric: RankingMetric) -> Floats:
    """Return the per-question scores behind a ranking metric; recall for `balanced`."""
    return {"mrr": row.reciprocal_rank, "hit_rate_at_k": row.hit}.get(metric, row.recall)
