"""What a strategy's chunks look like before anything is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus, Document
from evalcore.models import ChunkHealth
from evalcore.text.sentences import sentence_spans

BUCKET = 100
Places = npt.NDArray[np.int64]
Ranges = Mapping[str, Sequence[tuple[int, int]]]


def chunk_health(corpus: Corpus, chunk_set: ChunkSet, floor: int, limit: int | None) -> ChunkHealth:
    """Measure a chunk set; sizes in cl100k_base tokens (report specification, section 5).

    `floor`: chunks below it are tiny. `limit`: chunks above it are oversized; None when nothing limits them.
    """
    tokens = chunk_set.tokens
    count = len(tokens)
    ranges = _ranges(chunk_set)
    return ChunkHealth(
        num_chunks=count,
        tokens_min=int(tokens.min()) if count else 0,
        tokens_median=float(np.median(tokens)) if count else 0.0,
        tokens_mean=float(tokens.mean()) if count else 0.0,
        tokens_max=int(tokens.max()) if count else 0,
        pct_tiny=float((tokens < floor).mean()) if count else 0.0,
        pct_oversized=float((tokens > limit).mean()) if count and limit is not None else 0.0,
        boundary_health=_boundary_health(corpus, ranges),
        table_integrity=_table_integrity(corpus, ranges),
        token_histogram=_histogram(chunk_set),
    )


def _ranges(chunk_set: ChunkSet) -> dict[str, list[tuple[int, int]]]:
    ranges: dict[str, list[tuple[int, int]]] = {}
    for chunk in chunk_set.chunks:
        ranges.setdefault(chunk.span.doc_id, []).append((chunk.span.start, chunk.span.end))
    return ranges


def _histogram(chunk_set: ChunkSet) -> list[tuple[int, int]]:
    buckets, counts = np.unique(chunk_set.tokens // BUCKET * BUCKET, return_counts=True)
    return [(int(b), int(c)) for b, c in zip(buckets, counts, strict=True)]


def _boundary_health(corpus: Corpus, ranges: Ranges) -> float:
    """Return the share of chunks neither of whose ends falls strictly inside a sentence; 1 without chunks."""
    whole = total = 0
    for document in corpus:
        cuts = np.array(ranges.get(document.id, ()), dtype=np.int64).reshape(-1, 2)
        if len(cuts):
            inside = _inside_sentence(document, cuts)
            whole += int((~inside.any(axis=1)).sum())
            total += len(cuts)
    return whole / total if total else 1.0


def _inside_sentence(document: Document, places: Places) -> npt.NDArray[np.bool_]:
    spans = np.array(sentence_spans(document.text), dtype=np.int64).reshape(-1, 2)
    if not len(spans):
        return np.zeros(places.shape, dtype=bool)
    at = np.searchsorted(spans[:, 0], places, side="left") - 1
    known = np.maximum(at, 0)
    return np.asarray((at >= 0) & (places > spans[known, 0]) & (places < spans[known, 1]), dtype=bool)


def _table_integrity(corpus: Corpus, ranges: Ranges) -> float | None:
    """Return the share of source tables that one chunk holds whole; None when there are no tables."""
    whole = total = 0
    for document in corpus:
        for table in document.tables:
            total += 1
            whole += any(s <= table.start and table.end <= e for s, e in ranges.get(document.id, ()))
    return whole / total if total else None
