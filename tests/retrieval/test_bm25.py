from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.retrieval.bm25 import BM25Retriever
from evalcore.text.words import words


def found(texts: list[str], query: str, k: int = 10) -> list[int]:
    return BM25Retriever(texts).search([query], k)[0].chunks.tolist()


def test_the_score_is_the_formulas() -> None:
    texts = ["red apple red", "green apple", "blue sky over the sea"]
    ranking = BM25Retriever(texts).search(["red apple"], 5)[0]
    mean = (3 + 2 + 5) / 3
    idf_red = math.log(1 + 2.5 / 1.5)
    idf_apple = math.log(1 + 1.5 / 2.5)
    norm = [1.5 * (0.25 + 0.75 * length / mean) for length in (3, 2)]
    first = idf_red * 2 * 2.5 / (2 + norm[0]) + idf_apple * 2.5 / (1 + norm[0])
    second = idf_apple * 2.5 / (1 + norm[1])
    assert ranking.chunks.tolist() == [0, 1]
    assert ranking.scores == pytest.approx([first, second], abs=1e-12)


def test_a_word_in_half_of_the_chunks_still_counts() -> None:
    assert found(["alpha beta", "alpha gamma", "delta", "zeta"], "alpha") == [0, 1]


def test_a_word_in_every_chunk_scores_above_zero() -> None:
    ranking = BM25Retriever(["a", "a", "a"]).search(["a"], 3)[0]
    assert ranking.chunks.tolist() == [0, 1, 2]
    assert (ranking.scores > 0).all()


def test_a_repeated_query_word_counts_as_often_as_it_occurs() -> None:
    retriever = BM25Retriever(["cat dog", "dog"])
    once, twice = retriever.search(["cat", "cat Cat"], 1)
    assert twice.scores[0] == 2 * once.scores[0]


@pytest.mark.parametrize("query", ["nope", "?!", "", "__"])
def test_a_query_that_shares_no_word_finds_nothing(query: str) -> None:
    assert found(["one two", "three"], query) == []


@pytest.mark.parametrize("texts", [[], ["---"], ["---", ""]])
def test_chunks_without_words_find_nothing(texts: list[str]) -> None:
    assert found(texts, "the") == []


def test_a_cut_off_above_the_number_of_chunks_is_no_fault() -> None:
    assert found(["x y", "x", "z", "x x"], "x", k=100) == [3, 1, 0]


def test_chinese_is_found_by_character_pairs() -> None:
    assert found(["床前明月光", "疑是地上霜", "举头望明月", "低头思故乡"], "故乡") == [3]


def test_equal_chunks_come_in_corpus_order() -> None:
    assert found(["b a", "a b", "c", "a b"], "a b", k=2) == [0, 1]


def test_no_queries_give_no_rankings() -> None:
    assert BM25Retriever(["a"]).search([], 3) == []


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        BM25Retriever(["a"]).search(["a"], 0)


TEXTS = st.lists(st.text(alphabet="abc ", max_size=12), max_size=12)


@given(TEXTS, TEXTS, st.integers(1, 15))
def test_exactly_the_chunks_that_share_a_word_come_back_with_scores_of_their_own(
    texts: list[str], queries: list[str], k: int
) -> None:
    retriever = BM25Retriever(texts)
    for query, ranking in zip(queries, retriever.search(queries, k), strict=True):
        sharing = {i for i, text in enumerate(texts) if set(words(text)) & set(words(query))}
        assert len(ranking) == min(k, len(sharing))
        assert set(ranking.chunks.tolist()) <= sharing
        assert (ranking.scores > 0).all()
        assert (np.diff(ranking.scores) <= 0).all()
        alone = retriever.search([query], k)[0]
        assert alone.scores.tobytes() == ranking.scores.tobytes()
