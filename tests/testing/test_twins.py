"""Every check finds the fault that it is for, and nothing in the sound original of the twin that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evalcore.testing import (
    Check,
    ConformanceError,
    check_chunker,
    check_embedder,
    check_index,
    check_reranker,
    chunker_checks,
    embedder_checks,
    index_checks,
    reranker_checks,
)
from tests.testing import sound, twins

Twins = dict[str, Callable[..., Any]]
KINDS: dict[str, tuple[list[Check], Twins]] = {
    "chunker": (chunker_checks(), twins.CHUNKERS),
    "embedder": (embedder_checks(), twins.EMBEDDERS),
    "index": (index_checks(), twins.INDEXES),
    "reranker": (reranker_checks(), twins.RERANKERS),
}
PAIRS = [
    pytest.param(check, broken.get(check.name), id=f"{kind}-{check.name}")
    for kind, (checks, broken) in KINDS.items()
    for check in checks
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_has_a_twin_and_every_twin_a_check(kind: str) -> None:
    checks, broken = KINDS[kind]
    assert sorted(check.name for check in checks) == sorted(broken)


@pytest.mark.parametrize(("check", "twin"), PAIRS)
def test_a_check_finds_its_broken_twin(check: Check, twin: Callable[..., Any]) -> None:
    with pytest.raises(ConformanceError) as caught:
        check.run(twin)
    line = str(caught.value)
    assert line.startswith(f"{check.name}: ")
    assert line.endswith(f"({check.why})")
    assert "\n" not in line


def test_the_sound_originals_pass_every_check() -> None:
    check_chunker(sound.Words)
    check_chunker(lambda: sound.lines)
    check_embedder(sound.Letters)
    check_embedder(lambda: sound.Letters().encode)
    check_index(sound.Overlap)
    check_reranker(sound.Shared)
    check_reranker(lambda: sound.shared)


def test_a_chunker_that_says_it_leaves_gaps_may_leave_them() -> None:
    class Headings(sound.Words):
        gaps = True

        def cut(self, document: Any) -> list[tuple[int, int]]:
            return super().cut(document)[:1]

    check_chunker(Headings)


def test_all_failures_come_at_once_one_line_each() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_reranker(twins.Rising)
    names = [line.partition(":")[0] for line in str(caught.value).splitlines()]
    # Every ranking of this twin rises: both checks that look at the order of scores to any depth see it.
    assert names == ["scores_fall", "k_above_the_candidates"]


def test_pytest_can_name_a_case_after_its_check() -> None:
    assert [check.__name__ for check in index_checks()] == [check.name for check in index_checks()]
