"""Our own methods keep the laws that we ask others to keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import EMBEDDERS, TRANSFORMER, build_embedder
from evalcore.retrieval.registry import RETRIEVERS, build_retriever
from evalcore.retrieval.rerank import CROSS_ENCODER, RERANKERS, build_reranker
from evalcore.specs import Registry
from evalcore.testing import (
    Check,
    check_embedder,
    check_reranker,
    chunker_checks,
    embedder_checks,
    index_checks,
    reranker_checks,
)
from tests.retrieval.test_rerank_cross import cross_encoder

SMALL = [
    "fixed:24,overlap=6",
    "fixed:16,overlap=0,tokenizer=regex",
    "recursive:24,overlap=6",
    "recursive:16,overlap=0,tokenizer=character",
    "sentence:1",
    "sentence:3,overlap=2,max_tokens=40",
    "structure:24",
    "semantic:50,min_tokens=5,max_tokens=40",
    "semantic_no_floor:50,max_tokens=40",
    "langchain:recursive:24,overlap=6,tokenizer=regex",
]


def own(registry: Registry[Any]) -> list[str]:
    return [method.name for method in registry if not method.source]


@pytest.mark.parametrize("check", chunker_checks())
@pytest.mark.parametrize("spec", [*own(CHUNKERS), *SMALL])
def test_chunker(spec: str, check: Check) -> None:
    check.run(lambda: CHUNKERS.build(CHUNKERS.parse(spec)))


@pytest.mark.parametrize("check", embedder_checks())
@pytest.mark.parametrize("spec", [*(name for name in own(EMBEDDERS) if name != TRANSFORMER), "hash:1024"])
def test_embedder(spec: str, check: Check) -> None:
    check.run(lambda: build_embedder(spec))


def test_the_default_model() -> None:
    check_embedder(lambda: build_embedder(TRANSFORMER))


@pytest.mark.parametrize("check", index_checks())
@pytest.mark.parametrize("spec", [*own(RETRIEVERS), "bm25:k1=0.5,b=0"])
def test_index(spec: str, check: Check) -> None:
    check.run(lambda texts, space: build_retriever(spec, texts, space))


@pytest.mark.parametrize("check", reranker_checks())
@pytest.mark.parametrize(
    "spec",
    [*(name for name in own(RERANKERS) if name != CROSS_ENCODER), "lexical:0", "mmr:0", "mmr:0.9"],
)
def test_reranker(spec: str, check: Check) -> None:
    check.run(lambda: build_reranker(spec))


def test_a_cross_encoder(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path / "model")
    check_reranker(lambda: build_reranker(f"{CROSS_ENCODER}:{folder}"))
