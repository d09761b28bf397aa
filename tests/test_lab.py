"""A sweep from Python on a corpus small enough to work every number out by hand, and on the example's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import evalcore as cg
from evalcore.corpus.loading import read_folder
from evalcore.errors import InputError, RunCancelledError, SettingsError
from evalcore.evalset.files import read_questions
from evalcore.run.record import Stage

ROOT = Path(__file__).resolve().parent.parent
DENSE, BM25 = "markdown · recursive:512 · tfidf · dense", "markdown · recursive:512 · bm25"
TEXTS = {"a.md": "Cats sleep all day.", "b.md": "Dogs bark at night.", "c.md": "Fish swim in cold water."}
# The last question shares no word with its document and one with a.md: bm25 returns a.md alone; dense returns
# all three, those that share nothing in corpus order, so that c.md is third.
QUESTIONS = cg.EvalSet(
    "animals",
    (
        cg.EvalItem("qa", "Do cats sleep?", [cg.GoldAnchor("a.md", "Cats sleep all day")], qtype="pets"),
        cg.EvalItem("qb", "When will dogs bark?", [cg.GoldAnchor("b.md", "Dogs bark")], qtype="pets"),
        cg.EvalItem("qc", "Can cats dive?", [cg.GoldAnchor("c.md", "Fish swim in cold water")]),
    ),
)


@pytest.fixture(scope="module")
def lab() -> cg.Lab:
    return cg.Lab(cg.Corpus.from_texts(TEXTS))


@pytest.fixture(scope="module")
def results(lab: cg.Lab) -> cg.Results:
    return lab.grid(index=["bm25", "dense"]).run(QUESTIONS)


def run_of(results: cg.Results, label: str) -> cg.RunResult:
    run = results.get(label)
    assert run is not None
    return run


def test_means_by_hand(results: cg.Results) -> None:
    dense, bm25 = run_of(results, DENSE), run_of(results, BM25)
    assert dense.scores("recall@5") == {"qa": 1.0, "qb": 1.0, "qc": 1.0}
    assert bm25.scores("recall@5") == {"qa": 1.0, "qb": 1.0, "qc": 0.0}
    assert dense.metric("mrr@5") == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert dense.metric("recall@1") == pytest.approx(2 / 3)
    assert dense.metric("precision@5") == pytest.approx(1 / 5)
    assert bm25.metric("precision@1") == pytest.approx(2 / 3)
    assert dense.metric("evidence_resolvable") == 1.0


def test_what_was_not_measured_is_absent(results: cg.Results) -> None:
    """Three chunks are too few for embedding quality, and nothing priced a context."""
    dense = run_of(results, DENSE)
    assert dense.embedding_quality is None
    assert dense.metric("embedding_quality") is None
    assert dense.metric("context_usd_per_1k") is None
    assert dense.metric("faithfulness") is None
    assert dense.scores("faithfulness") == {}
    assert dense.interval("p95_ms") is None
    assert "faithfulness" not in dense.row(["faithfulness"])
    composite = dense.composite()
    assert composite.parts.keys() == {"parse", "chunk", "retrieval"}
    assert composite.missing.keys() == {"embed", "generation"}


def test_the_leaderboard_is_sorted_best_first_and_ties_keep_run_order(results: cg.Results) -> None:
    assert [run.label for run in results] == [BM25, DENSE]
    assert [row["config"] for row in results.leaderboard()] == [DENSE, BM25]
    assert [row["config"] for row in results.leaderboard("hit_rate@1")] == [BM25, DENSE]
    assert [row["config"] for row in results.leaderboard("no metric")] == [BM25, DENSE]
    row = results.leaderboard("recall@5", extra=["mrr@5", "no metric"])[0]
    keys = ["config", "recall@5", "mrr@5", "p95_ms", "cost_per_1k", "chunks", "ci_low", "ci_high"]
    assert list(row) == keys
    assert list(results.leaderboard("recall@5", extra="mrr@5")[0]) == keys


def test_times_and_sizes_rank_the_smallest_first(results: cg.Results) -> None:
    times = [row["p95_ms"] for row in results.leaderboard("p95_ms")]
    assert times == sorted(times)
    best = results.best("p95_ms")
    assert best is not None
    assert best.metric("p95_ms") == times[0]


def test_two_configurations_question_by_question(results: cg.Results) -> None:
    found = results.compare(DENSE, BM25)
    assert found["differences"] == {"qc": 1.0}
    assert (found["queries_compared"], found["left_wins"], found["right_wins"]) == (3, 1, 0)
    assert found["difference"] == pytest.approx(1 / 3)
    assert results.compare(BM25, DENSE)["differences"] == {"qc": -1.0}


def test_means_by_type_and_by_axis(results: cg.Results) -> None:
    assert results.by_type()[BM25] == {"(no type)": 0.0, "pets": 1.0}
    assert results.type_counts()[BM25] == {"(no type)": 1, "pets": 2}
    assert results.axis_effect("index") == {"bm25": pytest.approx(2 / 3), "dense": 1.0}
    assert results.axis_effect("embedder") == {"None": pytest.approx(2 / 3), "tfidf": 1.0}
    with pytest.raises(InputError, match="unknown axis 'size'; known: "):
        results.axis_effect("size")


def test_the_frontier_keeps_what_is_better_or_cheaper(results: cg.Results) -> None:
    assert [run.label for run in results.pareto()] == [DENSE]
    # One word less in common is less to read: bm25 hands over one chunk per question, dense all three.
    assert [run.label for run in results.pareto(cost="tokens@5")] == [BM25, DENSE]


def test_a_metric_that_is_not_there_is_named_with_the_known_ones(results: cg.Results) -> None:
    with pytest.raises(InputError, match=r"unknown metric over questions 'recal@5'; known: .*recall@5"):
        results.significance(DENSE, BM25, "recal@5")
    assert results.best("recal@5") is None
    assert results.composite("recal@5") is None
    assert results.is_the_winner_real("recal@5") is None
    assert results.summary("recal@5") == "No configuration has a value for recal@5."


def test_summaries_without_a_test(results: cg.Results, lab: cg.Lab) -> None:
    assert "so no test tells it from chance" in results.summary("chunks")
    alone = lab.grid().run(QUESTIONS)
    assert "across 1 configuration, scored on 3 questions" in alone.summary()
    assert "There is nothing to compare it with" in alone.summary()
    assert alone.is_the_winner_real() is None


def test_a_price_is_added_and_taken_away(results: cg.Results) -> None:
    tokens = run_of(results, DENSE).metric("tokens@5")
    assert tokens is not None
    priced = results.with_price(2.0)
    assert run_of(priced, DENSE).metric("context_usd_per_1k") == pytest.approx(tokens * 1000 * 2.0 / 1e6)
    assert run_of(priced.with_price(None), DENSE).metric("context_usd_per_1k") is None


def test_short_texts_for_a_prompt(results: cg.Results) -> None:
    assert repr(results) == "<Results: 2 configurations, 3 questions>"
    assert repr(results.runs[0]) == f"<RunResult: {BM25}, 3 scored>"


def test_the_defaults_of_a_grid(lab: cg.Lab) -> None:
    grid = lab.grid().settings().grid
    assert grid is not None
    assert (grid.parser, grid.chunker, grid.embedder) == (("markdown",), ("recursive:512",), ("tfidf",))
    assert (grid.index, grid.reranker, grid.candidates) == (("dense",), (None,), (50,))
    assert (grid.k, grid.mode, grid.headline) == (10, "ofat", "recall@5")


def test_semantic_chunkers_cut_by_the_first_embedder_that_is_one(lab: cg.Lab) -> None:
    assert lab.grid(embedder=[None, "hash", "tfidf"]).settings().embedding.model == "hash"


def test_wrong_values_are_said_in_one_line(lab: cg.Lab) -> None:
    with pytest.raises(SettingsError, match=r"grid\.chunker is empty; give it at least one value"):
        lab.grid(chunker=[])
    with pytest.raises(SettingsError, match="mode is 'all'; expected one of 'factorial', 'ofat', 'staged'"):
        lab.grid().run(QUESTIONS, mode="all")
    with pytest.raises(SettingsError, match=r"unknown chunker 'recursif'; known: .*recursive"):
        lab.grid(chunker="recursif").run(QUESTIONS)
    with pytest.raises(SettingsError, match="headline is 'recall'; expected a metric and a cut-off"):
        lab.grid(headline="recall").run(QUESTIONS)
    with pytest.raises(InputError, match="no question has a gold passage"):
        lab.grid().run(cg.EvalSet("none", (cg.EvalItem("q", "Why?"),)))


def test_a_staged_run_goes_on_from_what_is_best_by_the_headline(lab: cg.Lab) -> None:
    lab.grid(index=["bm25", "dense"], reranker=[None, "lexical"])
    found = lab.run(QUESTIONS, mode="staged")
    assert [run.label for run in found] == [BM25, DENSE, f"{DENSE} · lexical@50"]
    lab.grid(index=["bm25", "dense"], reranker=[None, "lexical"], headline="recall@1")
    found = lab.run(QUESTIONS, mode="staged")
    assert [run.label for run in found] == [BM25, DENSE, f"{BM25} · lexical@50"]


def test_a_sweep_that_is_stopped_keeps_what_it_finished(lab: cg.Lab) -> None:
    def stop(stage: Stage, done: int, _total: int) -> None:
        if stage is Stage.SEARCH and done == 1:
            raise RunCancelledError("enough")

    found = lab.grid(index=["bm25", "dense"]).run(QUESTIONS, progress=stop)
    assert [run.label for run in found] == [BM25]
    assert repr(found) == "<Results: 1 configuration, 3 questions, partial>"
    assert found.summary().startswith("This run is partial: it finished 1 of 2 configurations.")
    assert found.report().complete is False


def test_settings_and_the_lab_are_two_doors_to_one_engine(lab: cg.Lab, results: cg.Results) -> None:
    settings = cg.Settings.from_yaml(lab.grid(index=["bm25", "dense"]).settings().to_yaml(), "grid.yaml")
    again = cg.evaluate_results(lab.corpus, QUESTIONS, settings)
    assert [run.label for run in again] == [run.label for run in results]
    assert [run.metrics for run in again] == [run.metrics for run in results]
    assert list(again.warnings) == list(results.warnings)
    same = {"generated_at"}
    report = cg.evaluate(lab.corpus, QUESTIONS, settings)
    assert again.report().model_dump(exclude=same) == report.model_dump(exclude=same)


def test_public_names_stay_what_they_are() -> None:
    """A module of the same name would take a function's place once it is imported."""
    for name in cg.__all__:
        assert getattr(cg, name) is getattr(cg, name)
    assert callable(cg.evaluate)


