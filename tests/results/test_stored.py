"""Results kept in a folder of the run: equal to those just measured, and made anew when they are stale."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import InputError, WorkspaceError
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.results import stored
from evalcore.results.build import build_results
from evalcore.results.results import Results
from evalcore.results.stored import FILE, load_results
from evalcore.settings import Settings
from evalcore.workspace import RunStatus, Workspace
from tests.pages.reports import full
from tests.run.conftest import serve
from tests.run.helpers import filled, state_of
from tests.run.test_engine_workspace import carry_out, started


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Open a workspace that starts no worker."""
    monkeypatch.setattr("evalcore.workspace.runs.ensure_worker", lambda *_: None)
    return Workspace(tmp_path / "home")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by one whenever results are measured and not read."""
    calls: list[str] = []

    def counting(record: object) -> Results:
        calls.append("measured")
        return build_results(record)  # type: ignore[arg-type]

    monkeypatch.setattr(stored, "build_results", counting)
    return calls


def views_of(results: Results) -> list[object]:
    """Everything the pages show of results."""
    metric = "recall@5"
    return [
        results.leaderboard(metric, results.metric_names),
        [(run.label, run.configuration, run.metrics, run.cost, run.timings) for run in results],
        [(run.index_bytes, run.chunks, run.embedding_quality, run.headline, run.seed) for run in results],
        [(run.unresolved, run.unreachable, run.split, run.clusters) for run in results],
        [run.scores(name) for run in results for name in results.metric_names],
        results.summary(metric),
        results.composite(metric),
        results.by_type(metric),
        results.type_counts(metric),
        [run.label for run in results.pareto(metric, "tokens@5")],
        results.axis_effect("index", metric),
        (results.qtypes, results.questions, results.clusters, results.failed, results.warnings),
        (results.cache_summary, results.seed, results.partial, results.complete),
    ]


def test_the_worker_keeps_results_that_read_back_as_they_were_measured(
    workspace: Workspace, measured: list[str]
) -> None:
    run_id = started(workspace, index=["dense", "bm25"], reranker=[None, "mmr"], mode="factorial")
    carry_out(workspace)
    assert measured == ["measured"]
    found = load_results(workspace, run_id)
    assert measured == ["measured"]
    assert len(found) == 4
    assert found.cut_offs == (1, 3, 5, 10, 20)
    assert all(run.timings is not None for run in found)
    assert views_of(found) == views_of(build_results(workspace.record(run_id)))


def test_questions_that_do_not_count_and_texts_of_any_kind_come_back(workspace: Workspace) -> None:
    project = filled(workspace, Settings.from_dict({"grid": {"chunker": "sentence:1", "index": "bm25"}}))
    items = (
        EvalItem("a\udc80", "Half of a pair: \udc80?", [GoldAnchor("warranty", "24 months from delivery")]),
        EvalItem("b", "Where?", [GoldAnchor("warranty", "It stands nowhere.")], qtype="odd"),
        EvalItem("c", "No gold."),
    )
    workspace.save_questions(project, EvalSet("q", items))
    run_id = workspace.start_run(project, skip_validation=True)
    carry_out(workspace)
    found = load_results(workspace, run_id)
    assert views_of(found) == views_of(build_results(workspace.record(run_id)))
    run = found.runs[0]
    assert run.unresolved == ("b",)
    assert np.isnan(run.cell.values["recall@5"][1])
    assert found.qtypes == {"a\udc80": None, "b": "odd", "c": None}


def test_a_run_of_an_earlier_version_lacks_deeper_cut_offs_and_times(
    workspace: Workspace, measured: list[str]
) -> None:
    _, run_id = workspace.load_example()
    found = load_results(workspace, run_id)
    assert len(found) == 15
    assert found.cut_offs == (1, 3, 5)
    assert not any("@10" in name or "@20" in name for name in found.metric_names)
    for run in found:
        assert (run.timings, run.index_bytes, run.embedding_quality) == (None, None, None)
        assert "p95_ms" not in run.row(["recall@5"])
    assert views_of(load_results(workspace, run_id)) == views_of(found)
    assert measured == ["measured"]


def test_a_server_that_measures_loads_nothing_that_only_the_worker_may(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from evalcore.workspace import Workspace\n"
        "from evalcore.results.stored import load_results\n"
        "w = Workspace(Path(sys.argv[1])); _, run = w.load_example(); load_results(w, run)\n"
        "print(*{'torch', 'transformers', 'sentence_transformers', 'streamlit'} & set(sys.modules))"
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", code, str(tmp_path / "home")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


@pytest.mark.parametrize("damage", ["cut", "emptied", "no Parquet"])
def test_damaged_results_are_measured_anew(workspace: Workspace, measured: list[str], damage: str) -> None:
    run_id = started(workspace)
    carry_out(workspace)
    path = workspace.run_folder(run_id) / FILE
    whole = views_of(load_results(workspace, run_id))
    data = path.read_bytes()
    damaged = {
        "cut": data[: len(data) // 2],
        "emptied": b"",
        "no Parquet": b"PAR1 and nothing else",
    }
    path.write_bytes(damaged[damage])
    assert views_of(load_results(workspace, run_id)) == whole
    again = load_results(workspace, run_id)
    assert views_of(again) == whole
    assert len(measured) == 2


def test_no_damage_to_a_byte_shows(workspace: Workspace) -> None:
    run_id = started(workspace)
    carry_out(workspace)
    path = workspace.run_folder(run_id) / FILE
    whole, data = views_of(load_results(workspace, run_id)), path.read_bytes()
    for place in range(7, len(data), len(data) // 40):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x01]) + data[place + 1 :])
        assert views_of(load_results(workspace, run_id)) == whole


def test_results_of_another_format_are_measured_anew(
    workspace: Workspace, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = started(workspace)
    carry_out(workspace)
    monkeypatch.setattr(stored, "FORMAT", stored.FORMAT + 1)
    load_results(workspace, run_id)
    load_results(workspace, run_id)
    assert len(measured) == 2


def test_results_follow_a_run_that_goes_on_after_its_budget(workspace: Workspace) -> None:
    run_id = started(workspace, 1e-9, index=["dense", "bm25"], mode="factorial")
    carry_out(workspace)
    part = load_results(workspace, run_id)
    assert (len(part), part.complete) == (1, False)
    assert part.partial == "This run is partial: it finished 1 of 2 configurations (time budget 1e-09 s)."
    assert part.summary().startswith(part.partial)
    workspace.resume_run(run_id)
    carry_out(workspace)
    whole = load_results(workspace, run_id)
    assert (len(whole), whole.complete, whole.partial) == (2, True, "")


def test_a_run_without_a_finished_configuration_has_its_failures(workspace: Workspace) -> None:
    run_id = started(workspace, embedder="no/such-model")
    carry_out(workspace)
    for _ in range(2):
        found = load_results(workspace, run_id)
        assert len(found) == 0
        assert [row.label for row in found.failed] == ["auto · sentence:1 · no/such-model · dense"]
        assert found.leaderboard() == []


def test_views_that_cannot_be_kept_do_not_fail_the_run(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise WorkspaceError("no space left")

    run_id = workspace.start_run(filled(workspace))
    with monkeypatch.context() as patch:
        patch.setattr(stored, "write_columns", full)
        serve(workspace)
    assert state_of(workspace, run_id).status is RunStatus.FINISHED
    assert len(load_results(workspace, run_id)) == 6


def test_only_runs_have_results(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="there is no run 'x'"):
        load_results(workspace, "x")
    run_id = workspace.open_report(full().model_dump_json().encode(), "other.json")
    with pytest.raises(InputError, match="is a report that was opened"):
        load_results(workspace, run_id)
