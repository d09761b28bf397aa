"""Runs that come from elsewhere: the example that ships with the program, and reports somebody opens."""

from __future__ import annotations

import secrets
import shutil
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection

from evalcore.errors import WorkspaceError
from evalcore.models import EvalReport
from evalcore.reading import read_report
from evalcore.run.files import make_folder, one_line, read_json, sha256, shelf, write_atomic, write_json
from evalcore.run.inputs import INPUTS, FrozenInputs, inputs_key, read_inputs, write_inputs
from evalcore.run.store import RunStore
from evalcore.workspace.database import now
from evalcore.workspace.projects import Projects, storable
from evalcore.workspace.queue import add_event, show_done
from evalcore.workspace.runs import Runs, insert_run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples"
EXAMPLE_NAME = "Example"
REPORTS_ID = "reports"
REPORTS_NAME = "Opened reports"
REPORT = "report.json"
_ABOUT = "run.json"
_PARTS = ("chunks", "cells")


class Exchange(Projects, Runs):
    """Bringing runs into a workspace and out of it."""

    def load_example(self, folder: Path = EXAMPLE) -> tuple[str, str]:
        """Put the example's documents, questions and finished run into a project; returns the ids of both.

        `folder` holds `docs` and `run`, as `export_run` wrote it. An example that is there already is used.

        Raises:
            WorkspaceError: the example does not ship with this copy, or the workspace cannot be written.
        """
        source = folder / "run"
        if not (source / INPUTS).exists():
            raise WorkspaceError(f"the example's run is not in {source}; install the program anew")
        frozen = read_inputs(source)
        key = f"example:{inputs_key(frozen)}"
        found = self._imported(key)
        if found is not None:
            return found
        self._copy_texts(source, frozen)
        project = self.create_project(EXAMPLE_NAME).id
        with one_line("read", folder / "docs"):
            files = [(path.name, path.read_bytes()) for path in sorted((folder / "docs").iterdir())]
        self.add_files(project, files)
        self.save_questions(project, frozen.evalset)
        self.save_settings(project, frozen.settings)
        return project, self._import(project, source, frozen, key)

    def export_run(self, run_id: str, folder: Path) -> None:
        """Copy a finished run with all it needs into `folder`, for `load_example`.

        Raises:
            WorkspaceError: no such run, or the folder cannot be written.
        """
        source = self.run_folder(run_id)
        state = self.known_run(run_id)
        frozen = read_inputs(source)
        make_folder(folder)
        for part in _PARTS:
            with one_line("write", folder / part):
                shutil.rmtree(folder / part, ignore_errors=True)
                shutil.copytree(source / part, folder / part)
        for _, key in frozen.texts:
            write_json(folder / "texts" / f"{key}.json", read_json(shelf(self.root / "texts", key, ".json")))
        write_inputs(folder, frozen)
        stages = [[stage.stage.value, stage.done, stage.total, stage.seconds] for stage in state.stages]
        times = {"started": _text(state.started), "ended": _text(state.ended)}
        write_json(folder / _ABOUT, {"name": state.name, "stages": stages, **times})

    def open_report(self, data: bytes, name: str) -> str:
        """Keep a report.json of any program of this format and return the id of its entry among the runs.

        Raises:
            ReportError: it is no report, or of another schema.
            WorkspaceError: the folder cannot be written.
        """
        report = read_report(data, name)
        key = f"report:{sha256(data)}"
        found = self._imported(key)
        if found is not None:
            return found[1]
        run_id = secrets.token_hex(6)
        write_atomic(self.run_folder(run_id) / REPORT, data)
        with self.database.write() as connection:
            _insert_report(connection, run_id, key, storable(Path(name).name), report)
        return run_id

    def _imported(self, key: str) -> tuple[str, str] | None:
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT runs.id, project_id FROM runs JOIN projects ON projects.id = project_id"
                " WHERE inputs = ? AND runs.deleted IS NULL AND projects.deleted IS NULL",
                (key,),
            ).fetchone()
        return None if row is None else (row["project_id"], row["id"])

    def _copy_texts(self, source: Path, frozen: FrozenInputs) -> None:
        for _, key in frozen.texts:
            path = shelf(self.root / "texts", key, ".json")
            if not path.exists():
                write_json(path, read_json(source / "texts" / f"{key}.json"))

    def _import(self, project_id: str, source: Path, frozen: FrozenInputs, key: str) -> str:
        run_id = secrets.token_hex(6)
        folder = self.run_folder(run_id)
        for part in _PARTS:
            with one_line("write", folder / part):
                shutil.copytree(source / part, folder / part)
        write_inputs(folder, frozen)
        about = read_json(source / _ABOUT)
        cells = RunStore(folder, frozen.configurations).cells()
        with self.database.write() as connection:
            insert_run(connection, project_id, run_id, key, frozen)
            connection.execute(
                "UPDATE runs SET status = 'finished', name = ?, created = ?, started = ?, ended = ?"
                " WHERE id = ?",
                (about["name"], about["started"], about["started"], about["ended"], run_id),
            )
            for cell in cells:
                show_done(connection, run_id, cell)
            for stage in about["stages"]:
                connection.execute("INSERT INTO stages VALUES (?, ?, ?, ?, ?)", (run_id, *stage))
            add_event(connection, run_id, "imported")
        return run_id


def _text(moment: datetime | None) -> str:
    return moment.isoformat(timespec="microseconds") if moment is not None else now()


def _insert_report(connection: Connection, run_id: str, key: str, name: str, report: EvalReport) -> None:
    moment = now()
    connection.execute(
        "INSERT INTO projects (id, name, created) VALUES (?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET deleted = NULL",
        (REPORTS_ID, REPORTS_NAME, moment),
    )
    summary = report.corpus_summary
    connection.execute(
        "INSERT INTO runs (id, project_id, kind, name, status, inputs, created, started, ended, documents,"
        " questions) VALUES (?, ?, 'report', ?, 'finished', ?, ?, ?, ?, ?, ?)",
        (
            run_id,
            REPORTS_ID,
            name,
            key,
            moment,
            moment,
            moment,
            summary.num_documents,
            summary.num_scored_questions,
        ),
    )
    add_event(connection, run_id, "opened", name)
