"""Rerankers against orders and values worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import ModelError, SettingsError
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank import RERANKERS, build_reranker, reranker_name, reranker_spec
from tests.embedding.models_on_disk import write_json

TEXTS = ["red apple", "green apple apple pear", "blue sky", "", "red apple"]


def ranking(*chunks: int) -> Ranking:
    return Ranking(np.array(chunks, dtype=np.int64), np.linspace(1.0, 0.5, len(chunks)))


def test_lexical_adds_the_share_of_words_found_and_a_tenth_per_repetition() -> None:
    found = build_reranker("lexical").rerank("Red apple?", ranking(2, 1, 0), TEXTS, 3)
    assert found.chunks.tolist() == [0, 1, 2]
    # 2/2 + 0.1·2/2^¼, 1/2 + 0.1·2/4^¼, nothing
    assert found.scores == pytest.approx([1 + 0.2 / 2**0.25, 0.5 + 0.2 / 2**0.5, 0.0], abs=1e-15)


def test_a_length_penalty_of_one_divides_by_the_length() -> None:
    found = build_reranker("lexical:1").rerank("apple", ranking(0, 1), TEXTS, 2)
    assert found.chunks.tolist() == [0, 1]
    assert found.scores == pytest.approx([1 + 0.1 / 2, 1 + 0.2 / 4])


def test_a_word_asked_twice_counts_once() -> None:
    once = build_reranker("lexical").rerank("apple", ranking(0), TEXTS, 1)
    twice = build_reranker("lexical").rerank("apple Apple", ranking(0), TEXTS, 1)
    assert once.scores.tolist() == twice.scores.tolist()


def test_equal_lexical_scores_go_by_corpus_order() -> None:
    assert build_reranker("lexical").rerank("apple", ranking(4, 0), TEXTS, 2).chunks.tolist() == [0, 4]


def test_a_query_without_words_keeps_order_and_scores() -> None:
    found = build_reranker("lexical").rerank("?!", ranking(4, 2, 0), TEXTS, 2)
    assert found.chunks.tolist() == [4, 2]
    assert found.scores.tolist() == [1.0, 0.75]


def test_mmr_puts_a_repetition_behind_what_is_new() -> None:
    # Relevance 1, 2/3, 1/3. After chunk 0: its twin 0.7·2/3 - 0.3·1 = 0.1667, blue sky 0.7/3 = 0.2333.
    found = build_reranker("mmr").rerank("x", ranking(0, 4, 2), TEXTS, 3)
    assert found.chunks.tolist() == [0, 2, 4]
    assert found.scores == pytest.approx([0.7, 0.7 / 3, 0.7 * 2 / 3 - 0.3])


def test_mmr_compares_with_the_nearest_of_all_chosen() -> None:
    # red apple · green apple apple pear share 1 of 4 words.
    found = build_reranker("mmr:0.5").rerank("x", ranking(0, 2, 1), TEXTS, 3)
    assert found.chunks.tolist() == [0, 2, 1]
    assert found.scores == pytest.approx([0.5, 1 / 3, 0.5 / 3 - 0.5 / 4])


def test_mmr_without_diversity_keeps_the_order() -> None:
    assert build_reranker("mmr:0").rerank("x", ranking(3, 4, 0, 2), TEXTS, 4).chunks.tolist() == [3, 4, 0, 2]


def test_mmr_of_chunks_without_words_is_finite() -> None:
    found = build_reranker("mmr").rerank("x", ranking(0, 1), ["", "!"], 2)
    assert found.chunks.tolist() == [0, 1]


SPECS = ["lexical", "lexical:0", "mmr", "mmr:1"]


@pytest.mark.parametrize("spec", SPECS)
def test_no_candidates_give_an_empty_ranking(spec: str) -> None:
    assert len(build_reranker(spec).rerank("red", ranking(), TEXTS, 5)) == 0


@given(
    st.sampled_from(SPECS),
    st.lists(st.text("ab ", max_size=9), min_size=1, max_size=8),
    st.text("ab ", max_size=6),
    st.integers(1, 9),
    st.randoms(),
)
def test_a_reranking_is_the_beginning_of_a_deeper_one(
    spec: str, texts: list[str], query: str, k: int, random: object
) -> None:
    order = list(range(len(texts)))
    random.shuffle(order)  # type: ignore[attr-defined]
    deep = build_reranker(spec).rerank(query, ranking(*order), texts, len(texts)).chunks.tolist()
    assert sorted(deep) == sorted(order)
    assert build_reranker(spec).rerank(query, ranking(*order), texts, k).chunks.tolist() == deep[:k]


def test_spec_strings_set_the_main_parameter_and_refuse_the_rest() -> None:
    assert RERANKERS.names() == ("lexical", "mmr", "cross-encoder")
    assert reranker_name("lexical:0.50") == "lexical:0.5"
    assert reranker_name("mmr:diversity=0.3") == "mmr:0.3"
    assert dict(reranker_spec("cross-encoder:a/b,c=d").params) == {"model": "a/b,c=d"}
    with pytest.raises(SettingsError, match=r"unknown reranker 'cohere'.*lexical"):
        reranker_name("cohere")
    with pytest.raises(SettingsError, match="diversity is '2'; expected a number from 0 to 1"):
        reranker_name("mmr:2")


def test_a_cross_encoder_that_is_not_here_or_not_named_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cross-encoder:NAME"):
        build_reranker("cross-encoder")
    with pytest.raises(ModelError, match="model no/such-model is not on this machine") as caught:
        build_reranker("cross-encoder:no/such-model")
    assert "\n" not in str(caught.value)
    write_json(tmp_path / "config.json", {"model_type": "bert"})
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ModelError, match=r"pytorch_model\.bin.*safetensors"):
        build_reranker(f"cross-encoder:{tmp_path}")
