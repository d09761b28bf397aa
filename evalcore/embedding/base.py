"""What an embedder is: texts in, unit rows out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

Role = Literal["query", "passage"]
Vectors = npt.NDArray[np.float32]
Matrix: TypeAlias = Vectors | sparse.csr_matrix
Progress = Callable[[int, int], None]
"""Called between batches with (texts done, texts to do); raises RunCancelledError to stop."""


class VectorSpace(Protocol):
    """Passages as unit rows, and queries mapped beside them."""

    @property
    def passages(self) -> Matrix:
        """One unit row (or a zero row, for a text without features) per passage."""
        ...

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Return one unit row per query."""
        ...


class Embedder(Protocol):
    """Makes vector spaces; what is learnt from the passages (idf) stays inside the space."""

    @property
    def max_tokens(self) -> int | None:
        """Longest input in the model's own tokens; None when there is no limit."""
        ...

    def space(self, passages: Sequence[str], progress: Progress | None = None) -> VectorSpace:
        """Embed the passages.

        Raises:
            ModelError: the model is not on this machine, is not the expected one, or gave NaN.
            RunCancelledError: raised by `progress`.
        """
        ...
