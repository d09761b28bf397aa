"""What a run may start from, and runs that come from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcore.errors import InputError, ReportError, SettingsError, WorkspaceError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.models import EvalReport
from evalcore.run.record import Stage
from evalcore.run.store import RunStore
from evalcore.settings import GridSettings, Settings
from evalcore.workspace import RunStatus, StageState, Workspace
from evalcore.workspace.states import seconds_left
from tests.run.fake_engine import quick
from tests.run.helpers import TEXTS, filled, state_of


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Open a workspace that starts no worker: its runs wait."""
    monkeypatch.setattr("evalcore.workspace.runs.ensure_worker", lambda *_: None)
    return Workspace(tmp_path / "home")


def test_a_run_needs_documents_with_text(workspace: Workspace) -> None:
    project = workspace.create_project("P").id
    with pytest.raises(InputError, match="no document of this project has text"):
        workspace.start_run(project)
    workspace.add_files(project, [("blank.txt", b" \n")])
    with pytest.raises(InputError, match="no document of this project has text"):
        workspace.start_run(project)


def test_a_run_needs_questions_with_gold(workspace: Workspace) -> None:
    project = workspace.create_project("P").id
    workspace.add_files(project, list(TEXTS.items()))
    with pytest.raises(InputError, match="no questions; add some"):
        workspace.start_run(project)
    workspace.save_questions(project, EvalSet("set", (EvalItem("q", "Why?"),)))
    with pytest.raises(InputError, match="nothing to score"):
        workspace.start_run(project)


def test_question_errors_refuse_a_run_unless_told_otherwise(workspace: Workspace) -> None:
    project = filled(workspace)
    wrong = EvalItem("q", "Why?", [GoldAnchor(None, "It stands nowhere in the documents.")])
    workspace.save_questions(project, EvalSet("set.yaml", (wrong,)))
    with pytest.raises(InputError, match=r"^set\.yaml: question .q."):
        workspace.start_run(project)
    assert workspace.runs(project) == []
    run_id = workspace.start_run(project, skip_validation=True)
    assert state_of(workspace, run_id).questions == 1


def test_a_headline_that_is_no_metric_is_refused(workspace: Workspace) -> None:
    project = filled(workspace, Settings(grid=GridSettings(headline="recal@5")))
    with pytest.raises(SettingsError, match="'recal@5'; expected a metric and a cut-off"):
        workspace.start_run(project)
    assert workspace.runs(project) == []


def test_settings_that_name_an_unknown_method_are_refused(workspace: Workspace) -> None:
    project = filled(workspace, Settings(grid=GridSettings(chunker=("no-such-chunker",))))
    with pytest.raises(SettingsError, match="no-such-chunker"):
        workspace.start_run(project)


def test_a_waiting_run_shows_its_cells(workspace: Workspace) -> None:
    project = filled(workspace)
    run_id = workspace.start_run(project)
    assert workspace.start_run(project) == run_id
    state = state_of(workspace, run_id)
    assert (state.status, state.position, state.is_live) == (RunStatus.QUEUED, 1, True)
    assert (state.name, state.documents, state.questions) == ("Run 1", 2, 4)
    assert [(cell.strategy, cell.retriever, cell.state) for cell in state.cells] == [
        (strategy, retriever, "waiting")
        for strategy in ("fixed", "recursive")
        for retriever in ("dense", "bm25", "hybrid")
    ]
    assert workspace.runs(project) == [state]
    assert not workspace.record(run_id).complete
    with pytest.raises(InputError, match="nothing to resume"):
        workspace.resume_run(run_id)


def test_a_run_is_renamed_noted_and_pinned(workspace: Workspace) -> None:
    run_id = workspace.start_run(filled(workspace))
    workspace.update_run(run_id, name="With overlap", note="for Anna")
    workspace.update_run(run_id, pinned=True)
    state = state_of(workspace, run_id)
    assert (state.name, state.note, state.pinned) == ("With overlap", "for Anna", True)


@pytest.mark.parametrize("call", ["record", "resume_run"])
def test_an_unknown_run_is_said_in_one_line(workspace: Workspace, call: str) -> None:
    with pytest.raises(WorkspaceError, match="there is no run 'nothing'"):
        getattr(workspace, call)("nothing")
    workspace.cancel_run("nothing")


def test_a_lost_worker_without_a_lock_interrupts_its_run(workspace: Workspace) -> None:
    run_id = workspace.start_run(filled(workspace))
    with workspace.database.write() as connection:
        connection.execute("UPDATE runs SET status = 'running', worker = 'gone'")
    assert state_of(workspace, run_id).status is RunStatus.INTERRUPTED


def stage(name: Stage, done: int, total: int, seconds: float) -> StageState:
    return StageState(name, done, total, seconds)


def test_time_left_follows_from_the_rates_so_far() -> None:
    assert seconds_left([]) is None
    assert seconds_left([stage(Stage.EMBED, 0, 100, 0.0)]) is None
    half = [stage(Stage.CHUNK, 5, 5, 2.0), stage(Stage.EMBED, 50, 100, 5.0)]
    assert seconds_left(half) == 5.0
    assert seconds_left([*half, stage(Stage.SEARCH, 1, 3, 0.5)]) == 6.0
    assert seconds_left([stage(Stage.CHUNK, 5, 5, 2.0), stage(Stage.EMBED, 0, 9, 0.0)]) is None
    assert stage(Stage.EMBED, 50, 100, 5.0).rate == 10.0


