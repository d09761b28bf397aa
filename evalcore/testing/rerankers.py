"""The laws of rerankers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from evalcore.retrieval.base import Ranking
from evalcore.retrieval.plugged import raw_reranking
from evalcore.testing import rankings
from evalcore.testing.base import Check, Make, expect, run_all
from evalcore.testing.rankings import DEPTH, HEAD, as_ranking
from evalcore.testing.texts import PASSAGES, QUESTIONS

_PLACES = (3, 1, 12, 0, 7, 5, 9, 4, 10, 2, 6, 11)


def check_reranker(make: Make) -> None:
    """Run all checks on what `make()` returns: a reranker, or a function from a query and a text to a score.

    Raises:
        ConformanceError: one line per check that failed.
    """
    run_all(reranker_checks(), make)


def reranker_checks() -> list[Check]:
    """Return the checks; `run(make)` takes what `check_reranker` takes."""
    return [
        Check("candidates_only", "other chunks were not found", partial(_on_each, _candidates_only)),
        Check("each_chunk_once", "a chunk found twice counts twice", partial(_on_each, rankings.each_once)),
        Check("at_most_k", "a question gets k chunks", _at_most_k),
        Check("finite_scores", "NaN and infinity rank nothing", partial(_on_each, rankings.finite)),
        Check("scores_fall", "the first is the best", partial(_on_each, rankings.falling)),
        Check("same_order_again", "a run that is resumed reranks again", _deterministic),
        Check("each_query_by_itself", "questions come in any order", _independent),
        Check("no_candidates", "a search may find nothing", _nothing),
        Check("empty_query", "a question may hold no word", _empty),
        Check("head_of_a_deeper_order", "metrics at 3 and at 10 are of one ranking", _prefix),
        Check("k_above_the_candidates", "fewer may be found than asked for", _deep),
        Check("inputs_left_alone", "other rerankers get the same candidates", _no_mutation),
    ]


def _candidates() -> Ranking:
    return Ranking(np.array(_PLACES, dtype=np.int64), np.linspace(1.0, 0.1, len(_PLACES)))


def _ranked(made: Any, query: str, k: int, candidates: Ranking | None = None) -> Ranking:
    given = _candidates() if candidates is None else candidates
    return as_ranking(raw_reranking(made, query, given, list(PASSAGES), k))


def _each(make: Make, k: int = DEPTH) -> list[Ranking]:
    made = make()
    return [_ranked(made, question, k) for question in QUESTIONS]


def _on_each(law: Callable[[Ranking], None], make: Make) -> None:
    for ranking in _each(make):
        law(ranking)


def _candidates_only(ranking: Ranking) -> None:
    rankings.among(ranking, _PLACES)


def _at_most_k(make: Make) -> None:
    for k in (1, HEAD):
        for ranking in _each(make, k):
            rankings.at_most(ranking, k)


def _deterministic(make: Make) -> None:
    made, another = make(), make()
    first = _ranked(made, QUESTIONS[0], DEPTH)
    rankings.same(first, _ranked(made, QUESTIONS[0], DEPTH), "the second time")
    rankings.same(first, _ranked(another, QUESTIONS[0], DEPTH), "from another instance")


def _independent(make: Make) -> None:
    alone = _ranked(make(), QUESTIONS[1], DEPTH)
    made = make()
    _ranked(made, QUESTIONS[0], DEPTH)
    rankings.same(alone, _ranked(made, QUESTIONS[1], DEPTH), "after another question")


def _nothing(make: Make) -> None:
    none = Ranking(np.zeros(0, dtype=np.int64), np.zeros(0))
    found = _ranked(make(), QUESTIONS[0], HEAD, none)
    expect(len(found) == 0, f"found chunks {found.chunks.tolist()} of no candidates; expected none")


def _empty(make: Make) -> None:
    for query in ("", " ", "?!"):
        rankings.lawful(_ranked(make(), query, HEAD), HEAD, _PLACES)


def _prefix(make: Make) -> None:
    for short, long in zip(_each(make, HEAD), _each(make, DEPTH), strict=True):
        rankings.head_of(short, long)


def _deep(make: Make) -> None:
    for ranking in _each(make, 10 * len(PASSAGES)):
        rankings.lawful(ranking, len(_PLACES), _PLACES)


def _no_mutation(make: Make) -> None:
    given, texts = _candidates(), list(PASSAGES)
    raw_reranking(make(), QUESTIONS[0], given, texts, DEPTH)
    before = _candidates()
    expect(
        np.array_equal(given.chunks, before.chunks) and np.array_equal(given.scores, before.scores),
        "found the candidates changed; expected them as given",
    )
    expect(texts == list(PASSAGES), "found the texts changed; expected them as given")
