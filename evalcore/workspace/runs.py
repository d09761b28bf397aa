"""Runs: started from what the project holds now, watched, stopped, resumed and read back."""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
import time
from pathlib import Path
from sqlite3 import Connection, Row

from evalcore.errors import InputError, WorkspaceError
from evalcore.evalset.check import refuse_errors
from evalcore.evalset.items import EvalSet
from evalcore.grid import axes_of, expand, mode_of
from evalcore.plugins import identities
from evalcore.run.inputs import FrozenInputs, inputs_key, read_inputs, write_inputs
from evalcore.run.launch import ensure_worker, last_failure
from evalcore.run.record import RunRecord
from evalcore.run.store import load_record
from evalcore.scoring.headline import headline_of
from evalcore.workspace.corpora import load_document
from evalcore.workspace.database import now
from evalcore.workspace.projects import require_project, storable
from evalcore.workspace.questions import QuestionSets
from evalcore.workspace.queue import (
    Pulse,
    ask_to_cancel,
    bury,
    end_run,
    enforce_cancel,
    enqueue,
    free_lock,
    insert_cells,
    kill_for,
)
from evalcore.workspace.rows import RESUMABLE, Event, RunState, RunStatus
from evalcore.workspace.states import load_events, load_states

log = logging.getLogger(__name__)

# Later than the page's own watch over a cancel: it died with its server.
_OVERDUE_SECONDS = 3.0


class Runs(QuestionSets):
    """The runs of a workspace. `worker_arguments` are passed on to the worker."""

    worker_arguments: tuple[str, ...] = ()

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._pulse = Pulse()

    def start_run(self, project_id: str, *, skip_validation: bool = False) -> str:
        """Freeze the project's corpus, questions and settings, queue a run of them and return its id.

        While a run of equal inputs waits or works its id is returned instead. `skip_validation` runs a
        question set that has errors as it is.

        Raises:
            InputError: no document has text, no question has a gold passage, the questions have errors, or
                the settings cannot be used.
            WorkspaceError: no such project, or the folder cannot be written.
        """
        inputs = self._freeze(project_id, skip_validation)
        run_id = secrets.token_hex(6)
        folder = self.run_folder(run_id)
        write_inputs(folder, inputs)
        with self.database.write() as connection:
            key = inputs_key(inputs)
            twin = connection.execute(
                "SELECT id FROM runs WHERE project_id = ? AND inputs = ?"
                " AND status IN ('queued', 'running') AND deleted IS NULL",
                (project_id, key),
            ).fetchone()
            if twin is None:
                insert_run(connection, project_id, run_id, key, inputs)
                enqueue(connection, run_id)
        if twin is not None:
            shutil.rmtree(folder, ignore_errors=True)
        self._ensure_worker()
        return run_id if twin is None else str(twin["id"])

    def runs(self, project_id: str) -> list[RunState]:
        """Return the project's runs, newest first."""
        self._settle()
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM runs WHERE project_id = ? AND deleted IS NULL"
                " ORDER BY created DESC, rowid DESC",
                (storable(project_id),),
            ).fetchall()
            return load_states(connection, rows, self._pulse.is_stale(connection))

    def run(self, run_id: str) -> RunState | None:
        """Return a run as it stands, None when there is none with this id; cheap enough to poll."""
        self._settle()
        with self.database.read() as connection:
            row = _row(connection, run_id)
            if row is None:
                return None
            return load_states(connection, [row], self._pulse.is_stale(connection))[0]

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """Return what happened in a run since the event numbered `after`, oldest first."""
        with self.database.read() as connection:
            return load_events(connection, storable(run_id), after)

    def cancel_run(self, run_id: str) -> None:
        """Stop a run within two seconds, keeping its finished cells; nothing happens when it is not live."""
        free_lock(self.database, self.root, storable(run_id))
        with self.database.write() as connection:
            must_wait = ask_to_cancel(connection, storable(run_id))
        if must_wait:
            threading.Thread(
                target=self._see_cancelled, args=(run_id,), name="evalgrid-cancel", daemon=True
            ).start()

    def resume_run(self, run_id: str) -> None:
        """Queue a run that was stopped, failed, ended at its budget or has failed cells; finished cells stay.

        Its time budget begins anew.

        Raises:
            InputError: it is live, or finished with every cell done.
            WorkspaceError: no such run.
        """
        state = self.known_run(run_id)
        if state.status is RunStatus.INTERRUPTED:
            self._kill_stale(run_id)
        with self.database.write() as connection:
            row = _row(connection, run_id)
            if row is None or row["kind"] != "run" or not _may_resume(connection, row):
                raise InputError(f"{state.name} is {state.status.value}: there is nothing to resume")
            enqueue(connection, run_id, "resumed")
        self._ensure_worker()

    def update_run(
        self, run_id: str, *, name: str | None = None, pinned: bool | None = None, note: str | None = None
    ) -> None:
        """Change a run's name, its note or whether it is pinned; None leaves a value as it is."""
        with self.database.write() as connection:
            connection.execute(
                "UPDATE runs SET name = COALESCE(?, name), pinned = COALESCE(?, pinned),"
                " note = COALESCE(?, note) WHERE id = ?",
                (
                    None if name is None else storable(name),
                    None if pinned is None else int(pinned),
                    None if note is None else storable(note),
                    storable(run_id),
                ),
            )

    def record(self, run_id: str) -> RunRecord:
        """Return what a run has come to: its inputs, chunks and the cells finished so far.

        Raises:
            WorkspaceError: no such run, or its inputs are damaged.
            InputError: it is a report that somebody opened.
        """
        state = self.known_run(run_id)
        if state.kind != "run":
            raise InputError(f"{state.name} is a report that was opened, not a run of this workspace")
        folder = self.run_folder(run_id)
        frozen = read_inputs(folder)
        inputs = frozen.thaw(lambda key, doc_id: load_document(self.root, key, doc_id), self.load_layout)
        return load_record(folder, inputs, frozen.configurations)

    def run_folder(self, run_id: str) -> Path:
        """Return where a run's files are."""
        return self.root / "runs" / run_id

    def known_run(self, run_id: str) -> RunState:
        """Return a run as it stands.

        Raises:
            WorkspaceError: there is no such run.
        """
        state = self.run(run_id)
        if state is None:
            raise WorkspaceError(f"there is no run {run_id!r} in this workspace; choose one from the list")
        return state

    def _freeze(self, project_id: str, skip_validation: bool) -> FrozenInputs:
        with self.database.read() as connection:
            require_project(connection, project_id)
        settings = self.settings(project_id)
        axes = axes_of(settings)
        grid = expand(axes, mode_of(settings))
        headline_of(settings)
        texts = self.texts(project_id)
        if not any(text.has_text for text in texts):
            raise InputError("no document of this project has text; upload some on the Corpus page")
        evalset = self._scorable(project_id)
        if not skip_validation:
            refuse_errors(self.problems(project_id), evalset.id)
        return FrozenInputs(
            texts=tuple((text.doc_id, text.key) for text in texts),
            evalset=evalset,
            settings=settings,
            configurations=grid.configurations,
            plugins=identities(axes),
        )

    def _scorable(self, project_id: str) -> EvalSet:
        evalset = self.questions(project_id)
        if evalset is None or not evalset.items:
            raise InputError("this project has no questions; add some on the Questions page")
        if not evalset.scored:
            raise InputError("nothing to score: no question has a gold passage; add one (Questions page)")
        return evalset

    def _settle(self) -> None:
        """Bring the database up to date with what became of the worker."""
        bury(self.database, self.root)
        with self.database.read() as connection:
            overdue = connection.execute(
                "SELECT id FROM runs WHERE status = 'cancelling' AND ABS(? - cancel_asked) > ?",
                (time.time(), _OVERDUE_SECONDS),
            ).fetchall()
            waiting = connection.execute("SELECT 1 FROM runs WHERE status = 'queued' LIMIT 1").fetchone()
        for row in overdue:
            kill_for(self.database, self.root, row["id"])
        if waiting is not None:
            self._ensure_worker()

    def _ensure_worker(self) -> None:
        with self.database.read() as connection:
            row = connection.execute("SELECT closing FROM worker").fetchone()
        failure = last_failure(self.root)
        if failure is not None:
            self._fail_waiting(failure)
        else:
            ensure_worker(self.root, row is not None and bool(row["closing"]), self.worker_arguments)

    def _fail_waiting(self, reason: str) -> None:
        with self.database.write() as connection:
            for row in connection.execute("SELECT id FROM runs WHERE status = 'queued'").fetchall():
                end_run(connection, row["id"], RunStatus.FAILED, reason)

    def _see_cancelled(self, run_id: str) -> None:
        try:
            enforce_cancel(self.database, self.root, run_id)
            self._settle()
        except WorkspaceError as error:
            log.warning("cancelling run %s: %s", run_id, error)

    def _kill_stale(self, run_id: str) -> None:
        """End a worker that stopped answering, so that another can take its place."""
        free_lock(self.database, self.root, run_id)
        with self.database.write() as connection:
            row = _row(connection, run_id)
            if row is not None and row["status"] == RunStatus.RUNNING:
                ask_to_cancel(connection, run_id)
        kill_for(self.database, self.root, run_id)


