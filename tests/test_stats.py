"""Resampling statistics against arithmetic by hand and plain NumPy."""

import numpy as np
import pytest

from evalcore.stats import (
    Interval,
    bootstrap_interval,
    clustered_counts,
    clustered_probability_best,
    intervals_of_rows,
    probability_best,
    questions_to_separate,
    resample_counts,
    share_at_least_as_good,
)


def means_of(values: np.ndarray):
    return lambda counts: counts @ values / counts.shape[1]


def test_resamples_are_the_specified_draws() -> None:
    counts = np.concatenate(list(resample_counts(7, 50, seed=3)))
    drawn = np.random.default_rng(3).integers(0, 7, size=(50, 7))
    expected = np.stack([np.bincount(row, minlength=7) for row in drawn])
    assert np.array_equal(counts, expected)


def test_blocks_hold_two_million_draws_at_most_and_come_from_one_generator() -> None:
    blocks = list(resample_counts(900_000, 5, seed=0))
    assert [len(block) for block in blocks] == [2, 2, 1]
    rng = np.random.default_rng(0)
    first = rng.integers(0, 900_000, size=(2, 900_000))
    second = rng.integers(0, 900_000, size=(2, 900_000))
    assert np.array_equal(blocks[0][1], np.bincount(first[1], minlength=900_000))
    assert np.array_equal(blocks[1][0], np.bincount(second[0], minlength=900_000))


def test_interval_is_the_percentile_bootstrap_of_the_mean() -> None:
    values = np.array([1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0, 1.0, 0.5, 1.0])
    drawn = np.random.default_rng(0).integers(0, 10, size=(10_000, 10))
    expected = np.percentile(values[drawn].mean(axis=1), [2.5, 97.5])
    assert bootstrap_interval(values, 10_000, 0) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_without_spread_the_interval_is_the_value(value: float) -> None:
    assert bootstrap_interval(np.full(9, value), 1000, 0) == Interval(value, value)
    assert bootstrap_interval(np.array([value]), 1000, 0) == Interval(value, value)


def test_equal_candidates_share_every_win() -> None:
    values = np.tile(np.array([[1.0], [0.0], [1.0]]), 3)
    chances = probability_best(means_of(values), 3, 3, 1000, 0)
    assert chances == pytest.approx([1 / 3] * 3)


def test_a_candidate_that_is_better_everywhere_always_wins() -> None:
    values = np.column_stack([np.ones(20), np.zeros(20)])
    assert probability_best(means_of(values), 20, 2, 500, 0).tolist() == [1.0, 0.0]
    assert share_at_least_as_good(means_of(values), 20, 0, 2, 500, 0).tolist() == [1.0, 0.0]


def test_a_difference_on_one_question_wins_whenever_that_question_is_drawn() -> None:
    values = np.zeros((4, 2))
    values[2, 0] = 1.0
    counts = np.concatenate(list(resample_counts(4, 2000, 0)))
    drawn = (counts[:, 2] > 0).mean()
    chances = probability_best(means_of(values), 4, 2, 2000, 0)
    assert chances == pytest.approx([drawn + (1 - drawn) / 2, (1 - drawn) / 2])
    as_good = share_at_least_as_good(means_of(values), 4, 0, 2, 2000, 0)
    assert as_good == pytest.approx([1.0, 1 - drawn])


def test_questions_to_separate_follows_its_formula() -> None:
    # n (h/d)^2 = 75 (0.09333/0.05333)^2 = 229.7
    assert questions_to_separate(75, 0.05333333333333334, Interval(-0.04, 0.14666666666666667)) == 230
    assert questions_to_separate(10, 0.4, Interval(0.3, 0.5)) == 11
    assert questions_to_separate(10, 0.0, Interval(-0.1, 0.1)) is None
    assert questions_to_separate(10, -0.2, Interval(-0.3, 0.1)) is None
    assert questions_to_separate(10, 0.2, Interval(0.2, 0.2)) is None
    assert questions_to_separate(100, 0.001, Interval(-0.05, 0.05)) is None


def test_clusters_are_drawn_whole_and_rows_sum_to_the_questions() -> None:
    """Clusters a (three questions) and b (one): a row is aa, ab, ba or bb, scaled to four questions."""
    rows = np.concatenate(list(clustered_counts(["a", "a", "a", "b"], 400, 0)))
    assert np.allclose(rows.sum(axis=1), 4)
    assert np.all(rows[:, 0] == rows[:, 1])
    assert sorted({round(float(row[3]), 9) for row in rows}) == [0.0, 1.0, 4.0]


def test_a_lead_in_one_document_of_four_is_as_likely_as_that_document_is_drawn() -> None:
    """Four documents of ten questions; one cell leads in the first only. It is drawn in 1 - (3/4)^4 of
    resamples, and where it is not, both tie and share: 0.684 + 0.316 / 2 = 0.842."""
    lead = np.zeros((40, 2))
    lead[:10, 0] = 1.0
    documents = [f"d{i // 10}" for i in range(40)]
    chances = clustered_probability_best(means_of(lead), documents, 2, 20_000, 0)
    assert chances[0] == pytest.approx(1 - 0.75**4 / 2, abs=0.01)
    assert chances.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("draws", [2, 41, 2_000])
def test_intervals_of_many_rows_are_numpys_quantiles(draws: int) -> None:
    means = np.random.default_rng(0).random((7, draws))
    expected = np.quantile(means, [0.025, 0.975], axis=1)
    assert np.stack(intervals_of_rows(means)) == pytest.approx(expected, abs=1e-12)
