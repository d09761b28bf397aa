from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from evalcore.embedding.hashing import HashEmbedder
from evalcore.embedding.tfidf import TfidfEmbedder, TfidfSpace


def test_weights_are_the_formulas_and_rows_have_length_one() -> None:
    space = TfidfSpace(["a a b", "b c"])
    idf_rare, idf_b = math.log(3 / 2) + 1, math.log(3 / 3) + 1
    first = np.array([(1 + math.log(2)) * idf_rare, idf_b, 0])
    second = np.array([0, idf_b, idf_rare])
    expected = np.stack([first / np.linalg.norm(first), second / np.linalg.norm(second)])
    assert space.passages.toarray() == pytest.approx(expected, abs=1e-12)


def test_a_query_uses_the_passages_words_and_idf() -> None:
    space = TfidfSpace(["a a b", "b c"])
    row = np.array([math.log(3 / 2) + 1, 1.0, 0.0])
    assert space.queries(["a b unknown"]).toarray()[0] == pytest.approx(row / np.linalg.norm(row), abs=1e-12)
    assert space.queries(["unknown"]).nnz == 0


def test_the_words_in_most_passages_are_kept_ties_in_alphabetical_order() -> None:
    space = TfidfSpace(["d b", "d c", "a e"], features=2)
    assert space.passages.shape == (3, 2)
    assert space.queries(["a"]).nnz == 1
    assert space.queries(["d"]).nnz == 1
    assert space.queries(["b c e"]).nnz == 0


def test_the_matrix_is_sparse_and_holds_only_words_that_are_there() -> None:
    texts = [f"word{i} common" for i in range(5000)]
    passages = TfidfEmbedder().space(texts).passages
    assert sparse.issparse(passages)
    assert passages.shape == (5000, 4096)
    assert passages.nnz == 5000 + 4095


@pytest.mark.parametrize("texts", [[], [""], ["---", "!"]])
def test_texts_without_words_are_zero_rows(texts: list[str]) -> None:
    space = TfidfEmbedder().space(texts)
    assert space.passages.shape == (len(texts), 0)
    assert space.queries(["a"]).shape == (1, 0)


def test_hashed_rows_have_length_one_and_no_words_give_a_zero_row() -> None:
    rows = HashEmbedder(64).encode(["same text", "text", "", "中文字"])
    assert rows.shape == (4, 64)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 0, 1], abs=1e-6)


def test_hashed_texts_that_share_words_are_closer() -> None:
    space = HashEmbedder().space(["the warranty lasts two years", "boil the water first"])
    scores = space.passages @ space.queries(["how many years is the warranty"])[0]
    assert scores[0] > scores[1]


def test_hashed_rows_do_not_depend_on_the_process_or_the_other_texts() -> None:
    code = (
        "from evalcore.embedding.hashing import HashEmbedder;"
        "import hashlib;"
        "print(hashlib.sha256(HashEmbedder().encode(['red apple', 'blue']).tobytes()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1
    embedder = HashEmbedder()
    assert embedder.encode(["x", "red apple"])[1].tobytes() == embedder.encode(["red apple"])[0].tobytes()
