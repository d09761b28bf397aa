"""Plug-ins in runs: a fault fails its cells only, vectors are remembered, another process may know others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.document import Corpus, MediaType
from evalcore.embedding.cache import VectorCache
from evalcore.embedding.registry import build_embedder
from evalcore.errors import PluginError, RunCancelledError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.plugins import register_chunker, register_embedder, register_index, register_reranker
from evalcore.report.build import build_report
from evalcore.report.stored import load_report
from evalcore.results.stored import keep_results
from evalcore.retrieval.base import Ranking
from evalcore.run.engine import run_grid
from evalcore.run.inputs import read_inputs
from evalcore.run.launch import LOCK
from evalcore.run.lease import acquire
from evalcore.run.memory import MemorySink
from evalcore.run.record import RunInputs, RunRecord, Stage
from evalcore.run.worker import ENGINE, Worker
from evalcore.settings import Settings
from evalcore.workspace import CellState, RunStatus, Workspace
from tests.plugins.support import ROOT, Cut, forget_plugins, lines, publish
from tests.run.helpers import state_of

TEXT = "The cellar holds tea.\n\nThe attic holds salt.\n\nThe garage holds ink.\n"
QUESTIONS = EvalSet(
    "q",
    (
        EvalItem("q1", "What does the attic hold?", [GoldAnchor("house", "The attic holds salt")]),
        EvalItem("q2", "What does the garage hold?", [GoldAnchor("house", "The garage holds ink")]),
    ),
)
HERE = "registered in this process"


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin with our own methods only."""
    forget_plugins(monkeypatch)


def run(cache_path: Path | None = None, sink: MemorySink | None = None, **axes: Any) -> RunRecord:
    grid = {
        "chunker": "sentence:1",
        "embedder": "tfidf",
        "index": "bm25",
        "mode": "factorial",
        "k": 2,
        **axes,
    }
    corpus = Corpus.from_texts({"house": TEXT}, MediaType.TEXT)
    given = RunInputs(corpus, QUESTIONS, Settings.from_dict({"grid": grid}))
    sink = sink or MemorySink()
    run_grid(given, sink, cache_path=cache_path)
    return sink.record(given)


def only_failure(record: RunRecord, finished: int = 1) -> str:
    assert record.complete
    assert len(record.cells) == finished
    assert len(record.failed) == 1
    assert "\n" not in record.failed[0].reason
    return record.failed[0].reason


def fails(*_given: object) -> Any:
    raise RuntimeError("bad\nluck")


def interrupts(*_given: object) -> Any:
    raise RunCancelledError("cancelled")


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (fails, "failed, cutting 'house': RuntimeError: bad luck"),
        (Cut([(0, 900)]), "cut 'house' wrongly: found 0..900; expected ranges inside 0..68"),
        (Cut([(5, 5)]), "found 5..5; expected ranges inside 0..68 that are not empty"),
        (Cut([(4, 9), (0, 4)]), "found 0..4 after 4..9; expected ranges in order of start, each once"),
        (Cut([(0, 9), (0, 9)]), "found 0..9 twice; expected ranges in order of start, each once"),
        (Cut([(0, 21), (21, 23)]), "found only white space at 21..23; expected chunks that hold something"),
        (Cut(["The cellar"]), "cut 'house' into ['The cellar']; expected pairs (start, end)"),
        (Cut([(0, 9.5)]), "cut 'house' into [(0, 9.5)]; expected pairs (start, end)"),
        (Cut(None), "failed, cutting 'house': TypeError"),
    ],
)
def test_a_chunkers_fault_fails_its_cells_and_no_others(made: Any, reason: str) -> None:
    register_chunker("mine", lambda: made)
    found = only_failure(run(chunker=["mine", "sentence:1"]))
    assert found.startswith(f"chunker mine ({HERE})")
    assert reason in found


class Rows:
    """An embedder that gives what it was made with; counts what it was asked for."""

    def __init__(self, give: Any) -> None:
        self.give = give
        self.asked: list[tuple[str, str]] = []

    def encode(self, texts: list[str], role: str) -> Any:
        self.asked += [(text, role) for text in texts]
        return self.give(texts)


def counts(texts: Sequence[str]) -> Any:
    return [[text.count(letter) + 0.5 for letter in "aeiou"] for text in texts]


