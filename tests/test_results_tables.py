"""The tables behind the views: all pairs at once equal each pair alone; ties; axes; hard questions; names."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from evalcore.evalset.items import EvalItem
from evalcore.grid import Configuration
from evalcore.results.names import shorten
from evalcore.results.pairs import all_pairs, tied_groups
from evalcore.results.results import Results
from evalcore.results.run_result import RunResult
from evalcore.results.tables import axis_table, hardest, spreads, two_axes
from evalcore.scoring.cell import CellScores
from evalcore.specs import Spec

METRIC = "recall@5"


def run(chunker: str, index: str, scores: dict[str, float], reranker: str | None = None) -> RunResult:
    name, _, size = chunker.partition(":")
    configuration = Configuration(
        parser="auto",
        chunker=Spec(name, (("chunk_size", int(size)),)),
        embedder=None if index == "bm25" else "tfidf",
        index=index,
        reranker=reranker,
        candidates=50 if reranker else None,
        strategy=chunker,
        retriever=index + (f"+{reranker}" if reranker else ""),
    )
    values = np.array(list(scores.values()), dtype=np.float64)
    return RunResult(configuration, CellScores(tuple(scores), {METRIC: values}), headline=5, chunks=7)


def results(*runs: RunResult) -> Results:
    ids = dict.fromkeys(i for one in runs for i in one.scores(METRIC))
    items = [EvalItem(i, f"What is {i}?") for i in ids]
    return Results(runs=tuple(runs), questions={i.id: i.question for i in items}, qtypes={})


def numbered(values: list[float]) -> dict[str, float]:
    return {f"q{i:02}": value for i, value in enumerate(values)}


def noisy(seed: int, level: float) -> dict[str, float]:
    draw = np.random.default_rng(seed)
    return numbered([float(v) for v in (draw.random(40) < level)])


def test_all_pairs_at_once_are_each_pair_alone() -> None:
    partly = {i: s for i, s in noisy(5, 0.6).items() if i != "q03"}
    otherwise = {i: s for i, s in noisy(6, 0.7).items() if i != "q07"}
    found = results(
        run("recursive:512", "dense", noisy(1, 0.9)),
        run("recursive:512", "bm25", noisy(2, 0.8)),
        run("recursive:128", "dense", noisy(3, 0.3)),
        run("recursive:128", "bm25", partly),
        run("recursive:64", "bm25", otherwise),
    )
    pairs = all_pairs(found, METRIC)
    assert len(pairs.pairs) == 10
    assert {pair.n for pair in pairs.pairs} == {40, 39, 38}
    for pair in pairs.pairs:
        alone = found.significance(pair.left, pair.right, METRIC)
        assert pair.n == alone.n
        assert pair.p_value == pytest.approx(alone.p_value, abs=1e-12)
        assert (pair.difference, pair.low, pair.high) == pytest.approx(
            (alone.difference, alone.ci_low, alone.ci_high), abs=1e-12
        )
        assert pair.distinguishable == alone.distinguishable
        assert pair.p_holm >= pair.p_value
    assert pairs.by_chance == pytest.approx(0.5)
    assert 0 < pairs.holding <= pairs.distinguishable


def test_identical_configurations_are_tied_and_a_worse_one_is_not() -> None:
    good, poor = numbered([1.0] * 40), numbered([0.0] * 40)
    found = results(run("recursive:512", "dense", good), run("recursive:512", "bm25", good))
    assert [len(group) for group in tied_groups(all_pairs(found, METRIC))] == [2]
    apart = results(run("recursive:512", "dense", poor), run("recursive:512", "bm25", good))
    assert [
        [label.endswith("bm25") for label in group] for group in tied_groups(all_pairs(apart, METRIC))
    ] == [
        [True],
        [False],
    ]
    (pair,) = all_pairs(found, METRIC).pairs
    assert (pair.p_value, pair.low, pair.high, pair.holds) == (1.0, 0.0, 0.0, False)


def test_an_axis_is_told_with_its_spread_and_two_axes_by_their_means() -> None:
    found = results(
        run("recursive:512", "dense", numbered([1.0, 1.0])),
        run("recursive:512", "bm25", numbered([1.0, 0.0])),
        run("recursive:128", "dense", numbered([0.0, 0.0])),
    )
    best, worst = axis_table(found, "chunker", METRIC)
    assert (best.value, best.mean, best.low, best.high, best.runs) == ("recursive:512", 0.75, 0.5, 1.0, 2)
    assert (worst.value, worst.mean, worst.runs) == ("recursive:128", 0.0, 1)
    assert two_axes(found, "chunker", "index", METRIC) == {
        ("recursive:512", "dense"): 1.0,
        ("recursive:512", "bm25"): 0.5,
        ("recursive:128", "dense"): 0.0,
    }


def test_the_hardest_question_has_the_lowest_mean() -> None:
    found = results(
        run("recursive:512", "dense", {"a": 1.0, "b": 0.0, "c": 0.0}),
        run("recursive:512", "bm25", {"a": 1.0, "b": 1.0, "c": 0.0}),
    )
    first, second = hardest(found, METRIC, 2)
    assert (first.id, first.mean, first.failed, first.runs) == ("c", 0.0, 2, 2)
    assert (second.id, second.mean, second.failed) == ("b", 0.5, 1)


def test_names_say_what_varies_and_what_does_not_is_said_once() -> None:
    scores = numbered([1.0])
    names = shorten([run("recursive:512", "dense", scores), run("recursive:512", "bm25", scores, "lexical")])
    assert list(names.short.values()) == ["dense · no reranker", "bm25 · lexical"]
    assert names.constant == {
        "parser": "auto",
        "chunker": "recursive:512",
        "embedder": "tfidf",
        "candidates": "50",
    }
    alone = shorten([run("recursive:512", "dense", scores)])
    assert list(alone.short.values()) == ["auto · recursive:512 · tfidf · dense"]


def test_spreads_of_all_runs_at_once_are_each_runs_own() -> None:
    partly = {i: s for i, s in noisy(5, 0.6).items() if i != "q03"}
    runs = [run("recursive:512", "dense", noisy(1, 0.9)), run("recursive:128", "bm25", partly)]
    found = results(*runs)
    same_document = {f"q{i:02}": f"document {i // 20}" for i in range(40)}
    clustered = Results(runs=tuple(runs), clusters=same_document)
    for one in runs:
        alone = one.interval(METRIC)
        spread = spreads(found, METRIC)[one.label]
        assert alone is not None
        assert (spread.mean, spread.low, spread.high) == pytest.approx(
            (one.metric(METRIC), alone.low, alone.high), abs=1e-12
        )
        assert spread.clustered is None
        own = dataclasses.replace(one, clusters=same_document).clustered(METRIC)
        both = spreads(clustered, METRIC)[one.label].clustered
        assert (own is None) == (both is None)
        if own is not None and both is not None:
            assert both == pytest.approx(own, abs=1e-12)
