"""Laws that hold for any ranking, whoever made it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from evalcore.plugged import faults
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.plugged import ranking_from
from evalcore.testing.base import expect

HEAD, DEPTH = 3, 10


def as_ranking(found: Any) -> Ranking:
    """Return what was given as a ranking.

    Raises:
        PluginError: it is none.
    """
    with faults("it", "ranking"):
        return ranking_from("it", found)


def at_most(ranking: Ranking, k: int) -> None:
    """Expect no more than k chunks."""
    expect(len(ranking) <= k, f"found {len(ranking)} chunks; expected {k} at most")


def each_once(ranking: Ranking) -> None:
    """Expect no chunk twice."""
    chunks = ranking.chunks.tolist()
    twice = sorted({chunk for chunk in chunks if chunks.count(chunk) > 1})
    expect(not twice, f"found chunks {twice} more than once; expected each once")


def among(ranking: Ranking, known: Iterable[int]) -> None:
    """Expect no chunk that is not known."""
    unknown = sorted(set(ranking.chunks.tolist()) - set(known))
    expect(not unknown, f"found chunks {unknown}, which it was not given; expected none but these")


def finite(ranking: Ranking) -> None:
    """Expect scores that are numbers."""
    expect(
        np.isfinite(ranking.scores).all(), f"found scores {ranking.scores.tolist()}; expected finite numbers"
    )


def falling(ranking: Ranking) -> None:
    """Expect the best first."""
    expect(
        not (np.diff(ranking.scores) > 0).any(),
        f"found scores {ranking.scores.tolist()}; expected none above the one before it",
    )


def lawful(ranking: Ranking, k: int, known: Iterable[int]) -> None:
    """Expect all of the above."""
    at_most(ranking, k)
    each_once(ranking)
    among(ranking, known)
    finite(ranking)
    falling(ranking)


def same(first: Ranking, second: Ranking, when: str) -> None:
    """Expect equal chunks and equal scores."""
    before, after = first.chunks.tolist(), second.chunks.tolist()
    expect(before == after, f"found chunks {after} {when} and {before} before; expected the same")
    scores, again = first.scores.tolist(), second.scores.tolist()
    equal = np.array_equal(first.scores, second.scores, equal_nan=True)
    expect(equal, f"found scores {again} {when} and {scores} before; expected the same")


def head_of(short: Ranking, long: Ranking) -> None:
    """Expect the short ranking to be the beginning of the long one."""
    head = long.chunks[: len(short)].tolist()
    expect(
        short.chunks.tolist() == head and len(short) == min(HEAD, len(long)),
        f"found {short.chunks.tolist()} for k = {HEAD} and {long.chunks.tolist()} for k = {DEPTH}; expected "
        "the one to begin the other",
    )
