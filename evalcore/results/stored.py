"""Results of runs in a workspace: made once, kept in the run's folder, read back without texts or chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from evalcore import __version__
from evalcore.embedding.quality import EmbeddingQuality
from evalcore.results.build import build_results
from evalcore.results.columns import Floats, read_columns, write_columns
from evalcore.results.results import FailedRow, Results
from evalcore.results.run_result import Cost, RunResult, Timings
from evalcore.results.warnings import RunWarning, Severity, WarningLog
from evalcore.run.inputs import configuration_from_dict, configuration_to_dict
from evalcore.scoring.cell import CellScores
from evalcore.workspace import RunState, Workspace

FILE = Path("views") / "results.parquet"
# Raised when the same cells give other numbers than before.
FORMAT = 1


def load_results(workspace: Workspace, run_id: str) -> Results:
    """Return what a run has come to, for the views; without a way back to its report.

    Raises:
        WorkspaceError: there is no such run, or its files are damaged.
        InputError: it is a report that somebody opened.
    """
    path = workspace.run_folder(run_id) / FILE
    kept = read_results(path, stamp(workspace.known_run(run_id)))
    return keep_results(workspace, run_id) if kept is None else kept


def keep_results(workspace: Workspace, run_id: str) -> Results:
    """Measure a run's cells anew and keep the results in its folder; the worker calls this at a run's end.

    Raises:
        WorkspaceError, InputError: as `load_results`; the folder cannot be written.
    """
    made_of = stamp(workspace.known_run(run_id))
    results = build_results(workspace.record(run_id))
    write_results(workspace.run_folder(run_id) / FILE, results, made_of)
    return results


def write_results(path: Path, results: Results, made_of: str) -> None:
    """Write results, all scores by question with them; `made_of` is asked for again on reading.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    write_columns(path, _columns(results), _header(results, made_of))


def stamp(state: RunState) -> str:
    """Say what something kept about a run was made of: another version or other cells make it stale."""
    ended = [f"{cell.key}={cell.state}" for cell in state.cells if cell.state in ("done", "failed")]
    return "\n".join([__version__, state.kind, *ended])


def read_results(path: Path, made_of: str) -> Results | None:
    """Read what `write_results` wrote; None when it is not there, damaged, or made of something else."""
    found = read_columns(path)
    if found is None:
        return None
    columns, header = found
    try:
        is_current = header["format"] == FORMAT and header["stamp"] == made_of
        return _results(columns, header) if is_current else None
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _columns(results: Results) -> dict[str, Floats]:
    """Return a column per metric: run after run, each with an entry per question, NaN where it has none."""
    count = _count(results.runs)
    nothing = np.full(count, np.nan)
    return {
        name: np.concatenate([run.cell.values.get(name, nothing) for run in results.runs])
        for name in results.metric_names
    }


def _count(runs: Sequence[RunResult]) -> int:
    return len(runs[0].cell.question_ids) if runs else 0


def _header(results: Results, made_of: str) -> dict[str, Any]:
    runs = results.runs
    return {
        "format": FORMAT,
        "stamp": made_of,
        "scored": list(runs[0].cell.question_ids) if runs else [],
        "runs": [_run_to_dict(run) for run in runs],
        "questions": [[i, text, results.qtypes.get(i)] for i, text in results.questions.items()],
        "clusters": dict(results.clusters),
        "failed": [[row.label, row.reason] for row in results.failed],
        "warnings": [[w.code, w.severity.value, w.stage, w.subject, w.message] for w in results.warnings],
        "cache_summary": results.cache_summary,
        "seed": results.seed,
        "partial": results.partial,
    }


def _run_to_dict(run: RunResult) -> dict[str, Any]:
    quality = run.embedding_quality
    return {
        "configuration": configuration_to_dict(run.configuration),
        "metrics": list(run.cell.values),
        "unresolved": list(run.unresolved),
        "unreachable": list(run.unreachable),
        "split": list(run.split),
        "headline": run.headline,
        "chunks": run.chunks,
        "usd_per_1k": run.cost.query_usd_per_1k,
        "timings": None if run.timings is None else asdict(run.timings),
        "index_bytes": run.index_bytes,
        "embedding_quality": None if quality is None else asdict(quality),
    }


def _results(columns: Mapping[str, Floats], header: Mapping[str, Any]) -> Results:
    scored, clusters = tuple(header["scored"]), header["clusters"]
    runs = []
    for number, value in enumerate(header["runs"]):
        own = slice(number * len(scored), (number + 1) * len(scored))
        values = {name: columns[name][own] for name in value["metrics"]}
        if any(len(found) != len(scored) for found in values.values()):
            raise ValueError("a column is too short")
        runs.append(_run(value, _scores(value, scored, values), header["seed"], clusters))
    return Results(
        runs=tuple(runs),
        qtypes={i: qtype for i, _, qtype in header["questions"]},
        questions={i: text for i, text, _ in header["questions"]},
        clusters=clusters,
        failed=tuple(FailedRow(label, reason) for label, reason in header["failed"]),
        warnings=WarningLog(tuple(_warning(*entry) for entry in header["warnings"])),
        cache_summary=header["cache_summary"],
        seed=header["seed"],
        partial=header["partial"],
    )


def _scores(value: Mapping[str, Any], scored: tuple[str, ...], values: Mapping[str, Floats]) -> CellScores:
    missing = [tuple(value[name]) for name in ("unresolved", "unreachable", "split")]
    return CellScores(scored, values, *missing)


def _run(value: Mapping[str, Any], scores: CellScores, seed: int, clusters: Mapping[str, str]) -> RunResult:
    timings, quality = value["timings"], value["embedding_quality"]
    return RunResult(
        configuration=configuration_from_dict(value["configuration"]),
        cell=scores,
        headline=value["headline"],
        chunks=value["chunks"],
        cost=Cost(value["usd_per_1k"]),
        timings=None if timings is None else Timings(**timings),
        index_bytes=value["index_bytes"],
        embedding_quality=None if quality is None else EmbeddingQuality(**quality),
        seed=seed,
        clusters=clusters,
    )


def _warning(code: str, severity: str, stage: str, subject: str, message: str) -> RunWarning:
    return RunWarning(code, Severity(severity), stage, subject, message)
