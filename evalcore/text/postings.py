"""The words of many texts as sparse counts: tokenised once, whoever asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.text.words import words

_KEPT = 2

Ints = npt.NDArray[np.int64]


class Postings:
    """How often each word stands in each of n texts.

    `columns` maps a word to its column, in order of first appearance; `lengths` are words per text (n).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.columns: dict[str, int] = {}
        rows, lengths = [], []
        for text in texts:
            found = words(text)
            lengths.append(len(found))
            rows.append(Counter(self.columns.setdefault(word, len(self.columns)) for word in found))
        self.lengths: Ints = np.array(lengths, dtype=np.int64)
        ends = np.cumsum([0, *map(len, rows)])
        places = np.fromiter((column for row in rows for column in row), np.int32, ends[-1])
        counts = np.fromiter((count for row in rows for count in row.values()), np.int32, ends[-1])
        self.counts = sparse.csr_matrix((counts, places, ends), shape=(len(rows), len(self.columns)))

    @cached_property
    def _by_word(self) -> sparse.csc_matrix:
        return self.counts.tocsc()

    def holding(self, asked: Sequence[str]) -> Iterator[tuple[Ints, Ints]]:
        """Yield, per word that some text holds, the texts that hold it, in order, and how often."""
        table = self._by_word
        for word in asked:
            column = self.columns.get(word)
            if column is not None:
                held = slice(table.indptr[column], table.indptr[column + 1])
                yield table.indices[held], table.data[held]


@lru_cache(maxsize=_KEPT)
def postings(texts: tuple[str, ...]) -> Postings:
    """Return the words of texts; those asked for last are kept."""
    return Postings(texts)
