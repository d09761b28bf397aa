"""tf-idf vectors: the words of the passages at hand, rare ones counting more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.embedding.base import Progress
from evalcore.text.words import words

FEATURES = 4096


class TfidfEmbedder:
    """Learns words and their idf from the passages of each space (spec/results.md §3)."""

    def __init__(self, features: int = FEATURES) -> None:
        self._features = features

    @property
    def max_tokens(self) -> int | None:
        """None: every word counts."""
        return None

    def space(self, passages: Sequence[str], progress: Progress | None = None) -> TfidfSpace:
        """Return the passages as sparse unit rows."""
        return TfidfSpace(passages, self._features)


class TfidfSpace:
    """Vocabulary: the words in most passages (ties in alphabetical order).

    tf = 1 + ln(count); idf = ln((1 + N)/(1 + df)) + 1; rows scaled to length 1, zero where no word is known.
    """

    def __init__(self, passages: Sequence[str], features: int = FEATURES) -> None:
        counts = [Counter(words(text)) for text in passages]
        frequency: Counter[str] = Counter(word for row in counts for word in row)
        chosen = sorted(frequency, key=lambda word: (-frequency[word], word))[:features]
        self._columns = {word: column for column, word in enumerate(sorted(chosen))}
        df = np.array([frequency[word] for word in self._columns], dtype=np.float64)
        self._idf: npt.NDArray[np.float64] = np.log((1 + len(passages)) / (1 + df)) + 1
        self._passages = self._rows(counts)

    @property
    def passages(self) -> sparse.csr_matrix:
        """One sparse unit row per passage (n × words)."""
        return self._passages

    def queries(self, texts: Sequence[str]) -> sparse.csr_matrix:
        """Return one sparse row per query, with the passages' words and idf."""
        return self._rows([Counter(words(text)) for text in texts])

    def _rows(self, counts: list[Counter[str]]) -> sparse.csr_matrix:
        columns: list[int] = []
        values: list[float] = []
        ends = [0]
        for row in counts:
            known = sorted(
                (self._columns[word], count) for word, count in row.items() if word in self._columns
            )
            columns.extend(column for column, _ in known)
            values.extend(self._weights(known))
            ends.append(len(columns))
        shape = (len(counts), len(self._columns))
        data = np.array(values, dtype=np.float64)
        return sparse.csr_matrix((data, np.array(columns, dtype=np.int32), np.array(ends)), shape=shape)

    def _weights(self, known: list[tuple[int, int]]) -> list[float]:
        if not known:
            return []
        columns, counts = zip(*known, strict=True)
        weights = (1 + np.log(np.array(counts, dtype=np.float64))) * self._idf[list(columns)]
        unit: list[float] = (weights / np.sqrt((weights * weights).sum())).tolist()
        return unit
