"""How well vectors spread: what can be said of an embedding from its chunks alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from evalcore.embedding.base import Matrix

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

MAX_CHUNKS = 2000
MIN_CHUNKS = 4
MAX_PAIRS = 20_000
MIN_NEIGHBOURS = 10
_BLOCK = 20
_SAME_VECTOR = 0.99
_OTHER_WORDS = 0.75
_FULL_SIGNAL = 0.25
_FULL_SHARE = 4.0
_NO_SPREAD = 1e-18


@dataclass(frozen=True, slots=True)
class EmbeddingQuality:
    """Shares in 0..1 but for `separation` (a difference of cosines) and the two counts of dimensions.

    `score`: the whole, higher is better. `anisotropy`: mean cosine of chunks of different documents.
    `separation`: mean cosine of neighbouring chunks less anisotropy, None with fewer than 10 such pairs.
    `effective_dimensions`: participation ratio of the covariance. `collapsed`: share of chunks whose nearest
    neighbour has nearly the same vector and other words. `dimensions`: length of the vectors.
    """

    score: float
    anisotropy: float
    separation: float | None
    effective_dimensions: float
    collapsed: float
    dimensions: int


def embedding_quality(
    vectors: Matrix, doc_ids: Sequence[str], texts: Sequence[str], seed: int = 0
) -> EmbeddingQuality | None:
    """Judge unit rows (chunks × dimensions, dense or sparse, corpus order); None with fewer than 4 chunks.

    Of more than 2000 chunks runs of 20 neighbours are taken, evenly spread. `doc_ids` and `texts` have an
    entry per row. Definition: spec/results.md §7.
    """
    taken = _sample(len(texts))
    if len(taken) < MIN_CHUNKS:
        return None
    rows = vectors[taken]
    documents = np.unique(np.array(doc_ids, dtype=object)[taken], return_inverse=True)[1]
    cosines = _cosines(rows)
    anisotropy = _anisotropy(cosines, documents, seed)
    separation = _separation(cosines, documents, taken, anisotropy)
    effective = _participation(rows)
    collapsed = _collapsed(cosines, [texts[i] for i in taken])
    dimensions = int(vectors.shape[1])
    parts = [1.0 - anisotropy, _FULL_SHARE * effective / dimensions if dimensions else 0.0, 1.0 - collapsed]
    if separation is not None:
        parts += [separation / _FULL_SIGNAL] * 2
    score = sum(min(1.0, max(0.0, part)) for part in parts) / len(parts)
    return EmbeddingQuality(score, anisotropy, separation, effective, collapsed, dimensions)


def _sample(chunks: int) -> Indices:
    if chunks <= MAX_CHUNKS:
        return np.arange(chunks)
    starts = np.linspace(0, chunks - _BLOCK, MAX_CHUNKS // _BLOCK).astype(np.int64)
    return np.unique((starts[:, None] + np.arange(_BLOCK)).ravel())


def _cosines(rows: Matrix) -> Floats:
    if sparse.issparse(rows):
        return np.asarray(sparse.csr_matrix(rows @ rows.T).toarray(), dtype=np.float64)
    exact = np.asarray(rows, dtype=np.float64)
    return np.asarray(exact @ exact.T, dtype=np.float64)


def _anisotropy(cosines: Floats, documents: Indices, seed: int) -> float:
    """Return the mean cosine of random pairs from different documents, of all pairs if there are none."""
    generator = np.random.default_rng(seed)
    left = generator.integers(0, len(cosines), size=MAX_PAIRS)
    right = generator.integers(0, len(cosines), size=MAX_PAIRS)
    left, right = left[left != right], right[left != right]
    apart = documents[left] != documents[right]
    if apart.any():
        left, right = left[apart], right[apart]
    return float(cosines[left, right].mean())


def _separation(cosines: Floats, documents: Indices, taken: Indices, anisotropy: float) -> float | None:
    first = np.flatnonzero((documents[:-1] == documents[1:]) & (np.diff(taken) == 1))
    if len(first) < MIN_NEIGHBOURS:
        return None
    return float(cosines[first, first + 1].mean()) - anisotropy


def _participation(rows: Matrix) -> float:
    """Return (Σλ)²/Σλ² of the centred rows' covariance: traces of their products, no eigenvalues needed."""
    cosines, mean = _cosines(rows), np.asarray(rows.mean(axis=0), dtype=np.float64).ravel()
    to_mean = np.asarray(rows @ mean, dtype=np.float64).ravel()
    centred = cosines - to_mean[:, None] - to_mean[None, :] + float(mean @ mean)
    squares = float((centred * centred).sum())
    return float(np.trace(centred)) ** 2 / squares if squares > _NO_SPREAD else 0.0


def _collapsed(cosines: Floats, texts: Sequence[str]) -> float:
    others = cosines.copy()
    np.fill_diagonal(others, -np.inf)
    nearest = others.argmax(axis=1)
    close = np.flatnonzero(others[np.arange(len(others)), nearest] >= _SAME_VECTOR)
    words = {int(i): frozenset(texts[i].split()) for i in {*close, *nearest[close]}}
    fused = [i for i in close.tolist() if _jaccard(words[i], words[int(nearest[i])]) < _OTHER_WORDS]
    return len(fused) / len(texts)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0
