"""The engine on all axes: rerankers, parsers, deep rankings, stages, budgets, values that cannot be used."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus, Document, MediaType
from evalcore.errors import RunCancelledError, SettingsError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.report.build import build_report
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.registry import build_retriever
from evalcore.run import search
from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import CellResult, RunInputs, RunRecord, Stage
from evalcore.run.store import RunStore, load_record
from evalcore.settings import Settings

PLACES = ["cellar", "kitchen", "garden", "attic", "garage"]
TEXTS = {
    place: f"# {place.title()}\n\n"
    + "\n\n".join(
        f"The {place} holds {n} boxes of {thing}." for n, thing in enumerate(["tea", "salt", "ink"], 2)
    )
    + "\n"
    for place in PLACES
}
QUESTIONS = EvalSet(
    "q",
    tuple(
        EvalItem(place, f"How much ink is in the {place}?", [GoldAnchor(place, f"The {place} holds 4 boxes")])
        for place in PLACES
    ),
)


def inputs(corpus: Corpus | None = None, **axes: Any) -> RunInputs:
    grid = {
        "chunker": "sentence:1",
        "embedder": "tfidf",
        "index": "dense",
        "mode": "factorial",
        "k": 2,
        **axes,
    }
    chosen = corpus or Corpus.from_texts(TEXTS, MediaType.MARKDOWN)
    return RunInputs(chosen, QUESTIONS, Settings.from_dict({"grid": grid}))


def run(given: RunInputs, sink: MemorySink | None = None, **options: Any) -> RunRecord:
    sink = sink or MemorySink()
    run_grid(given, sink, **options)
    return sink.record(given)


def keys(cells: tuple[Any, ...]) -> list[str]:
    return [cell.configuration.key for cell in cells]


def test_rankings_reach_deeper_than_what_the_report_uses_and_begin_with_it() -> None:
    for cell in run(inputs(index=["dense", "bm25", "hybrid"], reranker=[None, "lexical", "mmr"])).cells:
        for outcome, ranking in zip(cell.outcomes, cell.rankings, strict=True):
            assert len(outcome.chunks) <= 2
            assert ranking[: len(outcome.chunks)] == outcome.chunks
            assert len(set(ranking)) == len(ranking) <= 20
    dense = run(inputs()).cells[0]
    assert {len(ranking) for ranking in dense.rankings} == {20}


def test_a_headline_beyond_twenty_keeps_deeper_rankings() -> None:
    chunks = run(inputs(chunker="fixed:4,overlap=0", headline="recall@30")).cells[0]
    assert {len(ranking) for ranking in chunks.rankings} == {30}


def test_a_reranker_orders_the_candidates_of_the_index_and_no_others() -> None:
    record = run(inputs(reranker=[None, "lexical"], candidates=3))
    plain, reranked = record.cells
    assert reranked.configuration.key == "sentence · dense+lexical@3"
    for before, after in zip(plain.rankings, reranked.rankings, strict=True):
        assert sorted(after) == sorted(before[:3])
    # Both "How much ink is in the ..." words stand in one sentence only.
    texts = record.chunk_sets["sentence"].texts
    assert [texts[ranking[0]] for ranking in reranked.rankings] == [
        f"The {place} holds 4 boxes of ink." for place in PLACES
    ]


def test_hybrid_looks_as_deep_as_the_cut_off_says_not_as_the_kept_ranking() -> None:
    record = run(inputs(index="hybrid", k=2))
    chunk_set = record.chunk_sets["sentence"]
    from evalcore.embedding.tfidf import TfidfEmbedder

    space = TfidfEmbedder().space(chunk_set.texts)
    asked = [item.question for item in QUESTIONS]
    expected = build_retriever("hybrid", chunk_set.texts, space).search(asked, 2)
    assert [outcome.chunks for outcome in record.cells[0].outcomes] == [
        tuple(ranking.chunks.tolist()) for ranking in expected
    ]


def test_questions_searched_together_and_alone_rank_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    given = inputs(index=["dense", "bm25", "hybrid"], embedder="hash", reranker=[None, "mmr"])
    alone = run(given)
    monkeypatch.setattr(search, "TIMED_ALONE", 0)
    together = run(given)
    assert [c.rankings for c in together.cells] == [c.rankings for c in alone.cells]
    assert together.cells == alone.cells
    measures = together.cells[0].measures
    assert measures is not None
    assert len(set(measures.query_ms)) == 1


def test_measures_are_of_the_cell_they_belong_to() -> None:
    record = run(inputs(index=["dense", "bm25", "hybrid"]))
    dense, bm25, hybrid = [cell.measures for cell in record.cells]
    assert dense is not None
    assert bm25 is not None
    assert hybrid is not None
    assert hybrid.index_bytes == dense.index_bytes + bm25.index_bytes
    assert bm25.embedding_quality is None
    assert dense.embedding_quality is not None
    assert dense.embedding_quality == hybrid.embedding_quality
    assert all(ms > 0 for cell in (dense, bm25, hybrid) for ms in (*cell.query_ms, cell.build_ms))


def test_vectors_of_float32_count_four_bytes_each() -> None:
    record = run(inputs(embedder="hash:16"))
    measures = record.cells[0].measures
    assert measures is not None
    assert measures.index_bytes == len(record.chunk_sets["sentence"]) * 16 * 4


def test_a_parser_changes_the_structure_and_not_the_text() -> None:
    record = run(inputs(parser=["markdown", "text"], chunker="structure:1000"))
    assert keys(record.cells) == ["structure · dense", "structure+text · dense"]
    sections, paragraphs = record.chunk_sets["structure"], record.chunk_sets["structure+text"]
    assert sections.chunks[0].section_path == ("Cellar",)
    assert paragraphs.chunks[0].section_path == ()
    texts = {d.id: d.text for d in record.inputs.corpus_under("text")}
    assert texts == {d.id: d.text for d in record.inputs.corpus}


def test_a_parser_leaves_files_of_other_kinds_alone() -> None:
    page = Document("page", "A page.", metadata={"media_type": str(MediaType.HTML)})
    notes = Document("notes", "# Notes\n\nText.", metadata={"media_type": str(MediaType.TEXT)})
    under = inputs(Corpus((page, notes))).corpus_under("markdown")
    assert under.get("page") == page
    found = under.get("notes")
    assert found is not None
    assert [h.level for h in found.headings] == [1]


def test_layout_of_a_pdf_fails_its_cells_in_one_line_and_no_others() -> None:
    scan = Document("scan", TEXTS["attic"], metadata={"media_type": str(MediaType.PDF)})
    record = run(inputs(Corpus((scan,)), parser=["auto", "pypdf:layout"]))
    assert keys(record.cells) == ["sentence · dense"]
    assert keys(record.failed) == ["sentence+pypdf:layout · dense"]
    assert "needs the file of scan" in record.failed[0].reason
    assert record.complete
    with pytest.raises(SettingsError):
        record.inputs.corpus_under("pypdf:layout")
    assert run(inputs(parser="pypdf:layout")).failed == ()


def test_a_value_that_cannot_be_used_is_a_failed_row_beside_the_others() -> None:
    record = run(
        inputs(
            parser=["auto", "ocr"],
            chunker=["sentence:1", "nonsense:3", "recursive:4,overlap=9"],
            embedder=["tfidf", "/nowhere/model"],
            index=["dense", "faiss"],
            reranker=[None, "cohere", "cross-encoder:/nowhere/model"],
            mode="ofat",
        )
    )
    assert keys(record.cells) == ["sentence · dense"]
    assert record.complete
    reasons = {cell.configuration.key: cell.reason for cell in record.failed}
    assert all("\n" not in reason for reason in reasons.values())
    expected = {
        "sentence+ocr · dense": "unknown parser 'ocr'",
        "nonsense:3 · dense": "unknown chunker 'nonsense'",
        "recursive:4,overlap=9 · dense": "overlap",
        "sentence · dense+/nowhere/model": "model /nowhere/model is not on this machine",
        "sentence · faiss": "unknown retriever 'faiss'",
        "sentence · dense+cohere@50": "unknown reranker 'cohere'",
        "sentence · dense+cross-encoder:/nowhere/model@50": "model /nowhere/model is not on this machine",
    }
    assert reasons.keys() == expected.keys()
    assert all(expected[key] in reason for key, reason in reasons.items())


def test_the_grids_k_is_the_reports_cut_off() -> None:
    report = build_report(run(inputs(k=3)))
    assert report.corpus_summary.top_k == 3
    assert {len(q.retrieved) for row in report.strategy_results for q in row.per_question} == {3}


STAGED: dict[str, Any] = {
    "mode": "staged",
    "chunker": ["fixed:200", "sentence:1"],
    "index": ["dense", "bm25"],
    "reranker": [None, "lexical"],
}


def prefer(*wanted: str) -> Any:
    return lambda cell, _chunks: float(cell.configuration.key in wanted)


def test_a_staged_run_goes_on_from_the_best_cell_of_each_stage() -> None:
    record = run(inputs(**STAGED), score=prefer("sentence · dense", "sentence · bm25"))
    assert keys(record.cells) == [
        "fixed · dense",
        "sentence · dense",
        "sentence · bm25",
        "sentence · dense+lexical@50",
    ]
    assert record.complete
    other = run(inputs(**STAGED), score=prefer("fixed · dense", "fixed · bm25"))
    assert keys(other.cells)[2:] == ["fixed · bm25", "fixed · dense+lexical@50"]


def test_a_staged_run_goes_by_the_recall_of_the_report_unless_told_otherwise() -> None:
    # The passage is in the one chunk of each document; with chunks of 3 tokens it is in none.
    record = run(inputs(**{**STAGED, "chunker": ["fixed:3,overlap=0", "fixed:200"]}))
    assert keys(record.cells)[2:] == ["fixed:200 · bm25", "fixed:200 · dense+lexical@50"]


def test_a_staged_run_goes_by_its_headline_metric() -> None:
    # One chunk of a whole document holds the passage and much besides; a sentence holds little else.
    axes = {**STAGED, "reranker": None}
    assert keys(run(inputs(**axes, headline="recall@1")).cells)[2:] == ["fixed · bm25"]
    assert keys(run(inputs(**axes, headline="char_recall@1")).cells)[2:] == ["fixed · bm25"]
    assert keys(run(inputs(**axes, headline="char_precision@1")).cells)[2:] == ["sentence · bm25"]


@pytest.mark.parametrize(
    ("headline", "words"),
    [
        (
            "recal@5",
            "grid.headline is 'recal@5'; expected a metric and a cut-off, as recall@5; known metrics: ",
        ),
        ("recall", "known metrics: recall, precision, hit_rate, mrr, map, ndcg, char_recall"),
        ("recall@0", "expected a metric and a cut-off"),
        ("tokens@5", "expected a metric and a cut-off"),
        ("gold_recall@9", "grid.headline is gold_recall@9; gold_recall is counted up to the run's k, 2: "),
    ],
)
def test_a_headline_that_is_no_metric_is_refused_before_the_run(headline: str, words: str) -> None:
    with pytest.raises(SettingsError) as refused:
        run(inputs(headline=headline))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_staged_run_that_was_stopped_goes_on_to_the_same_end(tmp_path: Path) -> None:
    given = inputs(**STAGED)
    score = prefer("sentence · dense", "sentence · bm25")
    whole = run(given, score=score)

    class Stopping(RunStore):
        calls = 0

        def progress(self, stage: Stage, done: int, total: int) -> None:
            self.calls += stage is Stage.SEARCH
            if self.calls == self.limit:
                raise RunCancelledError("stopped")

        limit = 0

    start = run_configurations(given)
    for limit in range(1, 7):
        store = Stopping(tmp_path / str(limit), start)
        store.limit = limit
        try:
            run_grid(given, store, score=score)
        except RunCancelledError:
            assert not load_record(store.folder, given, start).complete
            run_grid(given, RunStore(store.folder, start), score=score)
        record = load_record(store.folder, given, start)
        assert record.complete
        assert record.cells == whole.cells


def run_configurations(given: RunInputs) -> Any:
    from evalcore.grid import grid_of

    return grid_of(given.settings).configurations


def test_a_staged_run_that_has_not_begun_is_not_complete(tmp_path: Path) -> None:
    given = inputs(**STAGED)
    assert not load_record(tmp_path, given, ()).complete


def test_a_budget_ends_the_run_after_the_cell_in_flight() -> None:
    record = run(within(1e-9, inputs(index=["dense", "bm25"])))
    assert keys(record.cells) == ["sentence · dense"]
    assert not record.complete
    staged = run(within(1e-9, inputs(**STAGED)))
    assert keys(staged.cells) == ["fixed · dense"]
    assert not staged.complete
    whole = run(within(600, inputs(index=["dense", "bm25"])))
    assert whole.complete
    assert whole.cells == run(inputs(index=["dense", "bm25"])).cells


def test_a_budget_spends_no_time_on_chunks_of_cells_it_does_not_reach() -> None:
    given = within(1e-9, inputs(chunker=["sentence:1", "fixed:3,overlap=0"], mode="factorial"))
    assert list(run(given).chunk_sets) == ["sentence"]


def test_a_run_with_a_budget_goes_on_where_it_stopped_with_a_fresh_one(tmp_path: Path) -> None:
    given = within(1e-9, inputs(**STAGED))
    start = run_configurations(given)
    found = []
    for _ in range(4):
        is_whole = run_grid(given, RunStore(tmp_path, start))
        record = load_record(tmp_path, given, start)
        found.append((is_whole, record.complete, len(record.cells)))
    assert found == [(False, False, 1), (False, False, 2), (False, False, 3), (True, True, 4)]
    assert record.cells == run(inputs(**STAGED)).cells


def within(seconds: float, given: RunInputs) -> RunInputs:
    settings = given.settings.model_copy(update={"budget_seconds": seconds})
    return replace(given, settings=settings)


def test_a_slow_reranker_can_be_cancelled_between_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    class Slow:
        def rerank(self, query: str, candidates: Ranking, texts: Any, k: int) -> Ranking:
            time.sleep(0.3)
            seen.append(1)
            return Ranking(candidates.chunks[:k], np.zeros(min(k, len(candidates))))

    def stop(stage: Stage, _done: int, _total: int) -> None:
        if seen:
            raise RunCancelledError("stopped")

    monkeypatch.setattr("evalcore.run.shelf.build_reranker", lambda _spec: Slow())
    with pytest.raises(RunCancelledError):
        run(inputs(reranker="mmr"), MemorySink(stop))
    assert len(seen) == 1


def test_measures_and_rankings_are_kept_on_disk(tmp_path: Path) -> None:
    given = inputs(index=["dense", "bm25"], reranker=[None, "lexical"])
    start = run_configurations(given)
    memory = MemorySink()

    class Both(RunStore):
        def cell(self, cell: CellResult) -> None:
            super().cell(cell)
            memory.cell(cell)

        def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
            super().chunks(strategy, chunk_set)
            memory.chunks(strategy, chunk_set)

    run_grid(given, Both(tmp_path, start))
    read, held = load_record(tmp_path, given, start), memory.record(given)
    assert read == held
    assert [cell.measures for cell in read.cells] == [cell.measures for cell in held.cells]
    assert [cell.rankings for cell in read.cells] == [cell.rankings for cell in held.cells]