def insert_run(connection: Connection, project_id: str, run_id: str, key: str, inputs: FrozenInputs) -> None:
    """Enter a run with its cells, all of them waiting; it does not stand in the queue yet."""
    count = connection.execute(
        "SELECT COUNT(*) FROM runs WHERE project_id = ? AND kind = 'run'", (project_id,)
    ).fetchone()[0]
    scored = len(inputs.evalset.scored)
    connection.execute(
        "INSERT INTO runs (id, project_id, kind, name, status, inputs, created, documents, questions)"
        " VALUES (?, ?, 'run', ?, 'queued', ?, ?, ?, ?)",
        (run_id, project_id, f"Run {count + 1}", key, now(), len(inputs.texts), scored),
    )
    insert_cells(connection, run_id, inputs.configurations, scored)


def _row(connection: Connection, run_id: str) -> Row | None:
    row: Row | None = connection.execute(
        "SELECT * FROM runs WHERE id = ? AND deleted IS NULL", (storable(run_id),)
    ).fetchone()
    return row


def _may_resume(connection: Connection, row: Row) -> bool:
    if RunStatus(row["status"]) in RESUMABLE:
        return True
    left = connection.execute(
        "SELECT 1 FROM cells WHERE run_id = ? AND state IN ('failed', 'waiting') LIMIT 1", (row["id"],)
    ).fetchone()
    return row["status"] == RunStatus.FINISHED and left is not None
