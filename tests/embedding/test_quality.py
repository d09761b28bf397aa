"""Embedding quality against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from evalcore.embedding.quality import embedding_quality

TWO_WAYS = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
WORDS = ["one two", "three four", "five six", "seven eight"]


def test_two_documents_at_right_angles_have_no_anisotropy_and_one_effective_dimension() -> None:
    found = embedding_quality(TWO_WAYS, ["a", "a", "b", "b"], WORDS)
    assert found is not None
    assert found.anisotropy == 0.0
    assert found.separation is None
    assert found.effective_dimensions == pytest.approx(1.0)
    assert found.dimensions == 2
    assert found.collapsed == 1.0
    # (headroom 1 + efficiency min(1, 4·1/2) + distinct 0) / 3
    assert found.score == pytest.approx(2 / 3)


def test_equal_vectors_of_equal_words_are_not_collapsed() -> None:
    found = embedding_quality(TWO_WAYS, ["a", "a", "b", "b"], ["x y", "x y", "z", "z"])
    assert found is not None
    assert (found.collapsed, found.score) == (0.0, 1.0)


def test_words_that_differ_in_a_quarter_or_less_are_the_same_words() -> None:
    texts = ["a b c", "a b c d", "a b c", "a b"]  # Jaccard 3/4 and 2/3
    found = embedding_quality(TWO_WAYS, ["a", "b", "c", "d"], texts)
    assert found is not None
    assert found.collapsed == 0.5


def test_neighbours_count_within_a_document_from_ten_pairs_on() -> None:
    rows = np.repeat(np.eye(2, dtype=np.float32), 6, axis=0)
    found = embedding_quality(rows, ["a"] * 6 + ["b"] * 6, ["w"] * 12)
    assert found is not None
    assert (found.separation, found.anisotropy, found.collapsed) == (1.0, 0.0, 0.0)
    assert found.score == 1.0
    fewer = embedding_quality(rows[1:-1], ["a"] * 5 + ["b"] * 5, ["w"] * 10)
    assert fewer is not None
    assert fewer.separation is None


def test_with_one_document_all_pairs_count() -> None:
    found = embedding_quality(np.ones((5, 1), dtype=np.float32), ["a"] * 5, ["w"] * 5)
    assert found is not None
    assert (found.anisotropy, found.effective_dimensions) == (1.0, 0.0)
    assert found.score == pytest.approx(1 / 3)


def test_effective_dimensions_are_the_participation_ratio_of_the_covariance() -> None:
    rows = np.random.default_rng(3).normal(size=(40, 6)).astype(np.float32) * [4, 2, 1, 1, 1, 1]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    eigenvalues = np.linalg.eigvalsh(np.cov(rows.T))
    found = embedding_quality(rows.astype(np.float32), ["a", "b"] * 20, ["w"] * 40)
    assert found is not None
    expected = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
    assert found.effective_dimensions == pytest.approx(expected, rel=1e-5)


def test_sparse_rows_give_what_dense_rows_give() -> None:
    rows = np.random.default_rng(5).random((60, 8)) * (np.random.default_rng(6).random((60, 8)) > 0.5)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    documents, texts = [f"d{i // 6}" for i in range(60)], [f"w{i}" for i in range(60)]
    dense = embedding_quality(rows.astype(np.float64), documents, texts)  # type: ignore[arg-type]
    thin = embedding_quality(sparse.csr_matrix(rows), documents, texts)
    assert dense is not None
    assert thin is not None
    assert thin.score == pytest.approx(dense.score, abs=1e-12)
    assert thin.separation == pytest.approx(dense.separation, abs=1e-12)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_fewer_than_four_chunks_are_not_measured(count: int) -> None:
    assert embedding_quality(TWO_WAYS[:count], ["a"] * count, ["w"] * count) is None


def test_rows_of_zeros_give_finite_numbers() -> None:
    found = embedding_quality(sparse.csr_matrix((4, 0)), ["a"] * 4, [""] * 4)
    assert found is not None
    assert (found.anisotropy, found.effective_dimensions, found.dimensions) == (0.0, 0.0, 0)


def test_many_chunks_are_sampled_with_their_neighbours_and_the_same_each_time() -> None:
    rows = np.random.default_rng(1).normal(size=(2600, 4)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    documents = [f"d{i // 50}" for i in range(2600)]
    one = embedding_quality(rows, documents, ["w"] * 2600)
    assert one is not None
    assert one == embedding_quality(rows, documents, ["w"] * 2600)
    assert one.separation is not None
