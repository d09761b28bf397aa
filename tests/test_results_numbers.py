"""The numbers of the published page's sweep, written out, through every door; and what a sweep notices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import evalcore as cg
from evalcore.results.build import build_results
from evalcore.results.results import Results
from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import RunInputs
from tests import page

BEST, BY_BM25 = "markdown · recursive:512 · tfidf · dense", "markdown · recursive:512 · bm25"
SMALL, SMALL_BM25 = "markdown · recursive:16 · tfidf · dense", "markdown · recursive:16 · bm25"
AXES: dict[str, Any] = {
    "chunker": ["recursive:512", "recursive:16"],
    "index": ["dense", "bm25"],
    "reranker": [None, "lexical"],
}


@pytest.fixture(scope="module")
def published(shared: Path) -> tuple[cg.Corpus, cg.EvalSet]:
    """The page's documents and questions."""
    found = page.published(shared)
    return found.corpus, found.evalset


@pytest.fixture(scope="module")
def results(published: tuple[cg.Corpus, cg.EvalSet]) -> Results:
    corpus, questions = published
    return cg.Lab(corpus).grid(**AXES).run(questions, mode="factorial")


def metric(results: Results, label: str, name: str) -> float:
    run = results.get(label)
    assert run is not None
    value = run.metric(name)
    assert value is not None
    return value


def test_the_means_and_intervals_of_the_page(results: Results) -> None:
    assert {label: metric(results, label, "chunks") for label in (BEST, SMALL)} == {BEST: 8, SMALL: 63}
    for label in (BEST, f"{BEST} · lexical@50", BY_BM25, f"{BY_BM25} · lexical@50"):
        assert metric(results, label, "recall@5") == 1.0
    for label in (SMALL, SMALL_BM25):
        assert metric(results, label, "recall@5") == pytest.approx(0.8077, abs=5e-5)
        assert results.get(label).interval("recall@5") == pytest.approx((0.577, 1.0), abs=5e-4)  # type: ignore[union-attr]
        reranked = f"{label} · lexical@50"
        assert metric(results, reranked, "recall@5") == pytest.approx(0.7308, abs=5e-5)
        assert results.get(reranked).interval("recall@5") == pytest.approx((0.5, 0.923), abs=5e-4)  # type: ignore[union-attr]


def test_the_comparison_of_the_page(results: Results) -> None:
    assert results.compare(BEST, SMALL)["differences"] == {"q6": 0.5, "q8": 1.0, "q9": 1.0}
    found = results.significance(BEST, SMALL)
    assert found.p_value == pytest.approx(0.24988, abs=5e-6)
    assert (found.ci_low, found.ci_high) == pytest.approx((0.0, 0.42308), abs=5e-6)
    assert "roughly 110 questions" in found.verdict()
    assert (found.wins, found.losses, found.ties, found.winner) == (3, 0, 10, None)


def test_the_composite_and_the_axes_of_the_page(results: Results) -> None:
    composite = results.composite()
    assert composite is not None
    assert composite.score == pytest.approx(87.5, abs=0.05)
    assert composite.parts == pytest.approx(
        {"parse": 1.0, "chunk": 1.0, "embed": 0.643, "retrieval": 0.986}, abs=5e-4
    )
    assert results.axis_effect("chunker") == pytest.approx(
        {"recursive:16": 0.7692, "recursive:512": 1.0}, abs=5e-5
    )
    assert results.axis_effect("reranker") == pytest.approx({"None": 0.9038, "lexical": 0.8654}, abs=5e-5)
    assert results.by_type()[SMALL] == {
        "account": 1.0,
        "api": 0.5,
        "billing": 1.0,
        "export": 0.5,
        "reliability": 1.0,
        "sso": 0.5,
    }
    assert results.by_type()[f"{SMALL} · lexical@50"] == {
        "account": 1.0,
        "api": 1.0,
        "billing": 1.0,
        "export": 0.0,
        "reliability": 0.0,
        "sso": 0.5,
    }


