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


class HashEmbedder:
    """Each word adds ±(1 + ln(count)) at one of `dims` places, by its hash (Weinberger et al. 2009)."""

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
                place, sign = self._place(word)
                row[place] += sign * (1 + math.log(count))
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _place(self, word: str) -> tuple[int, float]:
        number = int.from_bytes(hashlib.blake2b(word.encode("utf-8"), digest_size=8).digest(), "big")
        return (number >> 1) % self._dims, 1.0 if number & 1 else -1.0


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
