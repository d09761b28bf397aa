"""What the workspace tells a page: projects, files, questions and the state of runs, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from evalcore.run.record import Stage

FileStatus = Literal["read", "warned", "refused"]
CellProgress = Literal["waiting", "running", "done", "failed"]
RunKind = Literal["run", "report"]


class RunStatus(StrEnum):
    """Where a run stands; with failed cells it is FINISHED, and FAILED when it could not be carried out.

    It is FINISHED, too, when its time budget was used up: see `RunState.is_partial`.
    """

    QUEUED = "queued"
    RUNNING = "running"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
    FAILED = "failed"


LIVE = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.CANCELLING})
RESUMABLE = frozenset({RunStatus.CANCELLED, RunStatus.INTERRUPTED, RunStatus.FAILED})


@dataclass(frozen=True, slots=True)
class Project:
    """A corpus, questions, settings and runs that belong together; `created` is in UTC."""

    id: str
    name: str
    created: datetime


@dataclass(frozen=True, slots=True)
class FileRow:
    """An uploaded file. `name` is a label only; `size` in bytes; `tokens` are cl100k_base tokens.

    `message` is "" when all is well, else the reader's warnings or its one reason for refusing. `doc_id`,
    `pages` and `language` are None where there is none (a refused file has no document).
    """

    name: str
    sha256: str
    size: int
    status: FileStatus
    message: str
    doc_id: str | None
    kind: str
    pages: int | None
    characters: int
    tokens: int
    language: str | None
    headings: int
    tables: int


@dataclass(frozen=True, slots=True)
class QuestionsRow:
    """The saved question set in numbers; `errors` and `warnings` are problems found against the corpus."""

    name: str
    count: int
    scored: int
    errors: int
    warnings: int
    saved: datetime


@dataclass(frozen=True, slots=True)
class StageState:
    """How far a stage is; `seconds` worked so far, so `done / seconds` is its rate."""

    stage: Stage
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float | None:
        """Units per second, None until something was done."""
        return self.done / self.seconds if self.done and self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class CellState:
    """A cell of the grid; the three means (0..1 over scored questions) are None until it is done."""

    key: str
    strategy: str
    retriever: str
    label: str
    state: CellProgress
    reason: str
    recall: float | None
    hit_rate: float | None
    mrr: float | None
    questions: int


@dataclass(frozen=True, slots=True)
class RunState:
    """A run as it stands. `position` is its place in the queue (1 is next), 0 when it does not wait.

    `kind` "report" is a report.json somebody opened: it has no cells and is always finished. `seconds_left`
    is None until a rate is known.
    """

    id: str
    project_id: str
    kind: RunKind
    name: str
    status: RunStatus
    position: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    stages: tuple[StageState, ...]
    cells: tuple[CellState, ...]
    reason: str
    seconds_left: float | None
    documents: int
    questions: int
    pinned: bool
    note: str

    @property
    def is_live(self) -> bool:
        """Whether it waits, runs or is being stopped."""
        return self.status in LIVE

    @property
    def is_partial(self) -> bool:
        """Whether it finished at its time budget, before its last cell; `reason` says so in a sentence."""
        waiting = any(cell.state == "waiting" for cell in self.cells)
        return self.kind == "run" and self.status is RunStatus.FINISHED and waiting

    @property
    def can_resume(self) -> bool:
        """Whether resuming makes sense: it ended before its cells did, or some of them failed."""
        failed = any(cell.state == "failed" for cell in self.cells)
        ended = self.status is RunStatus.FINISHED and (failed or self.is_partial)
        return self.kind == "run" and (self.status in RESUMABLE or ended)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run; `seq` grows over the whole workspace."""

    seq: int
    run_id: str
    time: datetime
    kind: str
    text: str
