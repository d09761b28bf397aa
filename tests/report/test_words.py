"""The verdict in words: each case says its numbers, and none claims more than it knows."""

from __future__ import annotations

from evalcore.models import AxisVerdict, ChunkHealth, Margin, StrategyResult
from evalcore.report.words import Scoring, axis_words, metric_name, share

SCORING = Scoring("recall_at_k", 5, 75)


def result(
    strategy: str, retriever: str = "dense", tokens: float = 1000.0, tiny: float = 0.0
) -> StrategyResult:
    health = ChunkHealth(
        num_chunks=9, tokens_min=1, tokens_median=2, tokens_mean=2, tokens_max=3, pct_tiny=tiny,
        pct_oversized=0.0, boundary_health=1.0,
    )  # fmt: skip
    return StrategyResult(
        strategy=strategy, retriever=retriever, config={"chunk_size": 128, "overlap": 16}, recall_at_k=0.54,
        hit_rate_at_k=0.6, mrr=0.4, precision_at_k=0.1, retrieved_tokens_at_k=tokens, chunk_health=health,
    )  # fmt: skip


def axis(
    decided: bool, needed: int | None = None, held: str | None = None, difference: float = 0.127
) -> AxisVerdict:
    return AxisVerdict(
        axis="chunking",
        decided=decided,
        winner="a" if decided else None,
        leader="a",
        probability_best={"a": 0.988, "b": 0.012},
        in_play=["a"] if decided else ["a", "b"],
        ruled_out=["b"] if decided else [],
        margin=Margin(runner_up="b", difference=difference, ci95=(0.02, 0.24)),
        questions_to_separate=needed,
        held=held,
    )


def test_a_winner_is_named_with_settings_score_margin_and_who_is_out() -> None:
    words = axis_words(axis(True), [result("a"), result("b", tiny=0.6)], SCORING)
    for part in (
        "use a (chunk_size 128, overlap 16).",
        "It scored 0.54 on recall@5 over 75 questions.",
        "best in 99 % of the paired resamples",
        "0.127 above that of b (95 % interval of the gap +0.020 to +0.240)",
        "Ruled out: b.",
        "b came last: 60 % of its chunks are tiny (the fragment trap).",
    ):
        assert part in words


def test_answers_cut_apart_by_the_winner_are_counted() -> None:
    scoring = Scoring("recall_at_k", 5, 75, {("a", "dense"): 3})
    assert "a still cut the answer apart in 3 of 75 questions" in axis_words(
        axis(True), [result("a"), result("b")], scoring
    )


def test_an_open_axis_says_how_many_questions_would_settle_it_and_no_more_digits_than_are_known() -> None:
    words = axis_words(axis(False, needed=6075), [result("a"), result("b")], SCORING)
    assert words.startswith("no clear winner. a leads on recall@5")
    assert "Still in play: a, b." in words
    assert "About 6,100 scored questions (now 75)" in words


def test_when_no_number_of_questions_would_settle_it_cost_is_named() -> None:
    words = axis_words(axis(False), [result("a", tokens=2500), result("b", tokens=780)], SCORING)
    assert "choose by cost: b hands over 780 tokens per question, a 2,500." in words
    words = axis_words(axis(False), [result("a"), result("b")], SCORING)
    assert "nothing measured here tells them apart" in words


def test_equal_recall_and_a_leader_below_the_second_are_said_as_they_are() -> None:
    assert "its recall equals that of b" in axis_words(
        axis(False, difference=0.0), [result("a"), result("b")], SCORING
    )
    assert "its recall is 0.130 below that of b" in axis_words(
        axis(False, difference=-0.13), [result("a"), result("b")], SCORING
    )


def test_a_lone_candidate_is_no_winner() -> None:
    lone = AxisVerdict(axis="chunking", decided=True, winner="a", leader="a", probability_best={"a": 1.0})
    words = axis_words(lone, [result("a")], SCORING)
    assert words == (
        "only a was tried, so there is nothing to compare. It scored 0.54 on recall@5 over 75 questions."
    )


def test_the_value_held_is_named_with_how_many_it_was_chosen_from() -> None:
    rows = [result(s, r) for r in ("bm25", "dense", "hybrid") for s in ("a", "b")]
    words = axis_words(axis(False, needed=100, held="hybrid"), rows, SCORING)
    assert "Measured with hybrid, on average the best of 3 retrievers, chosen from these data." in words


def test_shares_never_round_to_certainty() -> None:
    assert [share(v) for v in (0.0, 0.004, 0.5, 0.996, 1.0)] == [
        "0 %",
        "under 1 %",
        "50 %",
        "over 99 %",
        "100 %",
    ]


def test_metrics_have_names_for_people() -> None:
    assert [metric_name(m, 3) for m in ("recall_at_k", "mrr", "balanced", "other")] == [
        "recall@3",
        "MRR",
        "balanced score",
        "other",
    ]
