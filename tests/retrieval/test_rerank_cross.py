"""A cross-encoder of random weights: its order, its bits, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import ModelError
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank import build_reranker

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "apple", "pear", "sky"]
TEXTS = ["red apple", "green pear pear pear", "sky", "red apple", "half \ud83d"]


def cross_encoder(folder: Path, labels: int = 1) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder, safe_serialization=True)
    return folder


def ranking(*chunks: int) -> Ranking:
    return Ranking(np.array(chunks, dtype=np.int64), np.zeros(len(chunks)))


def test_the_model_orders_and_equal_texts_go_by_corpus_order(tmp_path: Path) -> None:
    reranker = build_reranker(f"cross-encoder:{cross_encoder(tmp_path / 'model')}")
    found = reranker.rerank("red", ranking(4, 3, 2, 1, 0), TEXTS, 5)
    assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
    assert len(set(found.scores.tolist())) > 2
    order = found.chunks.tolist()
    assert order.index(3) == order.index(0) + 1
    alone = [reranker.rerank("red", ranking(chunk), TEXTS, 1).scores[0] for chunk in order]
    assert alone == found.scores.tolist()
    assert reranker.rerank("red", ranking(0, 1, 2, 3, 4), TEXTS, 2).chunks.tolist() == order[:2]
    assert len(reranker.rerank("red", ranking(), TEXTS, 2)) == 0


def test_a_model_with_several_numbers_per_pair_is_refused(tmp_path: Path) -> None:
    reranker = build_reranker(f"cross-encoder:{cross_encoder(tmp_path / 'three', labels=3)}")
    with pytest.raises(ModelError, match="gave 3 numbers per pair; expected one"):
        reranker.rerank("red", ranking(0), TEXTS, 1)


def test_damaged_weights_are_one_line(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "broken")
    (folder / "model.safetensors").write_bytes(b"\0" * 40)
    with pytest.raises(ModelError, match="cannot be loaded") as caught:
        build_reranker(f"cross-encoder:{folder}").rerank("red", ranking(0), TEXTS, 1)
    assert "\n" not in str(caught.value)
