"""Reports of runs in a workspace: whole when somebody asks for the file, a summary for the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from evalcore import __version__
from evalcore.errors import WorkspaceError
from evalcore.models import EvalReport
from evalcore.reading import read_report
from evalcore.report.build import build_report
from evalcore.report.grade import Grade, grades
from evalcore.run.files import write_atomic
from evalcore.workspace import RunState, Workspace
from evalcore.workspace.exchange import REPORT

SUMMARY = "summary.json"


def load_report(workspace: Workspace, run_id: str) -> EvalReport:
    """Return the whole report of a run as far as it got, or of a report that was opened.

    Raises:
        WorkspaceError: there is no such run, or its files are damaged.
        InputError: no cell of the run is finished.
    """
    state = _state(workspace, run_id)
    if state.kind == "report":
        return read_report(_opened(workspace, run_id).read_bytes(), state.name)
    return build_report(workspace.record(run_id), state.ended)


def load_summary(workspace: Workspace, run_id: str) -> EvalReport:
    """Return a run's report without per-question details; made once and kept in the run's folder.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    return _summary(workspace, run_id).report


def load_grades(workspace: Workspace, run_id: str) -> dict[str, Grade]:
    """Return how firm the verdict on each axis is; nothing for a report that was opened.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    return _summary(workspace, run_id).grades


@dataclass(frozen=True, slots=True)
class _Summary:
    report: EvalReport
    grades: dict[str, Grade]


def _summary(workspace: Workspace, run_id: str) -> _Summary:
    state = _state(workspace, run_id)
    path = workspace.run_folder(run_id) / SUMMARY
    stamp = _stamp(state)
    kept = _kept(path, stamp)
    if kept is not None:
        return kept
    made = _made(workspace, state)
    content = {"stamp": stamp, "report": made.report.model_dump(mode="json"), "grades": made.grades}
    write_atomic(path, json.dumps(content, allow_nan=False).encode("utf-8"))
    return made


def _made(workspace: Workspace, state: RunState) -> _Summary:
    if state.kind == "report":
        return _Summary(_without_details(load_report(workspace, state.id)), {})
    record = workspace.record(state.id)
    report = build_report(record, state.ended, details=False)
    return _Summary(report, {str(axis): grade for axis, grade in grades(record, report).items()})


def report_bytes(workspace: Workspace, run_id: str) -> bytes:
    """Return report.json; a report that was opened comes back as it was given.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    if _state(workspace, run_id).kind == "report":
        return _opened(workspace, run_id).read_bytes()
    return load_report(workspace, run_id).model_dump_json().encode("utf-8")


def _state(workspace: Workspace, run_id: str) -> RunState:
    state = workspace.run(run_id)
    if state is None:
        raise WorkspaceError(f"there is no run {run_id!r} in this workspace; choose one from the list")
    return state


def _opened(workspace: Workspace, run_id: str) -> Path:
    path = workspace.run_folder(run_id) / REPORT
    if not path.exists():
        raise WorkspaceError("the report.json is gone from the workspace; open it again on the Home page")
    return path


def _stamp(state: RunState) -> str:
    """Say what a summary was made of: another version, or more cells, make another one."""
    ended = [f"{cell.key}={cell.state}" for cell in state.cells if cell.state in ("done", "failed")]
    return "\n".join([__version__, state.kind, str(state.ended), *ended])


def _kept(path: Path, stamp: str) -> _Summary | None:
    try:
        content = json.loads(path.read_bytes())
        if content["stamp"] != stamp:
            return None
        found = {axis: Grade(grade) for axis, grade in content["grades"].items()}
        return _Summary(EvalReport.model_validate(content["report"]), found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _without_details(report: EvalReport) -> EvalReport:
    results = [row.model_copy(update={"per_question": []}) for row in report.strategy_results]
    return report.model_copy(update={"strategy_results": results})
