"""The decision on each axis: decided only with evidence, ruled out only against evidence."""

import numpy as np
import pytest

from evalcore.report.verdict import Resampling, judge
from evalcore.report.words import by_document_words
from evalcore.scoring.table import Row, Weights, balanced_scores, ranked

RECALL = Weights("recall_at_k", 0.05)
RESAMPLING = Resampling(10_000, 0)


def row(strategy: str, recall, retriever: str = "dense", tokens: float = 100.0, ranks=None) -> Row:
    values = np.array(recall, dtype=np.float64)
    reciprocal = values.copy() if ranks is None else np.array(ranks, dtype=np.float64)
    return Row(
        strategy=strategy,
        retriever=retriever,
        recall=values,
        hit=(values > 0).astype(np.float64),
        reciprocal_rank=reciprocal,
        precision=values / 5,
        efficiency=values / 10,
        tokens=np.full(len(values), tokens),
        pct_tiny=0.0,
    )


def test_a_lone_candidate_is_decided_without_a_margin() -> None:
    verdict = judge([row("fixed", [1, 0, 1])], RECALL, RESAMPLING).chunking
    assert (verdict.decided, verdict.winner, verdict.probability_best) == (True, "fixed", {"fixed": 1.0})
    assert (verdict.margin, verdict.questions_to_separate, verdict.held) == (None, None, None)


def test_identical_candidates_are_undecided_and_both_in_play() -> None:
    same = [1, 0, 1, 1, 0] * 4
    verdict = judge([row("a", same), row("b", same)], RECALL, RESAMPLING).chunking
    assert not verdict.decided
    assert verdict.winner is None
    assert verdict.probability_best == {"a": 0.5, "b": 0.5}
    assert verdict.in_play == ["a", "b"]
    assert verdict.questions_to_separate is None
    assert verdict.margin is not None
    assert verdict.margin.ci95 == (0.0, 0.0)


def test_a_clear_lead_is_decided_and_rules_the_other_out() -> None:
    verdict = judge([row("bad", [0] * 30), row("good", [1] * 30)], RECALL, RESAMPLING).chunking
    assert (verdict.winner, verdict.in_play, verdict.ruled_out) == ("good", ["good"], ["bad"])
    assert verdict.margin is not None
    assert (verdict.margin.runner_up, verdict.margin.difference) == ("bad", 1.0)


def test_one_question_decides_nothing_it_cannot_show() -> None:
    verdict = judge([row("a", [1]), row("b", [1])], RECALL, RESAMPLING).chunking
    assert not verdict.decided
    assert verdict.in_play == ["a", "b"]


def test_each_axis_is_judged_with_the_other_held_at_its_best_mean_recall() -> None:
    rows = [
        row("a", [1, 1, 1, 0], "dense"),
        row("a", [1, 0, 0, 0], "bm25"),
        row("b", [1, 1, 0, 0], "dense"),
        row("b", [0, 1, 0, 0], "bm25"),
    ]
    verdict = judge(rows, RECALL, RESAMPLING)
    assert verdict.chunking.held == "dense"
    assert verdict.retrieval is not None
    assert verdict.retrieval.held == "a"
    assert list(verdict.retrieval.probability_best) == ["dense", "bm25"]


def test_held_ties_are_broken_by_name() -> None:
    rows = [row("a", [1, 0], "hybrid"), row("a", [0, 1], "bm25")]
    assert judge(rows, RECALL, RESAMPLING).chunking.held == "bm25"


def test_without_a_matrix_nothing_is_held_and_retrieval_is_not_judged() -> None:
    verdict = judge([row("a", [1, 0]), row("b", [0, 1])], RECALL, RESAMPLING)
    assert verdict.retrieval is None
    assert verdict.chunking.held is None


def test_the_chance_is_that_of_the_metric_that_ranks() -> None:
    by_rank = [row("late", [1] * 20, ranks=[0.2] * 20), row("early", [1] * 20, ranks=[1.0] * 20)]
    verdict = judge(by_rank, Weights("mrr", 0.05), RESAMPLING).chunking
    assert (verdict.leader, verdict.probability_best) == ("early", {"early": 1.0, "late": 0.0})


