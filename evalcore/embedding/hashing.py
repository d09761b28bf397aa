"""Feature hashing: a floor for real models, and vectors for tests; nothing is learnt, nothing is loaded."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from evalcore.embedding.base import Progress, Role, Vectors
from evalcore.text.words import words

DIMENSIONS = 256
_PLACES = 4


class HashEmbedder:
    """Each word adds ±(1 + ln(count)) at four of `dims` places, by its hash (Weinberger et al. 2009).

    Four, so that two words that meet at one place with opposite signs do not cancel.
    """

    def __init__(self, dims: int = DIMENSIONS) -> None:
        self._dims = dims

    @property
    def max_tokens(self) -> int | None:
        """None: every word counts."""
        return None

    def space(self, passages: Sequence[str], progress: Progress | None = None) -> HashSpace:
        """Return the passages as unit rows."""
        return HashSpace(self, self.encode(passages, "passage", progress))

    def encode(
        self, texts: Sequence[str], role: Role = "passage", progress: Progress | None = None
    ) -> Vectors:
        """Return one unit row per text (n × dims), zero for a text without words; roles are alike."""
        rows = np.zeros((len(texts), self._dims), dtype=np.float64)
        for row, text in zip(rows, texts, strict=True):
            for word, count in Counter(words(text)).items():
                for place, sign in self._places(word):
                    row[place] += sign * (1 + math.log(count))
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _places(self, word: str) -> list[tuple[int, float]]:
        digest = hashlib.blake2b(word.encode("utf-8"), digest_size=8 * _PLACES).digest()
        numbers = [int.from_bytes(digest[i : i + 8], "big") for i in range(0, len(digest), 8)]
        return [((n >> 1) % self._dims, 1.0 if n & 1 else -1.0) for n in numbers]


class HashSpace:
    """Passages as hashed rows, and queries beside them."""

    def __init__(self, embedder: HashEmbedder, passages: Vectors) -> None:
        self._embedder = embedder
        self._passages = passages

    @property
    def passages(self) -> Vectors:
        """One unit row per passage."""
        return self._passages

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per query."""
        return self._embedder.encode(texts, "query")