@pytest.mark.parametrize(
    ("give", "reason"),
    [
        (fails, "failed, embedding 3 texts as passage: RuntimeError: bad luck"),
        (lambda texts: np.full((len(texts), 3), np.nan), "gave NaN or infinity for 'The cellar holds tea."),
        (lambda texts: np.full((len(texts), 3), np.inf), "gave NaN or infinity for 'The cellar holds tea."),
        (lambda texts: np.zeros((len(texts), 3)), "gave a zero row for 'The cellar holds tea."),
        (lambda texts: np.ones((1, 3)), "of shape (1, 3) for 3 texts; expected numbers of shape (3, dim"),
        (lambda texts: np.ones(3), "of shape (3,) for 3 texts"),
        (lambda texts: np.ones((len(texts), 0)), "gave a zero row"),
        (lambda texts: [["a"]] * len(texts), "gave <U1 of shape (3, 1) for 3 texts; expected numbers"),
        (lambda texts: [[1.0]] * (len(texts) - 1) + [[1.0, 2.0]], "failed, embedding 3 texts as passage"),
        (lambda texts: np.ones((len(texts), len(texts))), "gave rows of 2 numbers after rows of 3"),
        (lambda texts: None, "of shape () for 3 texts"),
    ],
)
def test_an_embedders_fault_fails_its_cells_and_no_others(give: Any, reason: str) -> None:
    register_embedder("mine", lambda: Rows(give))
    found = only_failure(run(embedder=["mine", "tfidf"], index="dense"))
    assert found.startswith(f"embedder mine ({HERE})")
    assert reason in found


class Found:
    """An index that gives the same ranking for every query."""

    def __init__(self, ranking: Any) -> None:
        self.ranking = ranking

    def search(self, queries: list[str], k: int) -> Any:
        return [self.ranking for _ in queries]


def ranking(chunks: Sequence[int], scores: Sequence[float]) -> Ranking:
    return Ranking(np.array(chunks, dtype=np.int64), np.array(scores, dtype=np.float64))


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (5, "made int; expected an object with search(queries, k)"),
        (Found(ranking([0, 0], [2, 1])), "ranked chunk 0 twice; expected each once (query 'What does the"),
        (Found(ranking([0, 7], [2, 1])), "ranked chunk 7, which is not among the 3 of its corpus"),
        (Found(ranking([0, -1], [2, 1])), "ranked chunk -1, which is not among the 3 of its corpus"),
        (Found(ranking([0, 1], [2, np.nan])), "a chunk with a score that is NaN or infinite"),
        (Found(ranking([0, 1], [1, 2])), "ranked scores that rise; expected the best first"),
        (Found(ranking(range(30), np.zeros(30))), "ranked 30 chunks; expected 20 at most"),
        (Found(ranking([0, 1], [1])), "expected Ranking(chunks, scores): whole numbers and as many scores"),
        (Found([(0, 1.0)]), "gave list for a ranking"),
        (Cut([]), "expected an object with search(queries, k)"),
    ],
)
def test_an_indexs_fault_fails_its_cells_and_no_others(made: Any, reason: str) -> None:
    register_index("mine", lambda texts, space: made)
    found = only_failure(run(index=["mine", "bm25"]))
    assert found.startswith(f"index mine ({HERE})")
    assert reason in found


class Ordered:
    def __init__(self, give: Any) -> None:
        self.give = give

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Any:
        return self.give(candidates)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (Ordered(fails), "failed, reranking for 'What does the attic hold?': RuntimeError: bad luck"),
        (Ordered(lambda _: ranking([99], [1])), "ranked chunk 99, which was not among its candidates"),
        (Ordered(lambda c: ranking([*c.chunks[:1]] * 2, [2, 1])), "twice; expected each once"),
        (Ordered(lambda c: ranking(c.chunks, c.scores * np.nan)), "with a score that is NaN or infinite"),
        (Ordered(lambda c: c.chunks), "gave ndarray for a ranking"),
        (lambda query, text: float("nan"), "with a score that is NaN or infinite"),
        (lambda query: 1.0, "failed, reranking for 'What does the attic hold?': TypeError"),
    ],
)
def test_a_rerankers_fault_fails_its_cells_and_no_others(made: Any, reason: str) -> None:
    register_reranker("mine", lambda: made)
    found = only_failure(run(reranker=["mine", None]))
    assert found.startswith(f"reranker mine ({HERE})")
    assert reason in found


def test_a_report_says_which_plugin_failed_and_how() -> None:
    register_chunker("mine", lambda: fails)
    report = build_report(run(chunker=["mine", "sentence:1"]))
    assert [failed.strategy for failed in report.failed or ()] == ["mine"]
    assert report.warnings[0].startswith(f"mine · bm25 could not be computed: chunker mine ({HERE}) failed")


def test_a_cancel_goes_through_a_plugin() -> None:
    register_chunker("mine", lambda: interrupts)
    with pytest.raises(RunCancelledError):
        run(chunker=["mine", "sentence:1"])


def test_a_cancel_is_heard_between_two_batches_of_an_embedder() -> None:
    rows = Rows(counts)
    register_embedder("mine", lambda: rows)
    embedder = build_embedder("mine")

    def stop(done: int, _total: int) -> None:
        if done:
            raise RunCancelledError("cancelled")

    with pytest.raises(RunCancelledError):
        embedder.space([f"text {n}" for n in range(200)], stop)
    assert len(rows.asked) == 64


