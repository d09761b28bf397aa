"""Two configurations compared: the four sentences, and the fields on which other tools fall over."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.results.comparison import Comparison, compare_scores
from evalcore.stats import clustered_interval, holm, mean_interval, questions_for_gap, sign_flip_p

METRIC = "recall@5"


def scores(values: list[float]) -> dict[str, float]:
    return {f"q{i:03}": value for i, value in enumerate(values)}


def compared(left: list[float], right: list[float], clusters: dict[str, str] | None = None) -> Comparison:
    found = compare_scores("A", "B", METRIC, scores(left), scores(right), clusters=clusters)
    figures = (
        found.left_score,
        found.right_score,
        found.difference,
        found.ci_low,
        found.ci_high,
        found.p_value,
    )
    assert all(np.isfinite(figures))
    return found


def test_identical_configurations_differ_on_no_question() -> None:
    found = compared([1.0, 0.0, 1.0, 0.5], [1.0, 0.0, 1.0, 0.5])
    assert (found.p_value, found.ci_low, found.ci_high, found.ties) == (1.0, 0.0, 0.0, 4)
    assert found.winner is None
    assert "identically on every single question" in found.verdict()
    assert "+0.000 to +0.000" in found.verdict()


def test_a_constant_difference_on_three_questions_is_not_proof() -> None:
    """All eight sign patterns of three equal differences: two of them reach the mean, so p is about 1/4."""
    found = compared([1.0] * 3, [0.0] * 3)
    assert (found.ci_low, found.ci_high) == (1.0, 1.0)
    assert found.p_value == pytest.approx(0.25, abs=0.03)
    assert not found.distinguishable
    assert "leaves out zero" in found.verdict()
    assert "not below alpha 0.05" in found.verdict()


def test_a_constant_difference_on_many_questions_is_found() -> None:
    found = compared([0.0] * 30, [1.0] * 30)
    assert (found.winner, found.p_value) == ("B", 1 / 2001)
    assert found.verdict().startswith("B is better than A on recall@5")
    assert "+1.000 to +1.000" in found.verdict()
    assert "It wins 30 questions, loses 0 and ties 0" in found.verdict()


def test_one_question_settles_nothing() -> None:
    found = compared([1.0], [0.0])
    assert (found.n, found.ci_low, found.ci_high, found.p_value) == (1, 1.0, 1.0, 1.0)
    assert not found.distinguishable
    assert "(n=1)" in found.verdict()


def test_two_questions_settle_nothing() -> None:
    found = compared([1.0, 1.0], [0.0, 1.0])
    assert (found.ci_low, found.ci_high) == (0.0, 1.0)
    assert "lies inside its confidence interval" in found.verdict()


def test_all_ones_show_no_spread() -> None:
    assert mean_interval(np.ones(12)) == (1.0, 1.0)
    assert compared([1.0] * 12, [1.0] * 12).identical


def test_equal_means_on_other_questions_cannot_be_settled_by_more() -> None:
    found = compared([1.0, 0.0], [0.0, 1.0])
    assert found.difference == 0.0
    assert not found.identical
    assert "no number of questions" in found.verdict()


def test_spread_hides_a_large_gap_between_enough_questions() -> None:
    """A gap of 0.5 needs floor(2.8² / 2 / 0.25) + 1 = 16 questions; there are 20, with +2, -2 and 0.5."""
    left = [1.0, 0.0] * 10
    right = [0.0, 1.0] * 9 + [0.0, 0.0]
    found = compared([5 * v for v in left], [5 * v - 0.25 for v in right])
    assert not found.distinguishable
    assert questions_for_gap(found.difference) is not None
    assert "the spread of the scores" in found.verdict()


def test_without_a_common_question_it_is_said_in_one_line() -> None:
    with pytest.raises(InputError, match="no question has recall@5 under both A and B"):
        compare_scores("A", "B", METRIC, {"a": 1.0}, {"b": 1.0})


def test_only_questions_that_both_answered_count() -> None:
    found = compare_scores("A", "B", METRIC, {"a": 1.0, "b": 0.0, "c": 1.0}, {"b": 1.0, "c": 1.0, "d": 0.0})
    assert (found.n, found.left_score, found.right_score) == (2, 0.5, 1.0)


@pytest.mark.parametrize(("gap", "needed"), [(0.1923, 110), (0.5, 16), (0.01, 39_000), (0.05, 1_600)])
def test_questions_for_a_gap(gap: float, needed: int) -> None:
    """floor(2.8² · 0.5 / gap²) + 1 = 107, 16, 39,201, 1,569; two significant figures from 100 on."""
    assert questions_for_gap(gap) == needed


def test_there_is_no_number_of_questions_for_no_gap() -> None:
    assert questions_for_gap(0.0) is None


def test_holm_by_hand() -> None:
    """Sorted 0.01, 0.02, 0.03, 0.4 times 4, 3, 2, 1, never falling: 0.04, 0.06, 0.06, 0.4."""
    assert holm([0.03, 0.01, 0.4, 0.02]) == pytest.approx([0.06, 0.04, 0.4, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_sign_flip_test_approaches_the_exact_one() -> None:
    differences = np.array([0.5, 1.0, 0.25, -0.25, 0.75, 0.5, 0.0, 1.0])
    patterns = list(itertools.product([-1.0, 1.0], repeat=len(differences)))
    reached = [abs(np.dot(p, differences)) >= abs(differences.sum()) - 1e-12 for p in patterns]
    exact = sum(reached) / len(patterns)
    assert sign_flip_p(differences) == pytest.approx(exact, abs=0.015)


def test_questions_of_one_document_that_agree_widen_the_interval() -> None:
    values = np.repeat([1.0, 0.0, 1.0, 0.0, 1.0], 8)
    documents = [f"document {i // 8}" for i in range(40)]
    plain, clustered = mean_interval(values), clustered_interval(values, documents)
    assert clustered is not None
    assert clustered.high - clustered.low > 2 * (plain.high - plain.low)
    assert clustered_interval(values, ["one"] * 40) is None


def test_the_sentence_says_when_documents_change_the_conclusion() -> None:
    """Two documents of ten questions, won by A, and one lost: twenty against five of one question each."""
    left = [1.0] * 20 + [0.0] * 8
    right = [0.0] * 20 + [1.0] * 8
    clusters = {f"q{i:03}": "won" if i < 20 else "lost" for i in range(28)}
    found = compared(left, right, clusters)
    assert found.distinguishable
    assert found.clustered is not None
    assert not found.survives_clustering
    assert "drawn by document (2 of them)" in found.verdict()
    assert "holds zero" in found.verdict()


def test_all_figures_are_given_as_plain_values() -> None:
    plain = compared([1.0] * 30, [0.0] * 30).as_dict()
    assert plain["distinguishable"] is True
    assert (plain["winner"], plain["wins"], plain["losses"], plain["ties"]) == ("A", 30, 0, 0)
    assert {"p_value", "ci_low", "ci_high", "alpha", "n"} <= plain.keys()


def test_a_gap_that_no_realistic_number_settles_is_said_so() -> None:
    """One question of 400 by 0.4: a gap of 0.001 would need 3.9 million questions."""
    found = compared([1.0, 0.0, *[1.0] * 398], [0.0, 0.6, *[1.0] * 398])
    assert found.difference == pytest.approx(0.001)
    assert "no realistic number settles it" in found.verdict()
