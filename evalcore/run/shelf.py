"""What cells of a run share: one space and one retriever per chunk set, whatever asks for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from evalcore.chunking.base import ChunkSet
from evalcore.embedding.base import VectorSpace
from evalcore.embedding.quality import EmbeddingQuality, embedding_quality
from evalcore.grid import Configuration
from evalcore.retrieval.base import Retriever
from evalcore.retrieval.registry import build_retriever
from evalcore.retrieval.rerank import Reranker, build_reranker

MakeSpace = Callable[[str, ChunkSet], VectorSpace]


@dataclass(frozen=True, slots=True)
class Shelved:
    """A retriever, the milliseconds that it and the vectors it needs took to make, and its bytes."""

    retriever: Retriever
    build_ms: float
    nbytes: int


@dataclass(frozen=True, slots=True)
class _Space:
    space: VectorSpace
    build_ms: float


class Shelf:
    """Spaces and retrievers of the strategy in hand; another strategy's are let go to bound memory."""

    def __init__(self, make_space: MakeSpace) -> None:
        self._make_space = make_space
        self._strategy: str | None = None
        self._spaces: dict[str, _Space] = {}
        self._retrievers: dict[tuple[str, str | None, int | None], Shelved] = {}
        self._qualities: dict[str, EmbeddingQuality | None] = {}
        self._rerankers: dict[str, Reranker] = {}

    def retriever(self, configuration: Configuration, chunk_set: ChunkSet, pool: int) -> Shelved:
        """Return the configuration's retriever over its chunk set; `pool` is the k that hybrid looks for.

        Raises:
            ModelError: its embedder cannot be used.
        """
        if configuration.strategy != self._strategy:
            self._strategy = configuration.strategy
            self._spaces.clear()
            self._retrievers.clear()
            self._qualities.clear()
        return self._get(configuration.index, configuration.embedder, chunk_set, pool)

    def reranker(self, configuration: Configuration) -> Reranker | None:
        """Return the configuration's reranker, None without one.

        Raises:
            SettingsError, ModelError: it cannot be used.
        """
        spec = configuration.reranker
        if spec is not None and spec not in self._rerankers:
            self._rerankers[spec] = build_reranker(spec)
        return None if spec is None else self._rerankers[spec]

    def quality(self, configuration: Configuration, chunk_set: ChunkSet) -> EmbeddingQuality | None:
        """Return how well the vectors of the retriever asked for last spread; None without vectors."""
        embedder = configuration.embedder
        if embedder is None or embedder not in self._spaces:
            return None
        if embedder not in self._qualities:
            documents = [chunk.span.doc_id for chunk in chunk_set.chunks]
            vectors = self._spaces[embedder].space.passages
            self._qualities[embedder] = embedding_quality(vectors, documents, chunk_set.texts)
        return self._qualities[embedder]

    def _get(self, index: str, embedder: str | None, chunk_set: ChunkSet, pool: int) -> Shelved:
        key = (index, embedder, pool if index == "hybrid" else None)
        if key not in self._retrievers:
            make = self._hybrid if index == "hybrid" else self._single
            self._retrievers[key] = make(index, embedder, chunk_set, pool)
        return self._retrievers[key]

    def _hybrid(self, index: str, embedder: str | None, chunk_set: ChunkSet, pool: int) -> Shelved:
        dense = self._get("dense", embedder, chunk_set, pool)
        bm25 = self._get("bm25", None, chunk_set, pool)
        made = build_retriever(
            index, chunk_set.texts, dense=dense.retriever, bm25=bm25.retriever, cut_off=pool
        )
        return Shelved(made, dense.build_ms + bm25.build_ms, dense.nbytes + bm25.nbytes)

    def _single(self, index: str, embedder: str | None, chunk_set: ChunkSet, _pool: int) -> Shelved:
        held = self._space(embedder, chunk_set) if embedder is not None else None
        start = time.perf_counter()
        made = build_retriever(index, chunk_set.texts, None if held is None else held.space)
        own = (time.perf_counter() - start) * 1000
        return Shelved(made, own + (held.build_ms if held else 0.0), int(getattr(made, "nbytes", 0)))

    def _space(self, embedder: str, chunk_set: ChunkSet) -> _Space:
        if embedder not in self._spaces:
            start = time.perf_counter()
            space = self._make_space(embedder, chunk_set)
            self._spaces[embedder] = _Space(space, (time.perf_counter() - start) * 1000)
        return self._spaces[embedder]
