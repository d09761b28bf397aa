"""Compare a report of ours with the published implementation's numbers, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from evalcore.models import EvalReport, PerQuestion, StrategyResult

STRATEGY = {"fixed": "fixed", "langchain:recursive": "recursive"}
"""Our strategies and the reference's names for them: its recursive is LangChain's splitter."""

MEANS = (
    "recall_at_k",
    "hit_rate_at_k",
    "mrr",
    "precision_at_k",
    "retrieved_tokens_at_k",
    "context_efficiency",
    "balanced_score",
)
HEALTH = (
    "num_chunks",
    "tokens_min",
    "tokens_median",
    "tokens_mean",
    "tokens_max",
    "pct_tiny",
    "pct_oversized",
    "boundary_health",
)
TIE = 1e-5


def rows(report: EvalReport) -> dict[tuple[str, str], StrategyResult]:
    """Return our rows by the reference's names."""
    return {(STRATEGY[row.strategy], row.retriever): row for row in report.strategy_results}


def spans(question: PerQuestion) -> list[list[Any]]:
    """Return retrieved chunks as [document, start, end], best first."""
    return [[r.chunk.doc_id, *r.chunk.char_span] for r in question.retrieved]


def same_up_to_ties(question: PerQuestion, expected: Sequence[Sequence[Any]]) -> bool:
    """Return whether both rankings agree, where scores closer than 1e-5 may stand in either order."""
    ours = spans(question)
    scores = [r.score for r in question.retrieved]
    if len(ours) != len(expected):
        return False
    for position, (mine, theirs) in enumerate(zip(ours, expected, strict=True)):
        if list(mine) == list(theirs):
            continue
        tied = [ours[i] for i, score in enumerate(scores) if abs(score - scores[position]) < TIE]
        at_the_cut = abs(scores[position] - scores[-1]) < TIE
        if list(theirs) not in tied and not at_the_cut:
            return False
    return True


def check_row(row: StrategyResult, expected: Mapping[str, Any]) -> None:
    """Compare one row: chunks, means, interval."""
    for name in HEALTH:
        assert getattr(row.chunk_health, name) == pytest.approx(expected["chunk_health"][name], abs=1e-9), (
            name
        )
    histogram = [list(pair) for pair in row.chunk_health.token_histogram]
    assert histogram == expected["chunk_health"]["token_histogram"]
    for name in MEANS:
        assert getattr(row, name) == pytest.approx(expected[name], abs=1e-9), name
    assert row.ci95 == pytest.approx(expected["ci95"], abs=1e-9)


def check_outcome(question: PerQuestion, expected: Mapping[str, Any]) -> None:
    """Compare one question: what was found, where, and whether the answer was cut apart."""
    assert question.found_gold_indices == expected["found"]
    assert question.gold_total == expected["of"]
    assert question.first_hit_rank == expected["rank"]
    assert question.split_across_chunks == expected["split"]


def check_axis(ours: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Compare the verdict on one axis, strategies under the reference's names."""
    for name in (
        "axis",
        "decided",
        "winner",
        "leader",
        "in_play",
        "ruled_out",
        "questions_to_separate",
        "held",
    ):
        assert renamed(ours[name]) == expected[name], name
    chances = {renamed(name): chance for name, chance in ours["probability_best"].items()}
    assert chances == pytest.approx(expected["probability_best"], abs=1e-9)
    assert renamed(ours["margin"]["runner_up"]) == expected["margin"]["runner_up"]
    assert ours["margin"]["difference"] == pytest.approx(expected["margin"]["difference"], abs=1e-9)
    assert ours["margin"]["ci95"] == pytest.approx(expected["margin"]["ci95"], abs=1e-9)


def renamed(value: Any) -> Any:
    """Return a name, or the names of a list, as the reference has them."""
    if isinstance(value, list):
        return [renamed(entry) for entry in value]
    return STRATEGY.get(value, value) if isinstance(value, str) else value
