"""One cell's rankings: index, then reranker, with the time that each question took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalcore.grid import Configuration
from evalcore.retrieval.base import Ranking, Retriever
from evalcore.retrieval.rerank import Reranker
from evalcore.settings import Settings

CUT_OFFS = (1, 3, 5, 10, 20)
TIMED_ALONE = 500


@dataclass(frozen=True, slots=True)
class Cut:
    """How many chunks a question gets: `top_k` are scored for the report, `depth` are kept for the views.

    `fetched` come from the index, `pool` decides how deep hybrid looks.
    """

    top_k: int
    depth: int
    fetched: int
    pool: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A question's ranking and the milliseconds it took."""

    ranking: Ranking
    ms: float


def cut_of(settings: Settings, configuration: Configuration) -> Cut:
    """Return the cut-offs of a cell: kept to 20, the run's k and the headline's, whichever is largest."""
    top_k = settings.top_k
    depth = max(*CUT_OFFS, top_k, headline_cut_off(settings))
    if configuration.candidates is None:
        return Cut(top_k, depth, depth, top_k)
    fetched = max(configuration.candidates, top_k)
    return Cut(top_k, depth, fetched, fetched)


def headline_cut_off(settings: Settings) -> int:
    """Return the number after the `@` of the grid's headline metric; the run's k without one."""
    headline = settings.grid.headline if settings.grid is not None else None
    _, _, number = (headline or "").rpartition("@")
    return int(number) if number.isascii() and number.isdigit() else settings.top_k


def ranked(
    retriever: Retriever,
    reranker: Reranker | None,
    questions: Sequence[str],
    texts: Sequence[str],
    cut: Cut,
    beat: Callable[[], None],
) -> list[Ranked]:
    """Search and rerank for every question; `beat` is called between them and may raise to stop.

    Up to 500 questions are searched one by one, so that each has its own time. More are searched together and
    share the time equally; their reranking is still timed one by one.
    """
    found: list[Ranked] = []
    for question, result in zip(questions, _searched(retriever, questions, cut.fetched), strict=True):
        beat()
        found.append(result if reranker is None else _reranked(reranker, question, result, texts, cut.depth))
    return found


def _searched(retriever: Retriever, questions: Sequence[str], k: int) -> Iterator[Ranked]:
    if len(questions) > TIMED_ALONE:
        start = time.perf_counter()
        rankings = retriever.search(questions, k)
        each = _ms_since(start) / len(questions)
        yield from (Ranked(ranking, each) for ranking in rankings)
        return
    for question in questions:
        start = time.perf_counter()
        ranking = retriever.search([question], k)[0]
        yield Ranked(ranking, _ms_since(start))


def _reranked(reranker: Reranker, question: str, found: Ranked, texts: Sequence[str], k: int) -> Ranked:
    start = time.perf_counter()
    ranking = reranker.rerank(question, found.ranking, texts, k)
    return Ranked(ranking, found.ms + _ms_since(start))


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
