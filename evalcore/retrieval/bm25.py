"""Search by shared words: BM25, fitted with rank-bm25 and scored from a sparse matrix."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Okapi
from scipy import sparse

from evalcore.retrieval.base import Ranking
from evalcore.retrieval.topk import best, blocks, check_k, sparse_bytes
from evalcore.text.words import words

K1 = 1.5
B = 0.75


class BM25Retriever:
    """BM25 over chunk texts; only chunks that share a word with the query come back.

    Score = Σ over query words, each as often as it occurs, of idf·tf·(k1+1)/(tf + k1·(1-b + b·length/mean))
    with idf = ln(1 + (N - df + 0.5)/(df + 0.5)), so every returned score is above 0 (spec/results.md §3).
    """

    def __init__(self, texts: Sequence[str], *, k1: float = K1, b: float = B) -> None:
        self._column: dict[str, int] = {}
        self._weights = self._fit([words(text) for text in texts], k1, b)

    @property
    def nbytes(self) -> int:
        """Bytes of the weights, without the words themselves."""
        return sparse_bytes(self._weights)

    def _fit(self, tokens: list[list[str]], k1: float, b: float) -> sparse.csr_matrix:
        """Return the words × chunks matrix of what one occurrence of a word in a query adds to a chunk."""
        if not any(tokens):
            return sparse.csr_matrix((0, len(tokens)), dtype=np.float64)
        fitted = BM25Okapi(tokens, k1=k1, b=b)
        frequency: Counter[str] = Counter(word for counts in fitted.doc_freqs for word in counts)
        self._column = {word: i for i, word in enumerate(frequency)}
        idf = {word: _idf(len(tokens), df) for word, df in frequency.items()}
        rows: list[int] = []
        chunks: list[int] = []
        values: list[float] = []
        for chunk, (counts, length) in enumerate(zip(fitted.doc_freqs, fitted.doc_len, strict=True)):
            norm = k1 * (1 - b + b * length / fitted.avgdl)
            for word, tf in counts.items():
                rows.append(self._column[word])
                chunks.append(chunk)
                values.append(idf[word] * (tf * (k1 + 1) / (tf + norm)))
        return sparse.csr_matrix((values, (rows, chunks)), shape=(len(frequency), len(tokens)))

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """Return one ranking per query, empty when no chunk shares a word; equal scores in corpus order.

        Raises:
            ValueError: k below 1.
        """
        check_k(k)
        asked = self._counts(queries)
        found: list[Ranking] = []
        for block in blocks(asked.shape[0], self._weights.shape[1]):
            scores = asked[block] @ self._weights
            scores.sort_indices()
            for start, end in zip(scores.indptr[:-1], scores.indptr[1:], strict=True):
                chunks = scores.indices[start:end].astype(np.int64)
                found.append(best(scores.data[start:end], k, chunks))
        return found

    def _counts(self, queries: Sequence[str]) -> sparse.csr_matrix:
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row, query in enumerate(queries):
            known = Counter(word for word in words(query) if word in self._column)
            for word, count in known.items():
                rows.append(row)
                columns.append(self._column[word])
                values.append(float(count))
        shape = (len(queries), self._weights.shape[0])
        counts = sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.float64)
        counts.sort_indices()
        return counts


def _idf(chunks: int, containing: int) -> float:
    return math.log(1 + (chunks - containing + 0.5) / (containing + 0.5))