def test_both_doors_lead_to_one_engine(published: tuple[cg.Corpus, cg.EvalSet], results: Results) -> None:
    corpus, questions = published
    settings = cg.Lab(corpus).grid(**AXES).settings("factorial")
    report = cg.evaluate(corpus, questions, settings)
    ours = results.report()
    same = {"generated_at"}
    assert report.model_dump(exclude=same) == ours.model_dump(exclude=same)
    assert len(report.strategy_results) == len(results) == 8


@pytest.mark.parametrize(
    ("mode", "cells"),
    [("factorial", 8), ("ofat", 4), ("staged", 4)],
)
def test_the_modes_of_the_same_axes(mode: str, cells: int, published: tuple[cg.Corpus, cg.EvalSet]) -> None:
    """Factorial: 2 × 2 × 2. Ofat: the baseline and one change on each of three axes; staged likewise."""
    corpus, questions = published
    found = cg.Lab(corpus).grid(**AXES).run(questions, mode=mode)
    assert len(found) == cells
    assert found.complete


def test_what_cannot_run_and_what_is_the_same_is_counted(published: tuple[cg.Corpus, cg.EvalSet]) -> None:
    """Two embedders of which one is none: dense without one cannot run; bm25 is the same under both."""
    corpus, questions = published
    found = (
        cg.Lab(corpus)
        .grid(embedder=["tfidf", None], index=["dense", "bm25"])
        .run(questions, mode="factorial")
    )
    assert [run.label for run in found] == [BEST, BY_BM25]
    (impossible,) = found.warnings.with_code("impossible_combinations")
    (folded,) = found.warnings.with_code("folded_combinations")
    assert impossible.message.startswith("1 combination cannot run")
    assert folded.message.startswith("1 combination")


def test_a_cell_that_cannot_run_is_one_missing_row(published: tuple[cg.Corpus, cg.EvalSet]) -> None:
    corpus, questions = published
    lab = cg.Lab(corpus).grid(chunker=["recursive:512", "no_such_chunker"], index="bm25")
    found = lab.run(questions, mode="factorial")
    assert [run.label for run in found] == [BY_BM25]
    (failed,) = found.warnings.with_code("failed_configuration")
    assert failed.severity == "error"
    assert "no_such_chunker" in failed.message
    assert "Not computed: 1" in found.summary()


def test_a_run_that_was_cut_short_says_so(published: tuple[cg.Corpus, cg.EvalSet]) -> None:
    corpus, questions = published
    found = cg.Lab(corpus).grid(**AXES).run(questions, mode="factorial", budget_seconds=1e-6)
    assert len(found) == 1
    assert not found.complete
    assert found.summary().startswith("This run is partial: it finished 1 of 8 configurations")
    assert found.warnings.with_code("partial_run")
    assert found.report().complete is False


def test_evidence_that_stands_nowhere_is_no_zero(published: tuple[cg.Corpus, cg.EvalSet]) -> None:
    corpus, questions = published
    lost = cg.EvalItem("lost", "Where is it?", [cg.GoldAnchor("billing.md", "this stands nowhere")])
    more = cg.EvalSet("more", (*questions.items, lost))
    found = cg.Lab(corpus).grid().run(more)
    (run,) = found
    assert (run.unresolved_gold, run.scored_queries) == (1, 13)
    assert run.metric("recall@5") == 1.0
    assert run.metric("evidence_resolvable") == pytest.approx(13 / 14)
    (warning,) = found.warnings.with_code("unresolved_gold")
    assert warning.subject == "lost"


def test_an_unknown_label_names_the_nearest(results: Results) -> None:
    assert results.get("no such configuration") is None
    with pytest.raises(KeyError, match="did you mean 'markdown · recursive:512 · bm25'"):
        results.significance(BEST, "markdown · recursive:512 · bm26")


def test_recorded_runs_give_the_same_views(published: tuple[cg.Corpus, cg.EvalSet], results: Results) -> None:
    corpus, questions = published
    inputs = RunInputs(corpus, questions, cg.Lab(corpus).grid(**AXES).settings("factorial"))
    sink = MemorySink()
    run_grid(inputs, sink)
    again = build_results(sink.record(inputs))
    assert [run.metrics for run in again] == [run.metrics for run in results]
