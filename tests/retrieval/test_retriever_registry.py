from __future__ import annotations

import pytest

from evalcore.embedding.hashing import HashEmbedder
from evalcore.errors import SettingsError
from evalcore.retrieval.bm25 import BM25Retriever
from evalcore.retrieval.dense import DenseRetriever
from evalcore.retrieval.registry import RETRIEVERS, build_retriever, needs_vectors

TEXTS = ["red apple", "blue sea", "green tea and apple"]


def test_dense_bm25_and_hybrid_are_there_and_only_bm25_needs_no_vectors() -> None:
    assert {name: needs_vectors(name) for name in RETRIEVERS.names()} == {
        "dense": True,
        "bm25": False,
        "hybrid": True,
    }


@pytest.mark.parametrize("name", ["dense", "bm25", "hybrid"])
def test_each_finds_the_chunk_that_says_it(name: str) -> None:
    retriever = build_retriever(name, TEXTS, HashEmbedder().space(TEXTS))
    assert retriever.search(["blue sea"], 2)[0].chunks.tolist()[0] == 1


@pytest.mark.parametrize("name", ["dense", "hybrid"])
def test_without_vectors_the_error_says_what_to_choose(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} needs an embedder; choose one, or bm25"):
        build_retriever(name, TEXTS)


def test_hybrid_takes_the_parts_it_is_given() -> None:
    dense = DenseRetriever(HashEmbedder().space(TEXTS))
    bm25 = BM25Retriever(TEXTS)
    shared = build_retriever("hybrid", TEXTS, dense=dense, bm25=bm25).search(["apple"], 3)[0]
    own = build_retriever("hybrid", TEXTS, HashEmbedder().space(TEXTS)).search(["apple"], 3)[0]
    assert shared.chunks.tolist() == own.chunks.tolist()
    assert shared.scores.tobytes() == own.scores.tobytes()


def test_bm25_takes_its_parameters_from_the_spec_string() -> None:
    plain = build_retriever("bm25", TEXTS).search(["apple"], 1)[0]
    flat = build_retriever("bm25:b=0", TEXTS).search(["apple"], 1)[0]
    assert flat.scores[0] != plain.scores[0]


def test_an_unknown_retriever_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="unknown retriever 'sparse'; known: bm25, dense, hybrid"):
        needs_vectors("sparse")
