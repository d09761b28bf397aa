"""Reports of runs in a workspace: whole when somebody asks for the file, a summary for the pages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from evalcore.errors import WorkspaceError
from evalcore.models import EvalReport
from evalcore.reading import read_report
from evalcore.report.build import build_report
from evalcore.report.grade import Grade, grades
from evalcore.results.stored import stamp
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
    state = workspace.known_run(run_id)
    if state.kind == "report":
        return read_report(_opened(workspace, run_id).read_bytes(), state.name)
    return build_report(workspace.record(run_id), state.ended)


def load_summary(workspace: Workspace, run_id: str) -> EvalReport:
    """Return a run's report without per-question details; made once and kept in the run's folder.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    return load_judged(workspace, run_id).report


@dataclass(frozen=True, slots=True)
class Judged:
    """A report without per-question details, and how firm its verdict on each axis is.

    A report that was opened has no grades.
    """

    report: EvalReport
    grades: dict[str, Grade]


def load_judged(workspace: Workspace, run_id: str) -> Judged:
    """Return what pages need of a report; made once and kept in the run's folder.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    state = workspace.known_run(run_id)
    path = workspace.run_folder(run_id) / SUMMARY
    made_of = f"{stamp(state)}\n{state.ended}"
    kept = _kept(path, made_of)
    if kept is not None:
        return kept
    made = _made(workspace, state)
    content = {"stamp": made_of, "report": made.report.model_dump(mode="json"), "grades": made.grades}
    write_atomic(path, json.dumps(content, allow_nan=False).encode("utf-8"))
    return made


def _made(workspace: Workspace, state: RunState) -> Judged:
    if state.kind == "report":
        return Judged(_without_details(load_report(workspace, state.id)), {})
    record = workspace.record(state.id)
    report = build_report(record, state.ended, details=False)
    return Judged(report, {str(axis): grade for axis, grade in grades(record, report).items()})


def report_bytes(workspace: Workspace, run_id: str) -> bytes:
    """Return report.json; a report that was opened comes back as it was given.

    Raises:
        WorkspaceError, InputError: as `load_report`.
    """
    if workspace.known_run(run_id).kind == "report":
        return _opened(workspace, run_id).read_bytes()
    return load_report(workspace, run_id).model_dump_json().encode("utf-8")


def _opened(workspace: Workspace, run_id: str) -> Path:
    path = workspace.run_folder(run_id) / REPORT
    if not path.exists():
        raise WorkspaceError("the report.json is gone from the workspace; open it again on the Home page")
    return path


def _kept(path: Path, made_of: str) -> Judged | None:
    try:
        content = json.loads(path.read_bytes())
        if content["stamp"] != made_of:
            return None
        found = {axis: Grade(grade) for axis, grade in content["grades"].items()}
        return Judged(EvalReport.model_validate(content["report"]), found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _without_details(report: EvalReport) -> EvalReport:
    results = [row.model_copy(update={"per_question": []}) for row in report.strategy_results]
    return report.model_copy(update={"strategy_results": results})
