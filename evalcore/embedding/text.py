"""Embeds texts with a sentence-transformers model and remembers the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from evalcore.embedding.base import Progress, Role, Vectors
from evalcore.embedding.cache import MemoryCache, Row, VectorStore, vector_key
from evalcore.embedding.models import ModelInfo
from evalcore.embedding.transformer import PAD_TO, PRECISIONS, ROWS, Precision, embed
from evalcore.errors import SettingsError, one_of

_ROWS_WRITTEN_AT_ONCE = 64


class TextEmbedder:
    """Maps texts to unit rows; each distinct text is computed once per role and cache.

    Torch is imported when the first vector is missing, not before.
    """

    def __init__(
        self,
        info: ModelInfo,
        cache: VectorStore | None = None,
        *,
        prefixes: bool = True,
        precision: Precision = "float32",
    ) -> None:
        if precision not in PRECISIONS:
            raise SettingsError(one_of(str(precision), PRECISIONS, "precision"))
        self.info = info
        self._cache = cache if cache is not None else MemoryCache()
        self._prefixes = prefixes
        self._precision = precision
        self._identity = f"{info.identity} {_scheme()}"

    @property
    def max_tokens(self) -> int | None:
        """Longest input in the model's own tokens; what is beyond it is not seen."""
        return self.info.max_tokens

    @property
    def precision(self) -> Precision:
        """What the model computes in."""
        return self._precision

    def prefix(self, role: Role) -> str:
        """Return what is put in front of a text in this role."""
        return self.info.prefixes.of(role) if self._prefixes else ""

    def space(self, passages: Sequence[str], progress: Progress | None = None) -> TextSpace:
        """Embed the passages; queries can then be mapped beside them.

        Raises:
            ModelError: the model cannot be loaded or gave a vector that is not finite.
            RunCancelledError: raised by `progress`.
        """
        return TextSpace(self, self.encode(passages, "passage", progress))

    def encode(
        self, texts: Sequence[str], role: Role = "passage", progress: Progress | None = None
    ) -> Vectors:
        """Return one unit row per text (n × dimensions, float32); the same bits whatever the other texts.

        `progress` counts the texts that were not in the cache. Vectors are in the cache as batches finish,
        also when `progress` raises.

        Raises:
            ModelError: the model cannot be loaded or gave a vector that is not finite.
            RunCancelledError: raised by `progress`.
        """
        prefix = self.prefix(role)
        keys = [vector_key(self._identity, role, prefix, self._precision, text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        found = {key: row for key, row in self._cache.get_many(distinct).items() if self._fits(row)}
        missing = {key: prefix + text for key, text in distinct.items() if key not in found}
        found.update(self._compute(missing, progress))
        if not found:
            return np.zeros((0, self.info.dimensions or 0), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    def _fits(self, row: Row) -> bool:
        return bool(np.isfinite(row).all()) and self.info.dimensions in (None, len(row))

    def _compute(self, missing: dict[bytes, str], progress: Progress | None) -> dict[bytes, Row]:
        keys = list(missing)
        done: dict[bytes, Row] = {}
        unwritten: dict[bytes, Row] = {}
        try:
            if progress is not None:
                progress(0, len(keys))
            for batch in embed(self.info, list(missing.values()), self._precision):
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


class TextSpace:
    """Passages as rows of a model, and its queries beside them."""

    def __init__(self, embedder: TextEmbedder, passages: Vectors) -> None:
        self._embedder = embedder
        self._passages = passages

    @property
    def passages(self) -> Vectors:
        """One unit row per passage."""
        return self._passages

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per query."""
        return self._embedder.encode(texts, "query")


def _scheme() -> str:
    """Name what else the bits depend on: the shapes of batches and the libraries' versions."""
    return f"rows={ROWS} pad={PAD_TO} torch={_version('torch')} transformers={_version('transformers')}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
