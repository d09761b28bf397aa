from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.retrieval import topk


def unit_rows(n: int, dimensions: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((n, dimensions))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_equal_scores_keep_corpus_order() -> None:
    ranking = topk.best(np.array([0.5, 0.9, 0.5, 0.9, 0.1]), 4)
    assert ranking.chunks.tolist() == [1, 3, 0, 2]
    assert ranking.scores.tolist() == [0.9, 0.9, 0.5, 0.5]


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, -1.0]), max_size=40), st.integers(1, 50))
def test_the_k_best_are_those_of_a_full_sort(scores: list[float], k: int) -> None:
    ranking = topk.best(np.array(scores, dtype=np.float64), k)
    assert ranking.chunks.tolist() == sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]


def test_a_pair_score_has_the_same_bits_whatever_rows_are_beside_it() -> None:
    rows = unit_rows(300, 384, 1)
    query = unit_rows(1, 384, 2)[0]
    together = topk.pair_scores(rows, query)
    for chosen in ([17], [17, 3], list(range(299, -1, -1)), list(range(0, 300, 7))):
        assert topk.pair_scores(rows[chosen], query).tobytes() == together[chosen].tobytes()


def test_rankings_are_the_exact_ones_and_do_not_depend_on_the_other_queries() -> None:
    rows = np.repeat(unit_rows(50, 64, 3), 3, axis=0)
    queries = unit_rows(20, 64, 4)
    together = topk.best_rows(rows, queries, 7)
    exact = queries.astype(np.float64) @ rows.astype(np.float64).T
    for query, ranking, scores in zip(queries, together, exact, strict=True):
        alone = topk.best_rows(rows, query[None, :], 7)[0]
        assert ranking.chunks.tolist() == alone.chunks.tolist()
        assert ranking.scores.tobytes() == alone.scores.tobytes()
        assert np.allclose(ranking.scores, scores[ranking.chunks], atol=1e-12, rtol=0)
        assert ranking.scores[-1] >= np.delete(scores, ranking.chunks).max() - 1e-12


def test_near_ties_below_float32_resolution_are_decided_in_float64() -> None:
    query = np.zeros(4, dtype=np.float32)
    query[:2] = [1.0, 2.0**-13]
    rows = np.zeros((3, 4), dtype=np.float32)
    rows[:, 0] = 1.0
    rows[1, 1] = 2.0**-13
    rows[2, 1] = 2.0**-12
    assert (rows @ query).tolist() == [1.0, 1.0, 1.0]
    assert topk.best_rows(rows, query[None, :], 1)[0].chunks.tolist() == [2]


def test_many_queries_are_searched_in_blocks_with_equal_results(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, queries = unit_rows(40, 16, 5), unit_rows(11, 16, 6)
    whole = topk.best_rows(rows, queries, 3)
    monkeypatch.setattr(topk, "_BLOCK_CELLS", 80)
    blocked = topk.best_rows(rows, queries, 3)
    assert [r.chunks.tolist() for r in whole] == [r.chunks.tolist() for r in blocked]
    assert [r.scores.tobytes() for r in whole] == [r.scores.tobytes() for r in blocked]


@pytest.mark.parametrize("k", [0, -1])
def test_a_cut_off_below_one_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"k is {k}; expected at least 1"):
        topk.check_k(k)
