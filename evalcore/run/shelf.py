"""What cells of a run share: one space and one retriever per chunk set, whatever asks for them."""

from __future__ import annotations

from collections.abc import Callable

from evalcore.chunking.base import ChunkSet
from evalcore.embedding.base import VectorSpace
from evalcore.grid import Configuration
from evalcore.retrieval.base import Retriever
from evalcore.retrieval.registry import build_retriever

MakeSpace = Callable[[str, ChunkSet], VectorSpace]


class Shelf:
    """Spaces and retrievers of the strategy in hand; another strategy's are let go to bound memory."""

    def __init__(self, make_space: MakeSpace) -> None:
        self._make_space = make_space
        self._strategy: str | None = None
        self._spaces: dict[str, VectorSpace] = {}
        self._retrievers: dict[tuple[str, str | None], Retriever] = {}

    def retriever(self, configuration: Configuration, chunk_set: ChunkSet) -> Retriever:
        """Return the configuration's retriever over its chunk set.

        Raises:
            ModelError: its embedder cannot be used.
        """
        if configuration.strategy != self._strategy:
            self._strategy = configuration.strategy
            self._spaces.clear()
            self._retrievers.clear()
        return self._get(configuration.index, configuration.embedder, chunk_set)

    def _get(self, index: str, embedder: str | None, chunk_set: ChunkSet) -> Retriever:
        key = (index, embedder)
        if key not in self._retrievers:
            self._retrievers[key] = self._make(index, embedder, chunk_set)
        return self._retrievers[key]

    def _make(self, index: str, embedder: str | None, chunk_set: ChunkSet) -> Retriever:
        if index == "hybrid":
            dense = self._get("dense", embedder, chunk_set)
            return build_retriever(
                index, chunk_set.texts, dense=dense, bm25=self._get("bm25", None, chunk_set)
            )
        space = self._space(embedder, chunk_set) if embedder is not None else None
        return build_retriever(index, chunk_set.texts, space)

    def _space(self, embedder: str, chunk_set: ChunkSet) -> VectorSpace:
        if embedder not in self._spaces:
            self._spaces[embedder] = self._make_space(embedder, chunk_set)
        return self._spaces[embedder]
