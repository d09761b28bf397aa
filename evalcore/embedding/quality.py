"""How well vectors spread: what can be said of an embedding from its chunks alone."""

from __future__ import annotations

from dataclasses import dataclass


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
