"""The engine: what is shared is made once, what fails fails alone, what is finished stays."""

from __future__ import annotations

import pytest

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus, MediaType
from evalcore.errors import InputError, RunCancelledError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.run import shelf
from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import RunInputs, RunRecord, Stage
from evalcore.settings import Settings

TEXTS = {
    "warranty": "# Warranty\n\nThe warranty lasts 24 months from delivery.\n\nClaims are made in writing.\n",
    "returns": "# Returns\n\nGoods can be returned within 30 days.\n\nThe buyer pays for the parcel.\n",
}
QUESTIONS = EvalSet(
    "q",
    (
        EvalItem("q1", "How long does the warranty last?", [GoldAnchor(None, "lasts 24 months")]),
        EvalItem("q2", "zebra quartz", [GoldAnchor(None, "within 30 days")]),
        EvalItem("q3", "not scored"),
    ),
)


def inputs(texts: dict[str, str] = TEXTS, evalset: EvalSet = QUESTIONS, **changes: object) -> RunInputs:
    chosen = {
        "embedding": {"model": "hash"},
        "retrieval": {"compare": ["dense", "bm25", "hybrid"]},
        "strategies": [{"name": "structure"}, {"name": "fixed", "params": {"chunk_size": 8}}],
        **changes,
    }
    return RunInputs(Corpus.from_texts(texts, MediaType.MARKDOWN), evalset, Settings.from_dict(chosen))


def run(given: RunInputs, sink: MemorySink | None = None) -> RunRecord:
    sink = sink or MemorySink()
    run_grid(given, sink)
    return sink.record(given)


def test_every_cell_scores_every_question_with_gold() -> None:
    record = run(inputs())
    assert record.complete
    assert [cell.configuration.key for cell in record.cells] == [
        f"{s} · {r}" for s in ("structure", "fixed") for r in ("dense", "bm25", "hybrid")
    ]
    assert all([o.question_id for o in cell.outcomes] == ["q1", "q2"] for cell in record.cells)


def test_bm25_brings_nothing_back_for_words_that_stand_nowhere() -> None:
    cells = {cell.configuration.key: cell for cell in run(inputs()).cells}
    nothing = cells["structure · bm25"].outcomes[1]
    assert (nothing.chunks, nothing.found, nothing.first_hit_rank, nothing.tokens) == ((), (), None, 0)
    found = cells["structure · bm25"].outcomes[0]
    assert (found.found, found.first_hit_rank, found.is_hit[0]) == ((0,), 1, True)


def test_a_model_that_is_not_here_fails_its_cells_and_no_others() -> None:
    record = run(inputs(embedding={"model": "/nowhere/model"}))
    assert [cell.configuration.key for cell in record.cells] == ["structure · bm25", "fixed · bm25"]
    assert [cell.configuration.index for cell in record.failed] == ["dense", "hybrid"] * 2
    assert all("/nowhere/model" in cell.reason and "\n" not in cell.reason for cell in record.failed)
    assert record.complete


def test_a_fault_of_ours_in_one_cell_is_one_failed_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    made = shelf.build_retriever

    def breaking(name: str, *args: object, **kwargs: object) -> object:
        if name == "bm25":
            raise ZeroDivisionError("division\nby zero")
        return made(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(shelf, "build_retriever", breaking)
    record = run(inputs())
    assert [cell.configuration.index for cell in record.cells] == ["dense", "dense"]
    assert {cell.reason for cell in record.failed} == {
        f"{s} · {r} failed: ZeroDivisionError: division by zero"
        for s in ("structure", "fixed")
        for r in ("bm25", "hybrid")
    }


def test_what_is_finished_is_not_computed_again() -> None:
    sink = MemorySink()
    first = run(inputs(), sink)
    again = MemorySink()
    for cell in first.cells[:4]:
        again.cell(cell)
    begun: list[str] = []
    again.running = lambda configuration: begun.append(configuration.key)  # type: ignore[method-assign]
    run_grid(inputs(), again)
    assert begun == ["fixed · bm25", "fixed · hybrid"]
    assert again.record(inputs()).cells == first.cells


def test_progress_counts_up_to_its_total_in_every_stage() -> None:
    heard: dict[Stage, list[tuple[int, int]]] = {}
    sink = MemorySink(lambda stage, done, total: heard.setdefault(stage, []).append((done, total)))
    run(inputs(strategies=[{"name": "semantic"}, {"name": "fixed"}]), sink)
    for stage, steps in heard.items():
        assert len({total for _, total in steps}) == 1, stage
        assert [done for done, _ in steps] == sorted(done for done, _ in steps)
        assert steps[-1][0] == steps[-1][1]
    assert heard[Stage.SEARCH][-1] == (6, 6)


def test_cancelling_ends_the_run_where_it_is() -> None:
    def stop(stage: Stage, done: int, _total: int) -> None:
        if stage is Stage.SEARCH and done == 2:
            raise RunCancelledError("asked to stop")

    sink = MemorySink(stop)
    with pytest.raises(RunCancelledError):
        run_grid(inputs(), sink)
    record = sink.record(inputs())
    assert len(record.cells) == 2
    assert not record.complete


def test_chunks_are_kept_once_per_strategy() -> None:
    kept: list[str] = []

    class Counting(MemorySink):
        def chunks(self, strategy: str, chunk_set: ChunkSet) -> None:
            kept.append(strategy)
            super().chunks(strategy, chunk_set)

    run(inputs(), Counting())
    assert kept == ["structure", "fixed"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (inputs(texts={"empty": " \n"}), "no document has readable text"),
        (inputs(evalset=EvalSet("none", (EvalItem("q", "What?"),))), "no question has a gold passage"),
    ],
)
def test_nothing_to_read_or_to_score_is_refused(given: RunInputs, words: str) -> None:
    with pytest.raises(InputError, match=words):
        run(given)
