"""The laws of indexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from evalcore.embedding.hashing import HashEmbedder
from evalcore.retrieval.base import Ranking, Retriever
from evalcore.testing import rankings
from evalcore.testing.base import Check, ConformanceError, Make, expect, run_all
from evalcore.testing.rankings import DEPTH, HEAD, as_ranking
from evalcore.testing.texts import PASSAGES, QUESTIONS

_TWINS = (*PASSAGES[:4], PASSAGES[1], *PASSAGES[4:8], PASSAGES[1], PASSAGES[0])
_QUERIES = (*QUESTIONS, PASSAGES[6])


def check_index(make: Make) -> None:
    """Run all checks on what `make(texts, space)` returns: an object with `search(queries, k)`.

    `texts` is a tuple of chunks, `space` their hashed words as unit rows.

    Raises:
        ConformanceError: one line per check that failed.
    """
    run_all(index_checks(), make)


def index_checks() -> list[Check]:
    """Return the checks; `run(make)` takes what `check_index` takes."""
    return [
        Check("one_ranking_per_query", "a ranking belongs to its query by its place", _one_per_query),
        Check("at_most_k", "a question gets k chunks", _at_most_k),
        Check("each_chunk_once", "a chunk found twice counts twice", partial(_on_each, rankings.each_once)),
        Check("chunks_of_the_corpus", "other chunks have no text", partial(_on_each, _in_range)),
        Check("finite_scores", "NaN and infinity rank nothing", partial(_on_each, rankings.finite)),
        Check("scores_fall", "the first is the best", partial(_on_each, rankings.falling)),
        Check("k_above_the_corpus", "small corpora are searched too", _deep),
        Check("k_below_one_refused", "no chunk answers no question", _refuses),
        Check("ties_in_corpus_order", "equal scores would rank by chance", _ties),
        Check("head_of_a_deeper_search", "metrics at 3 and at 10 are of one ranking", _prefix),
        Check("same_ranking_again", "a run that is resumed searches again", _deterministic),
        Check("each_query_by_itself", "questions are searched alone and together", _independent),
        Check("empty_query", "a question may hold no word", _empty),
        Check("finds_a_chunk_by_its_text", "a search that finds nothing ranks nothing", _finds),
        Check("inputs_left_alone", "other indexes search the same texts", _no_mutation),
    ]


def _index(make: Make, texts: Sequence[str] = PASSAGES) -> Retriever:
    made: Retriever = make(tuple(texts), HashEmbedder().space(texts))
    return made


def _searched(index: Retriever, k: int, queries: Sequence[str] = _QUERIES) -> list[Ranking]:
    return [as_ranking(found) for found in index.search(list(queries), k)]


def _found(make: Make, k: int = DEPTH) -> list[Ranking]:
    return _searched(_index(make), k)


def _one_per_query(make: Make) -> None:
    index = _index(make)
    for queries in (_QUERIES, _QUERIES[:1]):
        count = len(index.search(list(queries), HEAD))
        expect(count == len(queries), f"found {count} rankings for {len(queries)} queries; expected one each")


def _at_most_k(make: Make) -> None:
    for k in (1, HEAD):
        for ranking in _found(make, k):
            rankings.at_most(ranking, k)


def _on_each(law: Callable[[Ranking], None], make: Make) -> None:
    for ranking in _found(make):
        law(ranking)


def _in_range(ranking: Ranking) -> None:
    rankings.among(ranking, range(len(PASSAGES)))


def _deep(make: Make) -> None:
    for texts in (PASSAGES, PASSAGES[:1]):
        for ranking in _searched(_index(make, texts), 10 * len(PASSAGES)):
            rankings.lawful(ranking, len(texts), range(len(texts)))


def _refuses(make: Make) -> None:
    index = _index(make)
    for k in (0, -1):
        try:
            index.search([_QUERIES[0]], k)
        except ValueError:
            continue
        raise ConformanceError(f"found an answer for k = {k}; expected a ValueError")


def _ties(make: Make) -> None:
    for ranking in _searched(_index(make, _TWINS), len(_TWINS)):
        pairs = list(zip(ranking.scores.tolist(), ranking.chunks.tolist(), strict=True))
        for (score, chunk), (next_score, next_chunk) in pairwise(pairs):
            expect(
                score != next_score or chunk < next_chunk,
                f"found chunk {chunk} before {next_chunk}, both at {score:g}; expected corpus order",
            )


def _prefix(make: Make) -> None:
    index = _index(make)
    for short, long in zip(_searched(index, HEAD), _searched(index, DEPTH), strict=True):
        rankings.head_of(short, long)


def _deterministic(make: Make) -> None:
    index = _index(make)
    first = _searched(index, DEPTH)
    for when, again in (
        ("the second time", _searched(index, DEPTH)),
        ("from another instance", _found(make)),
    ):
        for one, other in zip(first, again, strict=True):
            rankings.same(one, other, when)


def _independent(make: Make) -> None:
    index = _index(make)
    together = _searched(index, DEPTH)
    for query, ranking in zip(_QUERIES, together, strict=True):
        rankings.same(ranking, _searched(index, DEPTH, [query])[0], "alone")


def _empty(make: Make) -> None:
    for ranking in _searched(_index(make), HEAD, ["", " ", "?!"]):
        rankings.lawful(ranking, HEAD, range(len(PASSAGES)))


def _finds(make: Make) -> None:
    for place in (0, len(PASSAGES) - 1):
        ranking = _searched(_index(make), DEPTH, [PASSAGES[place]])[0]
        expect(len(ranking), f"found nothing for the text of chunk {place}; expected at least one chunk")


def _no_mutation(make: Make) -> None:
    texts, queries = list(PASSAGES), list(_QUERIES)
    space = HashEmbedder().space(PASSAGES)
    before = space.passages.copy()
    make(texts, space).search(queries, DEPTH)
    expect(
        texts == list(PASSAGES) and queries == list(_QUERIES), "found texts changed; expected them as given"
    )
    expect((space.passages == before).all(), "found vectors changed; expected them as given")
