"""The real engine in the worker: stages, other readings of a PDF, what stays on disk."""

from __future__ import annotations

from typing import Any

import pytest

from evalcore.errors import InputError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.report.stored import load_report
from evalcore.run.engine import run_grid
from evalcore.run.launch import LOCK
from evalcore.run.lease import acquire
from evalcore.run.worker import ENGINE, Worker
from evalcore.settings import Settings
from evalcore.workspace import RunStatus, Workspace
from tests.corpus.files import pdf_of, text_page
from tests.run.helpers import done, state_of

FILES = [
    ("prices.pdf", pdf_of(text_page("The small box costs nine euros."))),
    ("notes.md", b"# Notes\n\nBoxes are sent on Mondays.\n"),
]
QUESTIONS = EvalSet(
    "q",
    (
        EvalItem("q1", "What does the small box cost?", [GoldAnchor("prices", "costs nine euros")]),
        EvalItem("q2", "When are boxes sent?", [GoldAnchor("notes", "sent on Mondays")]),
    ),
)


def started(workspace: Workspace, budget_seconds: float | None = None, **axes: Any) -> str:
    project = workspace.create_project("Boxes").id
    workspace.add_files(project, FILES)
    workspace.save_questions(project, QUESTIONS)
    grid = {"chunker": "sentence:1", "embedder": "tfidf", "index": "dense", **axes}
    workspace.save_settings(project, Settings.from_dict({"grid": grid, "budget_seconds": budget_seconds}))
    return workspace.start_run(project)


def carry_out(workspace: Workspace) -> None:
    lease = acquire(workspace.root / LOCK, 1.0)
    assert lease is not None
    Worker(workspace, ENGINE, idle=0.0).serve()
    lease.release()


def test_the_cells_of_later_stages_show_up_and_the_run_ends_whole(queue: Workspace) -> None:
    run_id = started(
        queue,
        mode="staged",
        chunker=["fixed:3,overlap=0", "sentence:1"],
        index=["dense", "bm25"],
        reranker=[None, "mmr"],
    )
    assert len(state_of(queue, run_id).cells) == 2
    carry_out(queue)
    state = state_of(queue, run_id)
    assert (state.status, done(state)) == (RunStatus.FINISHED, 4)
    assert [cell.key for cell in state.cells] == [
        "fixed · dense",
        "sentence · dense",
        "sentence · bm25",
        "sentence · dense+mmr@50",
    ]
    record = queue.record(run_id)
    assert record.complete
    assert [cell.configuration.key for cell in record.cells] == [cell.key for cell in state.cells]
    assert load_report(queue, run_id).complete


def test_a_run_that_stops_at_its_budget_is_finished_in_part_and_resumes_with_a_fresh_one(
    queue: Workspace,
) -> None:
    run_id = started(queue, 1e-9, index=["dense", "bm25"], reranker=[None, "mmr"], mode="factorial")
    seen = []
    for _ in range(4):
        carry_out(queue)
        state = state_of(queue, run_id)
        report = load_report(queue, run_id)
        seen.append((state.status, state.is_partial, state.can_resume, done(state), report.complete))
        if state.is_partial:
            told = f"stopped at its time budget of 1e-09 s; {done(state)} of 4 configurations"
            assert state.reason == told
            assert report.warnings[0].startswith(f"This run is partial: it finished {done(state)} of 4 conf")
            queue.resume_run(run_id)
    assert seen == [(RunStatus.FINISHED, n < 4, n < 4, n, n == 4) for n in (1, 2, 3, 4)]
    assert state_of(queue, run_id).reason == ""
    with pytest.raises(InputError, match="nothing to resume"):
        queue.resume_run(run_id)


def test_a_staged_run_that_stops_early_says_how_many_cells_there_may_be(queue: Workspace) -> None:
    run_id = started(
        queue, 1e-9, mode="staged", chunker=["fixed:3,overlap=0", "sentence:1"], index=["dense", "bm25"]
    )
    carry_out(queue)
    told = "stopped at its time budget of 1e-09 s; 1 of up to 3 configurations"
    assert state_of(queue, run_id).reason == told
    assert not load_report(queue, run_id).complete


def test_a_pdf_is_read_again_with_layout_and_its_text_is_kept(queue: Workspace) -> None:
    run_id = started(queue, parser=["auto", "pypdf:layout"])
    carry_out(queue)
    record = queue.record(run_id)
    assert [cell.configuration.strategy for cell in record.cells] == ["sentence", "sentence+pypdf:layout"]
    assert record.failed == ()
    for strategy, parser in (("sentence", "auto"), ("sentence+pypdf:layout", "pypdf:layout")):
        texts = {document.id: document.text for document in record.inputs.corpus_under(parser)}
        for chunk in record.chunk_sets[strategy].chunks:
            assert texts[chunk.span.doc_id][chunk.span.start : chunk.span.end] == chunk.text
    before = sorted((queue.root / "texts").rglob("*.json"))
    assert len(before) == 3
    report = load_report(queue, run_id)
    assert {row.strategy for row in report.strategy_results} == {"sentence", "sentence+pypdf:layout"}
    assert sorted((queue.root / "texts").rglob("*.json")) == before


def test_measures_are_in_the_workspace_and_not_in_the_report(queue: Workspace) -> None:
    run_id = started(queue, index=["dense", "bm25"], mode="factorial")
    carry_out(queue)
    measures = [cell.measures for cell in queue.record(run_id).cells]
    assert all(m is not None and len(m.query_ms) == 2 and m.build_ms > 0 for m in measures)
    text = load_report(queue, run_id).model_dump_json()
    assert not any(word in text for word in ("_ms", "index_bytes", "embedding_quality"))


def test_the_worker_names_the_engine_that_exists() -> None:
    module, _, name = ENGINE.partition(":")
    assert (run_grid.__module__, run_grid.__name__) == (module, name)
