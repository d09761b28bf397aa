"""Embeds texts with a sentence-transformers model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version

from evalcore.embedding.base import Role
from evalcore.embedding.cache import VectorStore
from evalcore.embedding.models import ModelInfo
from evalcore.embedding.remembering import RememberingEmbedder
from evalcore.embedding.transformer import PAD_TO, PRECISIONS, ROWS, Batch, Precision, embed
from evalcore.errors import SettingsError, one_of


class TextEmbedder(RememberingEmbedder):
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
        super().__init__(f"{info.identity} {_scheme()}", precision, cache)
        self.info = info
        self._prefixes = prefixes
        self._arithmetic = precision

    @property
    def max_tokens(self) -> int | None:
        """Longest input in the model's own tokens; what is beyond it is not seen."""
        return self.info.max_tokens

    @property
    def precision(self) -> Precision:
        """What the model computes in."""
        return self._arithmetic

    def prefix(self, role: Role) -> str:
        """Return what is put in front of a text in this role."""
        return self.info.prefixes.of(role) if self._prefixes else ""

    @property
    def dimensions(self) -> int | None:
        """Length of a row; None where the model does not say."""
        return self.info.dimensions

    def batches(self, texts: Sequence[str], role: Role) -> Iterator[Batch]:
        """Yield the model's rows; both roles are embedded alike, but for their prefixes."""
        return embed(self.info, texts, self._arithmetic)


def _scheme() -> str:
    """Name what else the bits depend on: the shapes of batches and the libraries' versions."""
    return f"rows={ROWS} pad={PAD_TO} torch={_version('torch')} transformers={_version('transformers')}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