def finished(workspace: Workspace, project: str) -> str:
    """Carry out a run in this process."""
    run_id = workspace.start_run(project)
    record = workspace.record(run_id)
    quick(record.inputs, RunStore(workspace.run_folder(run_id), configurations(workspace, run_id)))
    with workspace.database.write() as connection:
        connection.execute("UPDATE runs SET status = 'finished' WHERE id = ?", (run_id,))
    return run_id


def configurations(workspace: Workspace, run_id: str) -> tuple:  # type: ignore[type-arg]
    from evalcore.run.inputs import read_inputs

    return read_inputs(workspace.run_folder(run_id)).configurations


def example(workspace: Workspace, folder: Path) -> str:
    """Write an example folder as it ships; return the run that is in it."""
    run_id = finished(workspace, filled(workspace))
    workspace.export_run(run_id, folder / "run")
    (folder / "docs").mkdir()
    for name, data in TEXTS.items():
        (folder / "docs" / name).write_bytes(data)
    return run_id


def test_the_example_is_loaded_with_its_run_and_without_reading_a_file(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = example(workspace, tmp_path / "example")
    fresh = Workspace(tmp_path / "fresh")
    monkeypatch.setattr("evalcore.corpus.sandbox.ReadingChild.read", lambda *_: pytest.fail("read a file"))
    project, run_id = fresh.load_example(tmp_path / "example")
    state = state_of(fresh, run_id)
    assert (state.status, state.name) == (RunStatus.FINISHED, "Run 1")
    assert {cell.state for cell in state.cells} == {"done"}
    assert fresh.record(run_id) == workspace.record(original)
    assert fresh.corpus(project) == workspace.record(original).inputs.corpus
    assert fresh.questions(project) == workspace.record(original).inputs.evalset
    assert [row.doc_id for row in fresh.files(project)] == ["returns", "warranty"]


def test_the_example_is_loaded_once_and_anew_after_it_was_deleted(
    workspace: Workspace, tmp_path: Path
) -> None:
    example(workspace, tmp_path / "example")
    fresh = Workspace(tmp_path / "fresh")
    first = fresh.load_example(tmp_path / "example")
    assert fresh.load_example(tmp_path / "example") == first
    fresh.delete_project(first[0])
    again = fresh.load_example(tmp_path / "example")
    assert again[0] != first[0]
    assert len(fresh.projects()) == 1


def test_a_copy_without_the_example_says_so(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="the example's run is not in"):
        workspace.load_example(tmp_path / "nothing")


REPORT = {
    "schema_version": "1.5",
    "corpus_summary": {
        "num_documents": 3,
        "num_questions": 9,
        "num_scored_questions": 8,
        "embedding_model": "m",
        "top_k": 5,
        "ranking_metric": "recall_at_k",
    },
    "strategy_results": [
        {
            "strategy": "fixed",
            "recall_at_k": 0.5,
            "hit_rate_at_k": 0.5,
            "mrr": 0.5,
            "precision_at_k": 0.1,
            "chunk_health": {
                "num_chunks": 2,
                "tokens_min": 1,
                "tokens_median": 1,
                "tokens_mean": 1,
                "tokens_max": 1,
                "pct_tiny": 1,
                "pct_oversized": 0,
                "boundary_health": 1,
            },
        }
    ],
    "recommendation": "None.",
    "generated_at": "2026-01-01T00:00:00+00:00",
    "something_new": True,
}


def test_a_report_is_kept_once_and_shown_as_a_finished_run(workspace: Workspace) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(REPORT).encode()
    run_id = workspace.open_report(data, "C:/x/report.json")
    assert workspace.open_report(data, "again.json") == run_id
    state = state_of(workspace, run_id)
    assert (state.kind, state.status, state.name) == ("report", RunStatus.FINISHED, "report.json")
    assert (state.documents, state.questions, state.cells, state.can_resume) == (3, 8, (), False)
    assert [r.id for r in workspace.runs(state.project_id)] == [run_id]
    kept = (workspace.run_folder(run_id) / "report.json").read_bytes()
    assert EvalReport.model_validate_json(kept.removeprefix(b"\xef\xbb\xbf")).recommendation == "None."
    with pytest.raises(InputError, match="a report that was opened"):
        workspace.record(run_id)
    with pytest.raises(InputError, match="nothing to resume"):
        workspace.resume_run(run_id)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", r"r\.json: not a report\.json"),
        (b"[1]", r"r\.json: not a report\.json"),
        (json.dumps(REPORT).encode()[:-30], r"r\.json: not a report\.json"),
        (
            json.dumps(REPORT | {"schema_version": "2.0"}).encode(),
            r"schema '2\.0'; this program opens schema 1\.x",
        ),
        (json.dumps(REPORT | {"recommendation": 7}).encode(), r"field recommendation: "),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(workspace: Workspace, content: bytes, said: str) -> None:
    with pytest.raises(ReportError, match=said) as caught:
        workspace.open_report(content, "r.json")
    assert "\n" not in str(caught.value)
    assert workspace.projects() == []
