"""The way from documents to a decision as five steps, with their state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evalcore.errors import EvalgridError
from evalcore.grid import axes_of, expand
from evalcore.workspace import FileRow, QuestionsRow, RunState, RunStatus, Workspace
from ui.text import clock, count

State = Literal["done", "todo", "problem", "live"]
STATUS_WORDS = {
    RunStatus.QUEUED: "waiting",
    RunStatus.RUNNING: "running",
    RunStatus.CANCELLING: "stopping",
    RunStatus.CANCELLED: "cancelled",
    RunStatus.INTERRUPTED: "interrupted",
    RunStatus.FINISHED: "finished",
    RunStatus.FAILED: "failed",
}


def status_words(run: RunState) -> str:
    """A run's status in one or two words."""
    return "stopped at its budget" if run.is_partial else STATUS_WORDS[run.status]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its page, its state in words and what to do there."""

    page: str
    title: str
    state: State
    words: str
    action: str


@dataclass(frozen=True, slots=True)
class Progress:
    """A project's five steps, what keeps it from running, and its runs, newest first."""

    steps: tuple[Step, ...]
    blockers: tuple[str, ...]
    question_errors: int
    runs: tuple[RunState, ...]

    @property
    def next(self) -> Step | None:
        """The step to do next; None when all are done."""
        return next((step for step in self.steps if step.state != "done"), None)


def progress_of(workspace: Workspace, project_id: str) -> Progress:
    """Read where a project stands."""
    files = workspace.files(project_id)
    questions = workspace.questions_row(project_id)
    cells, wrong = grid_size(workspace, project_id)
    runs = tuple(workspace.runs(project_id))
    blockers = (*_corpus_blockers(files), *_question_blockers(questions), *((wrong,) if wrong else ()))
    steps = (
        _corpus(files),
        _questions(questions),
        _grid(cells, wrong),
        _run(runs),
        _results(runs),
    )
    return Progress(steps, blockers, questions.errors if questions else 0, runs)


def grid_size(workspace: Workspace, project_id: str) -> tuple[int, str]:
    """How many configurations the saved grid has, and why it cannot run, if so."""
    try:
        return len(expand(axes_of(workspace.settings(project_id))).configurations), ""
    except EvalgridError as error:
        return 0, str(error)


def usable(files: list[FileRow]) -> list[FileRow]:
    """Files with text."""
    return [f for f in files if f.status != "refused" and f.characters > 0]


def _corpus_blockers(files: list[FileRow]) -> tuple[str, ...]:
    if not files:
        return ("Add documents first.",)
    return () if usable(files) else ("None of the documents has text that could be searched.",)


def _question_blockers(row: QuestionsRow | None) -> tuple[str, ...]:
    if row is None:
        return ("Add questions first.",)
    return () if row.scored else ("No question names a passage that answers it, so nothing can be scored.",)


def _corpus(files: list[FileRow]) -> Step:
    refused = sum(f.status == "refused" for f in files)
    if not files:
        return Step("corpus", "Corpus", "todo", "No documents yet", "Add documents")
    words = count(len(files) - refused, "document")
    if not usable(files):
        return Step("corpus", "Corpus", "problem", "No text found", "See what was refused")
    return Step(
        "corpus", "Corpus", "done", words + (f", {refused} refused" if refused else ""), "See documents"
    )


def _questions(row: QuestionsRow | None) -> Step:
    if row is None:
        return Step("questions", "Questions", "todo", "No questions yet", "Add questions")
    words = count(row.count, "question")
    if row.errors or not row.scored:
        problems = count(row.errors, "problem") if row.errors else "nothing to score"
        return Step("questions", "Questions", "problem", f"{words}, {problems}", "Look at the problems")
    return Step("questions", "Questions", "done", words, "See questions")


def _grid(cells: int, wrong: str) -> Step:
    if wrong:
        return Step("grid", "Grid", "problem", "Needs a change", "Look at the grid")
    return Step("grid", "Grid", "done", count(cells, "configuration"), "Edit the grid")


def _run(runs: tuple[RunState, ...]) -> Step:
    latest = next((r for r in runs if r.kind == "run"), None)
    if latest is None:
        return Step("run", "Run", "todo", "Not started", "Start the run")
    words = status_words(latest).capitalize()
    if latest.is_live:
        return Step("run", "Run", "live", words, "Watch it")
    if latest.is_partial:
        return Step("run", "Run", "problem", words, "Resume it")
    if latest.status is RunStatus.FINISHED:
        return Step("run", "Run", "done", f"{words} {clock(latest.ended)}".rstrip(), "See the run")
    return Step("run", "Run", "problem", words, "Resume or start again")


def _results(runs: tuple[RunState, ...]) -> Step:
    if any(r.status is RunStatus.FINISHED and not r.is_partial for r in runs):
        return Step("results", "Results", "done", "Ready", "Read the verdict")
    if any(cell.state == "done" for r in runs for cell in r.cells):
        return Step("results", "Results", "problem", "Partial", "See what there is")
    return Step("results", "Results", "todo", "After the run", "Run first")