def test_each_distinct_text_is_embedded_once_per_run_and_role() -> None:
    """Three sentences, which `fixed` of 100 tokens holds in one chunk, and two questions."""
    rows = Rows(counts)
    register_embedder("mine", lambda: rows)
    record = run(
        chunker=["sentence:1", "sentence:1,overlap=0", "fixed:100"],
        embedder="mine",
        index=["dense", "hybrid"],
        reranker=[None, "mmr"],
    )
    assert len(record.failed) == 0
    assert len(rows.asked) == len(set(rows.asked))
    assert sorted(role for _, role in rows.asked) == ["passage"] * 4 + ["query"] * 2


@pytest.mark.parametrize(("version", "asked"), [(None, 5), (1, 0)])
def test_vectors_are_kept_between_runs_only_of_a_plugin_with_a_version(
    tmp_path: Path, version: int | None, asked: int
) -> None:
    rows = [Rows(counts), Rows(counts), Rows(counts)]
    for row in rows[:2]:
        register_embedder("mine", lambda row=row: row, version=version, replace=True)
        run(tmp_path / "vectors.sqlite", embedder="mine", index="dense")
    assert (len(rows[0].asked), len(rows[1].asked)) == (5, asked)
    register_embedder("mine", lambda: rows[2], version=2, replace=True)
    run(tmp_path / "vectors.sqlite", embedder="mine", index="dense")
    assert len(rows[2].asked) == 5


def test_vectors_of_other_parameters_are_others(tmp_path: Path) -> None:
    asked: list[int] = []

    def make(size: int = 2) -> Any:
        return lambda texts, role: asked.append(size) or np.ones((len(texts), size))

    register_embedder("mine", make, version=1)
    run(tmp_path / "vectors.sqlite", embedder=["mine:2", "mine:3", "mine"], index="dense")
    # "mine" is "mine:2" with its default; passages and questions are asked for in one call each.
    assert asked == [2, 2, 3, 3]


def test_rows_need_not_be_scaled() -> None:
    """(3, 4) has length 5: it becomes (0.6, 0.8); huge and tiny numbers keep their direction."""
    given = {"a": [3.0, 4.0], "b": [3e300, 4e300], "c": [3e-300, 4e-300], " ": [0.0, 0.0]}
    register_embedder("mine", lambda: lambda texts, role: [given[text] for text in texts])
    rows = build_embedder("mine").space(list(given)).passages
    assert rows.dtype == np.float32
    assert rows[:3] == pytest.approx(np.array([[0.6, 0.8]] * 3), abs=1e-7)
    assert rows[3].tolist() == [0.0, 0.0]


def test_a_row_of_another_length_than_those_that_are_kept_is_refused(tmp_path: Path) -> None:
    register_embedder("mine", lambda: lambda texts, role: np.ones((len(texts), 2)), version=1)
    run(tmp_path / "vectors.sqlite", embedder="mine", index="dense")
    register_embedder("mine", lambda: lambda texts, role: np.ones((len(texts), 3)), version=1, replace=True)
    embedder = build_embedder("mine", cache=VectorCache(tmp_path / "vectors.sqlite"))
    with pytest.raises(PluginError, match="gave rows of 3 numbers after rows of 2"):
        embedder.space(["The cellar holds tea.", "another text"])


def started(workspace: Workspace, **axes: Any) -> str:
    project = workspace.create_project("House").id
    workspace.add_files(project, [("house.txt", TEXT.encode())])
    workspace.save_questions(project, QUESTIONS)
    grid = {"chunker": "sentence:1", "embedder": "tfidf", "index": "bm25", "mode": "factorial", **axes}
    workspace.save_settings(project, Settings.from_dict({"grid": grid}))
    return workspace.start_run(project)


def carry_out(workspace: Workspace) -> None:
    lease = acquire(workspace.root / LOCK, 1.0)
    assert lease is not None
    Worker(workspace, ENGINE, idle=0.0).serve()
    lease.release()


def in_another_process(workspace: Workspace, site: Path) -> None:
    """Serve the workspace as the dashboard's worker does, with `site` among its installed packages."""
    done = subprocess.run(
        [sys.executable, "-m", "evalcore.run.worker", "--home", str(workspace.root)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)]),
            "EVALGRID_WORKER_IDLE": "0.01",
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def cells(workspace: Workspace, run_id: str) -> dict[str, CellState]:
    return {cell.key: cell for cell in state_of(workspace, run_id).cells}


