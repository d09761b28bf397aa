"""When a verdict is open, clear or proven."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.models import RankingMetric
from evalcore.report.grade import Grade, grade_of
from evalcore.report.verdict import Resampling, judge
from evalcore.scoring.table import Floats, Row, Weights


def row(name: str, recall: Floats, tokens: float = 500.0) -> Row:
    zeros = np.zeros(len(recall))
    return Row(
        strategy=name,
        retriever="dense",
        recall=recall,
        hit=(recall > 0).astype(np.float64),
        reciprocal_rank=recall,
        precision=zeros,
        efficiency=zeros,
        tokens=np.full(len(recall), tokens),
        pct_tiny=0.0,
    )


def graded(rows: list[Row], metric: RankingMetric = "recall_at_k") -> Grade:
    weights = Weights(metric, 0.05)
    verdict = judge(rows, weights, Resampling(2_000, 0)).chunking
    assert verdict is not None
    return grade_of(verdict, rows, rows, weights, 0)


def ones(n: int, wrong: int) -> Floats:
    values = np.ones(n)
    values[:wrong] = 0.0
    return values


def test_equals_are_open() -> None:
    same = ones(40, 10)
    assert graded([row("a", same), row("b", same)]) is Grade.OPEN


@pytest.mark.parametrize("metric", ["recall_at_k", "balanced"])
def test_a_large_gap_on_many_questions_is_proven(metric: RankingMetric) -> None:
    rows = [row("a", ones(60, 2)), row("b", ones(60, 40)), row("c", ones(60, 50))]
    assert graded(rows, metric) is Grade.PROVEN


def test_a_lead_of_three_questions_is_clear_and_not_proven() -> None:
    """Three wins and no loss: best in 95 of 100 resamples, but a sign-flip p of about 1/4."""
    assert graded([row("a", ones(40, 0)), row("b", ones(40, 3))]) is Grade.CLEAR


def test_one_rival_that_cannot_be_told_apart_is_enough() -> None:
    rows = [row("a", ones(60, 0)), row("b", ones(60, 40)), row("near", ones(60, 3))]
    assert graded(rows) is Grade.CLEAR


def test_a_lone_candidate_is_no_proof() -> None:
    assert graded([row("a", ones(10, 0))]) is Grade.CLEAR


def test_thrift_can_be_proven_where_recall_is_equal() -> None:
    """Equal recall, three times the tokens: the balanced score differs by λ · 2 on every question."""
    same = ones(60, 10)
    assert graded([row("thrifty", same, 500.0), row("lavish", same, 1_500.0)], "balanced") is Grade.PROVEN
