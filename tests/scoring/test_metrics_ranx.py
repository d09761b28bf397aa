"""The six ranking metrics against ranx, on a thousand random rankings, and wrong ones that it catches."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ranx import Qrels, Run, evaluate

from evalcore.errors import InputError
from evalcore.scoring.metrics import METRICS, Gains, measure

CASES = 1_000
CUT_OFFS = (1, 3, 5, 10, 20)
# ranx divides recall, map and ndcg as spec/results.md §5 does; its ndcg has linear gains.
RANX = ("recall", "precision", "hit_rate", "mrr", "map", "ndcg")
Metric = Callable[[Gains, int], float]


@dataclass
class Cases:
    """Random questions: grades of relevant chunks, and rankings; some of them empty."""

    grades: list[dict[int, int]] = field(default_factory=list)
    rankings: list[list[int]] = field(default_factory=list)


@pytest.fixture(scope="module")
def cases() -> Cases:
    found = Cases()
    chunks = st.integers(0, 40)
    graded = st.dictionaries(chunks, st.integers(1, 3), min_size=1, max_size=12)
    ranked = st.lists(chunks, unique=True, max_size=30)

    @settings(max_examples=CASES, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(graded, ranked)
    def collect(grades: dict[int, int], ranking: list[int]) -> None:
        found.grades.append(grades)
        found.rankings.append(ranking)

    collect()
    assert len(found.grades) >= CASES
    return found


@pytest.fixture(scope="module")
def reference(cases: Cases) -> dict[str, list[float]]:
    """What ranx says, per metric and question; an empty ranking is given one chunk that nobody grades."""
    names = [f"{name}@{k}" for k in CUT_OFFS for name in RANX]
    qrels = Qrels(
        {f"{i:06}": {str(c): g for c, g in grades.items()} for i, grades in enumerate(cases.grades)}
    )
    run = Run({f"{i:06}": dict(scored(ranking)) for i, ranking in enumerate(cases.rankings)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba speaks of its own casts while it compiles
        scores = evaluate(qrels, run, names, return_mean=False)
    return {name: [float(value) for value in scores[name]] for name in names}


def scored(ranking: Sequence[int]) -> Iterator[tuple[str, float]]:
    for rank, chunk in enumerate(ranking or [10_000]):
        yield str(chunk), 1_000.0 - rank


def differing(name: str, metric: Metric, cases: Cases, reference: Mapping[str, list[float]]) -> int:
    """Count the values in which a metric and ranx differ by more than 1e-9."""
    count = 0
    for i, (grades, ranking) in enumerate(zip(cases.grades, cases.rankings, strict=True)):
        gains = Gains.of(ranking, grades)
        count += sum(abs(metric(gains, k) - reference[f"{name}@{k}"][i]) > 1e-9 for k in CUT_OFFS)
    return count


@pytest.mark.parametrize("name", RANX)
def test_a_metric_equals_ranx(name: str, cases: Cases, reference: dict[str, list[float]]) -> None:
    assert set(METRICS) == set(RANX)
    assert differing(name, METRICS[name], cases, reference) == 0


def precision_of_retrieved(gains: Gains, k: int) -> float:
    first = gains.ranked[:k]
    return sum(1 for gain in first if gain) / len(first) if first else 0.0


def map_of_reachable(gains: Gains, k: int) -> float:
    return METRICS["map"](gains, k) * len(gains.ideal) / min(k, len(gains.ideal))


def exponential_ndcg(gains: Gains, k: int) -> float:
    def total(grades: Sequence[int]) -> float:
        return sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades[:k]))

    return total(gains.ranked) / total(gains.ideal)


def recall_of_reachable(gains: Gains, k: int) -> float:
    return METRICS["recall"](gains, k) * len(gains.ideal) / min(k, len(gains.ideal))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("precision", precision_of_retrieved),
        ("map", map_of_reachable),
        ("ndcg", exponential_ndcg),
        ("recall", recall_of_reachable),
        ("mrr", lambda gains, k: METRICS["mrr"](gains, k + 1)),
        ("hit_rate", METRICS["recall"]),
    ],
)
def test_a_wrong_metric_is_caught(
    name: str, wrong: Metric, cases: Cases, reference: dict[str, list[float]]
) -> None:
    assert differing(name, wrong, cases, reference) > 10


def test_an_empty_ranking_finds_nothing() -> None:
    assert set(measure([], {3: 1}, CUT_OFFS).values()) == {0.0}


def test_a_chunk_without_a_positive_grade_is_not_relevant() -> None:
    assert measure([1, 2, 3], {2: 1, 3: 0}, [3]) == measure([1, 2, 3], {2: 1}, [3])
    assert measure([1, 2, 3], {2: 1}, [3])["recall@3"] == 1.0


def test_by_hand() -> None:
    """Relevant: a (grade 2) at rank 2, b (1) at rank 4, c (1) not retrieved; k = 4."""
    found = measure([7, 0, 8, 1], {0: 2, 1: 1, 2: 1}, [4])
    best = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert found == {
        "recall@4": pytest.approx(2 / 3),
        "precision@4": pytest.approx(2 / 4),
        "hit_rate@4": 1.0,
        "mrr@4": pytest.approx(1 / 2),
        "map@4": pytest.approx((1 / 2 + 2 / 4) / 3),
        "ndcg@4": pytest.approx((2 / math.log2(3) + 1 / math.log2(5)) / best),
    }


def test_a_ranking_that_names_a_chunk_twice_is_refused() -> None:
    with pytest.raises(InputError, match="names chunk 5 more than once"):
        measure([5, 1, 5], {1: 1}, [3])