def test_the_worker_finds_entry_points_and_fails_what_is_registered_by_name(
    queue: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "def make(size=1):\n"
        "    return lambda text: [(i, i + size) for i in range(len(text)) if text[i].strip()]\n"
    )
    publish(
        tmp_path / "site", "letters", {"letters": code}, {"evalgrid.chunkers": {"letters": "letters:make"}}
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    register_chunker("here", lambda size=5: lines)
    run_id = started(queue, chunker=["letters:size=1", "here:size=5", "here:6", "sentence:1"])
    in_another_process(queue, tmp_path / "site")
    state = state_of(queue, run_id)
    assert state.status is RunStatus.FINISHED
    found = cells(queue, run_id)
    assert {key: cell.state for key, cell in found.items()} == {
        "letters · bm25": "done",
        "here:5 · bm25": "failed",
        "here:6 · bm25": "failed",
        "sentence · bm25": "done",
    }
    assert found["here:5 · bm25"].reason == (
        f"chunker here ({HERE}) is not known to this process; a run in the background finds entry points "
        "only: publish it (docs/plugins.md)"
    )
    # Every visible character of "The cellar holds tea." and its two neighbours: 18 + 18 + 18.
    assert len(queue.record(run_id).chunk_sets["letters"]) == 54


@pytest.mark.parametrize(
    ("register", "axes"),
    [
        (lambda: register_chunker("here", lambda: lines), {"chunker": "here"}),
        (
            lambda: register_embedder("here", lambda size=2: lambda texts, role: counts(texts)),
            {"embedder": "here:size=2", "index": "dense"},
        ),
        (lambda: register_index("here", lambda texts, space: Found(ranking([0], [1]))), {"index": "here"}),
        (lambda: register_reranker("here", lambda: lambda query, text: 1.0), {"reranker": "here"}),
    ],
)
def test_a_run_of_nothing_but_unknown_plugins_is_a_failed_cell_with_a_reason(
    queue: Workspace, monkeypatch: pytest.MonkeyPatch, register: Any, axes: dict[str, str]
) -> None:
    register()
    run_id = started(queue, **axes)
    forget_plugins(monkeypatch)
    carry_out(queue)
    (cell,) = cells(queue, run_id).values()
    assert cell.state == "failed"
    assert f"here ({HERE}) is not known to this process" in cell.reason


def test_a_staged_run_without_one_of_its_plugins_does_not_begin(
    queue: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    register_reranker("here", lambda: lambda query, text: 1.0)
    run_id = started(queue, mode="staged", index=["bm25", "dense"], reranker=[None, "here"])
    forget_plugins(monkeypatch)
    carry_out(queue)
    state = state_of(queue, run_id)
    assert state.status is RunStatus.FAILED
    assert state.reason.startswith(f"reranker here ({HERE}) is not known to this process")


def test_a_version_is_part_of_what_a_run_is(queue: Workspace) -> None:
    register_chunker("mine", lambda: lines, version=1)
    first = started(queue, chunker=["mine", "sentence:1"])
    assert read_inputs(queue.run_folder(first)).plugins == {"chunker mine": f"{HERE}, version 1"}
    project = queue.known_run(first).project_id
    assert queue.start_run(project) == first
    register_chunker("mine", lambda: lines, version=2, replace=True)
    second = queue.start_run(project)
    assert second != first
    carry_out(queue)
    assert cells(queue, second)["mine · bm25"].state == "done"
    cell = cells(queue, first)["mine · bm25"]
    assert cell.state == "failed"
    assert cell.reason == (
        f"chunker mine was {HERE}, version 1 when this run began and is {HERE}, version 2 now; "
        "start a new run"
    )


def test_runs_without_plugins_are_written_as_before(queue: Workspace) -> None:
    run_id = started(queue)
    assert "plugins" not in (queue.run_folder(run_id) / "inputs.json").read_text()


def test_a_finished_run_opens_when_its_plugins_are_gone(
    queue: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    register_chunker("mine", lambda size=5: lines)
    register_reranker("longest", lambda: lambda query, text: float(len(text)))
    run_id = started(queue, chunker="mine:size=4", reranker="longest")
    carry_out(queue)
    before = load_report(queue, run_id)
    forget_plugins(monkeypatch)
    assert "mine" not in CHUNKERS
    after = load_report(queue, run_id)
    assert [(r.strategy, r.retriever, r.recall_at_k) for r in after.strategy_results] == [
        (r.strategy, r.retriever, r.recall_at_k) for r in before.strategy_results
    ]
    assert after.strategy_results[0].config == {"size": 4}
    assert [r.configuration.label for r in keep_results(queue, run_id)] == [
        "auto · mine:size=4 · bm25 · longest@50"
    ]


def test_progress_counts_the_texts_of_a_plugin() -> None:
    register_embedder("mine", lambda: Rows(counts))
    heard: list[tuple[Stage, int, int]] = []
    run(sink=MemorySink(lambda *told: heard.append(told)), embedder="mine", index="dense")
    assert (Stage.EMBED, 5, 5) in heard
