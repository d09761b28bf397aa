from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evalcore.embedding.base import Matrix
from evalcore.embedding.hashing import HashEmbedder
from evalcore.embedding.tfidf import TfidfEmbedder
from evalcore.retrieval.dense import DenseRetriever


class Plane:
    """Passages and queries as points of the unit circle, given in degrees."""

    def __init__(self, degrees: Sequence[float]) -> None:
        self.passages: Matrix = self.queries([str(d) for d in degrees])

    def queries(self, texts: Sequence[str]) -> Matrix:
        angles = np.deg2rad([float(t) for t in texts]).reshape(-1)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_chunks_come_by_cosine_with_ties_in_corpus_order_and_negatives_last() -> None:
    ranking = DenseRetriever(Plane([90, 0, 180, 0, 60])).search(["0"], 5)[0]
    assert ranking.chunks.tolist() == [1, 3, 4, 0, 2]
    assert ranking.scores == pytest.approx([1, 1, 0.5, 0, -1], abs=1e-6)


def test_k_chunks_come_back_or_all_there_are() -> None:
    retriever = DenseRetriever(Plane([0, 90, 180]))
    assert [len(r) for r in retriever.search(["0", "10"], 2)] == [2, 2]
    assert len(retriever.search(["0"], 9)[0]) == 3


def test_without_chunks_or_queries_nothing_comes_back() -> None:
    assert len(DenseRetriever(Plane([])).search(["0"], 3)[0]) == 0
    assert DenseRetriever(Plane([0])).search([], 3) == []


def test_sparse_vectors_are_searched_the_same_way() -> None:
    space = TfidfEmbedder().space(["red apple", "blue sea", "apple apple", "blue sea"])
    retriever = DenseRetriever(space)
    ranking = retriever.search(["blue sea", "apple"], 4)
    assert ranking[0].chunks.tolist() == [1, 3, 0, 2]
    assert ranking[0].scores == pytest.approx([1, 1, 0, 0], abs=1e-12)
    assert ranking[1].chunks.tolist()[0] == 2
    assert retriever.search(["apple"], 4)[0].scores.tobytes() == ranking[1].scores.tobytes()


def test_a_sparse_query_without_known_words_gets_corpus_order_at_score_zero() -> None:
    ranking = DenseRetriever(TfidfEmbedder().space(["a", "b", "c"])).search(["unknown"], 2)[0]
    assert ranking.chunks.tolist() == [0, 1]
    assert ranking.scores.tolist() == [0.0, 0.0]


def test_equal_texts_tie_in_corpus_order() -> None:
    texts = ["other words", "same text", "more", "same text", "same text"]
    ranking = DenseRetriever(HashEmbedder().space(texts)).search(["same text"], 3)[0]
    assert ranking.chunks.tolist() == [1, 3, 4]


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        DenseRetriever(Plane([0])).search(["0"], 0)
