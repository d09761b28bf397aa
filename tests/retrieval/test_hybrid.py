from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.retrieval.base import Ranking
from evalcore.retrieval.hybrid import HybridRetriever, depth, fuse


def ranking(*chunks: int) -> Ranking:
    return Ranking(np.array(chunks, dtype=np.int64), np.zeros(len(chunks)))


class Fixed:
    """Gives one ranking to every query and remembers how deep it was asked."""

    def __init__(self, *chunks: int) -> None:
        self.chunks = chunks
        self.asked: list[int] = []

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        self.asked.append(k)
        return [ranking(*self.chunks[:k]) for _ in queries]


def test_the_only_common_chunk_comes_first() -> None:
    x, a, b, c, y = range(5)
    fused = fuse([ranking(x, a, y), ranking(b, c, y)], 5)
    assert fused.chunks.tolist() == [y, x, b, a, c]
    assert fused.scores == pytest.approx([2 / 63, 1 / 61, 1 / 61, 1 / 62, 1 / 62], abs=1e-15)


def test_equal_scores_go_by_corpus_order_when_single_ranks_are_equal() -> None:
    assert fuse([ranking(9, 4), ranking(4, 9)], 2).chunks.tolist() == [4, 9]


def test_equal_scores_go_by_the_better_single_rank() -> None:
    # 1/63 + 1/84 = 1/72 + 1/72: ranks 3 and 24 against 12 and 12.
    first, second = list(range(100, 130)), list(range(200, 230))
    first[2], second[23] = 7, 7
    first[11], second[11] = 5, 5
    order = fuse([ranking(*first), ranking(*second)], 30).chunks.tolist()
    assert order.index(7) + 1 == order.index(5)


RANKINGS = st.lists(st.integers(0, 30), unique=True, max_size=20)


@given(RANKINGS, RANKINGS, RANKINGS, st.integers(1, 10))
def test_the_order_of_the_retrievers_does_not_matter(
    a: list[int], b: list[int], c: list[int], k: int
) -> None:
    one = fuse([ranking(*a), ranking(*b), ranking(*c)], k)
    other = fuse([ranking(*c), ranking(*a), ranking(*b)], k)
    assert one.chunks.tolist() == other.chunks.tolist()
    assert one.scores.tobytes() == other.scores.tobytes()


@pytest.mark.parametrize(("k", "expected"), [(1, 20), (5, 20), (6, 24), (50, 200)])
def test_each_retriever_is_asked_for_twenty_or_four_times_k(k: int, expected: int) -> None:
    part = Fixed(1, 2, 3)
    HybridRetriever([part, Fixed()]).search(["q"], k)
    assert part.asked == [depth(k)] == [expected]


def test_an_empty_ranking_leaves_the_others_order() -> None:
    assert HybridRetriever([Fixed(3, 1, 2), Fixed()]).search(["q"], 2)[0].chunks.tolist() == [3, 1]
    assert len(HybridRetriever([Fixed(), Fixed()]).search(["q"], 2)[0]) == 0


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        HybridRetriever([Fixed(1)]).search(["q"], 0)
