"""Runs as rows of the database to values for a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from sqlite3 import Connection, Row

from evalcore.run.record import Stage
from evalcore.workspace.database import known_moment, moment
from evalcore.workspace.rows import CellState, Event, RunState, RunStatus, StageState

_ORDER = {stage: place for place, stage in enumerate(Stage)}


def load_states(connection: Connection, rows: Sequence[Row], stale: bool = False) -> list[RunState]:
    """Return the states of the given rows of `runs`; `stale`: their worker has stopped answering."""
    ids = [row["id"] for row in rows]
    stages = _by_run(connection, "SELECT * FROM stages WHERE run_id IN ({})", ids)
    cells = _by_run(connection, "SELECT * FROM cells WHERE run_id IN ({}) ORDER BY position", ids)
    waiting = connection.execute("SELECT id FROM runs WHERE status = 'queued' ORDER BY queued").fetchall()
    places = {row["id"]: place for place, row in enumerate(waiting, start=1)}
    return [
        _state(row, _stages(stages[row["id"]]), _cells(cells[row["id"]]), places.get(row["id"], 0), stale)
        for row in rows
    ]


def load_events(connection: Connection, run_id: str, after: int) -> list[Event]:
    """Return a run's events with a number above `after`, oldest first."""
    rows = connection.execute(
        "SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq", (run_id, after)
    )
    return [Event(r["seq"], r["run_id"], known_moment(r["time"]), r["kind"], r["text"]) for r in rows]


def seconds_left(stages: Sequence[StageState]) -> float | None:
    """Return how long the stages still take at the rates measured so far; None until there is one.

    A stage that has not begun adds nothing: searching takes little beside embedding.
    """
    rates = [(stage.total - stage.done, stage.rate) for stage in stages]
    known = [(left, rate) for left, rate in rates if rate is not None]
    if not known or (all(left == 0 for left, _ in known) and any(left > 0 for left, _ in rates)):
        return None
    return sum(left / rate for left, rate in known)


def _by_run(connection: Connection, query: str, ids: Sequence[str]) -> defaultdict[str, list[Row]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    # SQLite takes a limited number of parameters in one statement.
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        for row in connection.execute(query.format(", ".join("?" * len(part))), part):
            found[row["run_id"]].append(row)
    return found


def _stages(rows: Sequence[Row]) -> tuple[StageState, ...]:
    stages = [StageState(Stage(r["stage"]), r["done"], r["total"], r["seconds"]) for r in rows]
    return tuple(sorted(stages, key=lambda s: _ORDER[s.stage]))


def _cells(rows: Sequence[Row]) -> tuple[CellState, ...]:
    names = [field.name for field in fields(CellState)]
    return tuple(CellState(**{name: row[name] for name in names}) for row in rows)


def _state(
    row: Row, stages: tuple[StageState, ...], cells: tuple[CellState, ...], position: int, stale: bool
) -> RunState:
    status = RunStatus(row["status"])
    if stale and status in (RunStatus.RUNNING, RunStatus.CANCELLING):
        status = RunStatus.INTERRUPTED
    return RunState(
        id=row["id"],
        project_id=row["project_id"],
        kind=row["kind"],
        name=row["name"],
        status=status,
        position=position,
        created=known_moment(row["created"]),
        started=moment(row["started"]),
        ended=moment(row["ended"]),
        stages=stages,
        cells=cells,
        reason=row["reason"],
        seconds_left=seconds_left(stages) if status is RunStatus.RUNNING else None,
        documents=row["documents"],
        questions=row["questions"],
        pinned=bool(row["pinned"]),
        note=row["note"],
    )
