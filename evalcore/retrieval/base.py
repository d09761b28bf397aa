"""What a retriever is: queries in, ranked chunks out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunk indices (positions in the chunk set) best first, and their scores; at most k, each chunk once."""

    chunks: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.chunks)


class Retriever(Protocol):
    """Searches one chunk set; equal scores keep corpus order."""

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """Return one ranking per query.

        Raises:
            ValueError: k below 1.
        """
        ...
