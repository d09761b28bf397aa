"""Embedders of somebody else: an object with `encode`, or a function from texts and a role to rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.embedding.base import Role, Vectors
from evalcore.embedding.cache import Row, VectorStore
from evalcore.embedding.remembering import RememberingEmbedder
from evalcore.embedding.transformer import Batch
from evalcore.errors import PluginError
from evalcore.plugged import Made, faults

GROUP = "evalgrid.embedders"
TEXTS_AT_ONCE = 64
_SHOWN = 40


class PluggedEmbedder(RememberingEmbedder):
    """Gives a plug-in the texts that are not remembered, at most 64 at once, and scales its rows to length 1.

    Rows are kept in `cache` only when the plug-in has a version; else as long as this object lives. A blank
    text may have a zero row.
    """

    def __init__(self, made: Made, cache: VectorStore | None = None) -> None:
        super().__init__(made.identity, "float32", None if made.version is None else cache)
        self._title = made.title
        self._made: Any = made.make()
        self._dimensions: int | None = None
        if not callable(getattr(self._made, "encode", self._made)):
            raise PluginError(
                f"{made.title}: made {type(self._made).__name__}; expected an object with "
                "encode(texts, role), or a function like it"
            )

    @property
    def max_tokens(self) -> int | None:
        """What the plug-in's object says."""
        limit = getattr(self._made, "max_tokens", None)
        return limit if isinstance(limit, int) else None

    @property
    def dimensions(self) -> int | None:
        """Length of the rows seen so far."""
        return self._dimensions

    def batches(self, texts: Sequence[str], role: Role) -> Iterator[Batch]:
        """Yield the plug-in's rows, scaled.

        Raises:
            PluginError: it failed, or its rows are not one per text, finite, of one length and not zero.
        """
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            part = list(texts[start : start + TEXTS_AT_ONCE])
            with faults(self._title, f"embedding {len(part)} texts as {role}"):
                found = np.asarray(raw_rows(self._made, part, role))
            rows = self._unit(found, part)
            yield Batch(list(range(start, start + len(part))), rows)

    def _fits(self, row: Row) -> bool:
        fits = super()._fits(row)
        if fits and self._dimensions is None:
            self._dimensions = len(row)
        return fits

    def _unit(self, found: npt.NDArray[Any], texts: Sequence[str]) -> Vectors:
        if found.ndim != 2 or len(found) != len(texts) or found.dtype.kind not in "fiu":
            raise PluginError(
                f"{self._title} gave {found.dtype} of shape {found.shape} for {len(texts)} texts; expected "
                f"numbers of shape ({len(texts)}, dimensions)"
            )
        if self._dimensions not in (None, found.shape[1]):
            raise PluginError(
                f"{self._title} gave rows of {found.shape[1]} numbers after rows of {self._dimensions}; "
                "expected one length"
            )
        rows = found.astype(np.float64)
        largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
        for text, size in zip(texts, largest[:, 0], strict=True):
            if not np.isfinite(size) or (size == 0 and text.strip()):
                what = "a zero row" if size == 0 else "NaN or infinity"
                raise PluginError(
                    f"{self._title} gave {what} for {text[:_SHOWN]!r}; "
                    "expected finite numbers, not all of them 0"
                )
        self._dimensions = int(found.shape[1])
        # First by the largest number: squares of very large or small ones leave float64.
        scaled = rows / np.where(largest > 0, largest, 1.0)
        lengths = np.sqrt((scaled * scaled).sum(axis=1, keepdims=True))
        return np.asarray(scaled / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def raw_rows(made: Any, texts: list[str], role: Role) -> object:
    """Return what a plug-in's object or function gives for texts, as it gives it."""
    encode: Callable[[list[str], Role], object] = getattr(made, "encode", made)
    return encode(texts, role)
