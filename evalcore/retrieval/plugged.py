"""Indexes and rerankers of somebody else: what they rank is looked at before anybody uses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evalcore.errors import PluginError
from evalcore.plugged import faults
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank_words import ranking_of
from evalcore.retrieval.topk import check_k

INDEXES = "evalgrid.indexes"
RERANKERS = "evalgrid.rerankers"


class PluggedRetriever:
    """Searches with what a plug-in made for `chunks` chunks."""

    def __init__(self, title: str, made: object, chunks: int) -> None:
        self._title = title
        self._made: Any = made
        self._chunks = chunks
        if not callable(getattr(made, "search", None)):
            raise PluginError(
                f"{title}: made {type(made).__name__}; expected an object with search(queries, k)"
            )

    @property
    def nbytes(self) -> int:
        """Bytes of the index, 0 when it does not say."""
        size = getattr(self._made, "nbytes", 0)
        return size if isinstance(size, int) else 0

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """Return one ranking per query.

        Raises:
            ValueError: k below 1.
            PluginError: it failed, or its rankings are none.
        """
        check_k(k)
        with faults(self._title, f"searching for {str(queries[0])[:40]!r}" if queries else "searching"):
            found = list(self._made.search(list(queries), k))
        if len(found) != len(queries):
            raise PluginError(f"{self._title} gave {len(found)} rankings for {len(queries)} queries")
        return [self._checked(ranking, query, k) for ranking, query in zip(found, queries, strict=True)]

    def _checked(self, found: object, query: str, k: int) -> Ranking:
        ranking = ranking_from(self._title, found)
        chunks, scores = ranking.chunks, ranking.scores
        fault = ranking_fault(ranking, k)
        if not fault and len(chunks) and not (chunks.min() >= 0 and chunks.max() < self._chunks):
            wrong = next(c for c in chunks.tolist() if not 0 <= c < self._chunks)
            fault = f"chunk {wrong}, which is not among the {self._chunks} of its corpus"
        if not fault and (np.diff(scores) > 0).any():
            fault = "scores that rise; expected the best first"
        if fault:
            raise PluginError(f"{self._title} ranked {fault} (query {query[:40]!r})")
        return ranking


class PluggedReranker:
    """Reranks with a plug-in: an object with `rerank`, or a function from a query and a text to a score."""

    def __init__(self, title: str, made: object) -> None:
        self._title = title
        self._made: Any = made
        if not callable(getattr(made, "rerank", made)):
            raise PluginError(
                f"{title}: made {type(made).__name__}; expected an object with "
                "rerank(query, candidates, texts, k), or a function from a query and a text to a score"
            )

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return at most k of the candidates.

        Raises:
            PluginError: it failed, or what it ranks is not of the candidates, each once, with finite scores.
        """
        given = Ranking(candidates.chunks.copy(), candidates.scores.copy())
        with faults(self._title, f"reranking for {query[:40]!r}"):
            found = raw_reranking(self._made, query, given, texts, k)
        ranking = ranking_from(self._title, found)
        invented = set(ranking.chunks.tolist()) - set(candidates.chunks.tolist())
        fault = ranking_fault(ranking, k)
        if not fault and invented:
            fault = f"chunk {min(invented)}, which was not among its candidates"
        if fault:
            raise PluginError(f"{self._title} ranked {fault} (query {query[:40]!r})")
        return ranking


def raw_reranking(made: Any, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> object:
    """Return what a plug-in's object gives, or the k best by the score its function gives each text."""
    rerank: Callable[..., object] | None = getattr(made, "rerank", None)
    if rerank is not None:
        return rerank(query, candidates, texts, k)
    return ranking_of([(float(made(query, texts[c])), c) for c in candidates.chunks.tolist()], k)


def ranking_from(title: str, found: object) -> Ranking:
    """Return what was given as a Ranking of whole numbers and float64.

    Raises:
        PluginError: it has no chunks and scores, as many of the ones as of the others.
    """
    try:
        chunks = np.asarray(getattr(found, "chunks", None))
        scores = np.asarray(getattr(found, "scores", None), dtype=np.float64)
    except (TypeError, ValueError):
        chunks = scores = np.zeros((0, 0))
    whole = chunks.dtype.kind in "iu" or chunks.size == 0
    if chunks.ndim != 1 or chunks.shape != scores.shape or not whole:
        raise PluginError(
            f"{title} gave {type(found).__name__} for a ranking; expected Ranking(chunks, scores): whole "
            "numbers and as many scores"
        )
    return Ranking(chunks.astype(np.int64), scores)


def ranking_fault(ranking: Ranking, k: int) -> str:
    """Return what is wrong with any ranking to a depth of k, or ""."""
    chunks = ranking.chunks.tolist()
    if len(chunks) > k:
        return f"{len(chunks)} chunks; expected {k} at most"
    if len(set(chunks)) < len(chunks):
        return f"chunk {next(c for c in chunks if chunks.count(c) > 1)} twice; expected each once"
    if not np.isfinite(ranking.scores).all():
        return "a chunk with a score that is NaN or infinite; expected finite scores"
    return ""