def test_balanced_prefers_the_cheaper_of_equals_and_never_contradicts_its_order() -> None:
    rows = [row("dear", [1, 0, 1, 1] * 5, tokens=300), row("cheap", [1, 0, 1, 1] * 5, tokens=100)]
    weights = Weights("balanced", 0.05)
    # recall 0.75; penalty 0.05 * (300/100 - 1) = 0.10 for the dear one
    assert balanced_scores(rows, 0.05) == pytest.approx([0.65, 0.75])
    verdict = judge(rows, weights, RESAMPLING).chunking
    assert (verdict.winner, verdict.probability_best) == ("cheap", {"cheap": 1.0, "dear": 0.0})


def test_balanced_without_any_tokens_has_no_penalty() -> None:
    assert balanced_scores([row("none", [0, 0], tokens=0)], 0.05) == [0.0]


def test_equal_rows_keep_their_order_and_ties_go_to_mrr_then_hits_then_fewer_tiny_chunks() -> None:
    equal = [row("first", [1, 0]), row("second", [1, 0])]
    assert [r.strategy for r in ranked(equal, RECALL)] == ["first", "second"]
    later = [row("low", [1, 0], ranks=[0.5, 0]), row("high", [1, 0], ranks=[1, 0])]
    assert [r.strategy for r in ranked(later, RECALL)] == ["high", "low"]


def test_twelve_equal_candidates_rarely_name_a_winner() -> None:
    named = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shared = rng.random(60)
        rows = [row(f"s{i}", (rng.random(60) * 0.5 + shared * 0.5 > 0.45).astype(float)) for i in range(12)]
        named += judge(rows, RECALL, Resampling(1000, 0)).chunking.decided
    assert named <= 3


FOUR = [f"d{i // 10}" for i in range(40)]


def test_a_lead_that_hangs_on_one_document_is_decided_by_question_and_not_by_document() -> None:
    """Ten of 40 questions, all about one of four documents: by document 1 - (3/4)^4 / 2 = 0.84."""
    rows = [row("a", [1] * 10 + [0] * 30), row("b", [0] * 40)]
    verdict = judge(rows, RECALL, RESAMPLING, FOUR).chunking
    assert verdict.decided
    assert verdict.by_document is not None
    assert verdict.by_document.documents == 4
    assert verdict.by_document.probability_best == pytest.approx(0.842, abs=0.02)
    assert verdict.by_document.ci95[0] == 0.0
    said = by_document_words(verdict)
    assert said.startswith("But several questions ask about one document: drawn by document (4 of them), it ")
    assert "best in only 84 %" in said
    assert "which holds zero" in said


def test_a_lead_in_every_document_stays_and_nothing_is_said() -> None:
    rows = [row("a", [1] * 40), row("b", [0] * 40)]
    verdict = judge(rows, RECALL, RESAMPLING, FOUR).chunking
    assert verdict.by_document is not None
    assert verdict.by_document.probability_best == 1.0
    assert by_document_words(verdict) == ""


@pytest.mark.parametrize("documents", [[], [f"d{i}" for i in range(40)], ["one"] * 40])
def test_without_shared_documents_or_with_one_alone_there_is_nothing_to_draw(documents: list[str]) -> None:
    rows = [row("a", [1] * 40), row("b", [0] * 40)]
    assert judge(rows, RECALL, RESAMPLING, documents).chunking.by_document is None


def test_the_balanced_score_by_document_is_a_mean_over_the_questions_drawn() -> None:
    """Recall is equal and b twice as dear, so a leads by lambda in every resample, however many are drawn."""
    rows = [row("a", [1] * 40, tokens=100.0), row("b", [1] * 40, tokens=200.0)]
    uneven = ["big"] * 37 + ["x", "y", "z"]
    verdict = judge(rows, Weights("balanced", 0.05), RESAMPLING, uneven).chunking
    assert verdict.by_document is not None
    assert verdict.by_document.probability_best == 1.0