def test_the_example_of_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "scored best on recall@5 at 1.000, across 8 configurations, scored on 1 question." in done.stdout


def test_the_example_corpus_through_both_doors() -> None:
    """19 documents under 4 configurations: 76 look-ups of parses and of chunks, 19 and 38 made anew."""
    corpus = cg.Corpus(tuple(read_folder(ROOT / "examples" / "docs").documents))
    questions = read_questions("questions.yaml", (ROOT / "examples" / "questions.yaml").read_bytes())
    lab = cg.Lab(corpus).grid(
        parser="auto", chunker=["recursive:512", "recursive:64"], index=["dense", "bm25"]
    )
    ours = lab.run(questions, mode="factorial")
    theirs = cg.evaluate_results(corpus, questions, lab.settings("factorial"))
    assert len(ours) == 4
    assert [run.metrics for run in ours] == [run.metrics for run in theirs]
    assert ours.summary().split("answering at")[0] == theirs.summary().split("answering at")[0]
    assert ours.cache_summary == "95 of 154 lookups reused (62%), chunk 38/76, embed 0/2, parse 57/76"
    assert len(ours.questions) == 138
    for run in ours:
        assert run.scored_queries + len(run.unresolved) + len(run.unreachable) == len(questions.scored)
        interval = run.interval("recall@5")
        assert interval is not None
        assert 0.0 <= interval.low <= run.metrics["recall@5"] <= interval.high <= 1.0
