"""Embedders that compute each distinct text once per role and remember its vector."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from evalcore.embedding.base import Progress, Role, Vectors
from evalcore.embedding.cache import MemoryCache, Row, VectorStore, vector_key
from evalcore.embedding.transformer import Batch

_ROWS_WRITTEN_AT_ONCE = 64


class RememberingEmbedder(ABC):
    """Maps texts to rows that depend on nothing but the text and its role.

    `identity` names all else that a row's bits depend on; without a `cache` rows are remembered in memory.
    """

    def __init__(self, identity: str, precision: str, cache: VectorStore | None) -> None:
        self._identity = identity
        self._precision = precision
        self._cache = cache if cache is not None else MemoryCache()

    def prefix(self, role: Role) -> str:
        """Return what is put in front of a text in this role."""
        return ""

    @property
    @abstractmethod
    def max_tokens(self) -> int | None:
        """Longest input in the model's own tokens; what is beyond it is not seen."""

    @property
    @abstractmethod
    def dimensions(self) -> int | None:
        """Length of a row; None while it is not known."""

    @abstractmethod
    def batches(self, texts: Sequence[str], role: Role) -> Iterator[Batch]:
        """Yield the rows of texts that are not remembered, in any order."""

    def space(self, passages: Sequence[str], progress: Progress | None = None) -> RememberedSpace:
        """Embed the passages; queries can then be mapped beside them.

        Raises:
            ModelError: the model cannot be loaded or gave a vector that is not finite.
            PluginError: as `encode`.
            RunCancelledError: raised by `progress`.
        """
        return RememberedSpace(self, self.encode(passages, "passage", progress))

    def encode(
        self, texts: Sequence[str], role: Role = "passage", progress: Progress | None = None
    ) -> Vectors:
        """Return one unit row per text (n × dimensions, float32); the same bits whatever the other texts.

        `progress` counts the texts that were not in the cache. Vectors are in the cache as batches finish,
        also when `progress` raises.

        Raises:
            ModelError: the model cannot be loaded or gave a vector that is not finite.
            PluginError: it is a plug-in, and failed or gave something else than vectors.
            RunCancelledError: raised by `progress`.
        """
        prefix = self.prefix(role)
        keys = [vector_key(self._identity, role, prefix, self._precision, text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        found = {key: row for key, row in self._cache.get_many(distinct).items() if self._fits(row)}
        missing = {key: prefix + text for key, text in distinct.items() if key not in found}
        found.update(self._compute(missing, role, progress))
        if not found:
            return np.zeros((0, self.dimensions or 0), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    def _fits(self, row: Row) -> bool:
        return bool(np.isfinite(row).all()) and self.dimensions in (None, len(row))

    def _compute(
        self, missing: Mapping[bytes, str], role: Role, progress: Progress | None
    ) -> dict[bytes, Row]:
        keys = list(missing)
        done: dict[bytes, Row] = {}
        unwritten: dict[bytes, Row] = {}
        try:
            if progress is not None:
                progress(0, len(keys))
            for batch in self.batches(list(missing.values()), role):
                rows = {keys[i]: row for i, row in zip(batch.indices, batch.rows, strict=True)}
                done.update(rows)
                unwritten.update(rows)
                if len(unwritten) >= _ROWS_WRITTEN_AT_ONCE:
                    self._cache.put_many(unwritten)
                    unwritten = {}
                if progress is not None:
                    progress(len(done), len(keys))
        finally:
            self._cache.put_many(unwritten)
        return done


class RememberedSpace:
    """Passages as rows of an embedder, and its queries beside them."""

    def __init__(self, embedder: RememberingEmbedder, passages: Vectors) -> None:
        self._embedder = embedder
        self._passages = passages

    @property
    def passages(self) -> Vectors:
        """One unit row per passage."""
        return self._passages

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per query."""
        return self._embedder.encode(texts, "query")
