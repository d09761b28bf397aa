from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from evalcore.corpus.document import Corpus, Document
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.run.record import RunInputs
from evalcore.settings import RetrievalSettings, Settings, Strategy
from evalcore.workspace import RunState, RunStatus, Workspace

TEXTS = {
    "warranty.md": b"# Warranty\n\nThe warranty lasts 24 months from delivery.\n\n## Claims\n\nWrite.\n",
    "returns.txt": b"Goods can be returned within 30 days.\n\nThe buyer pays for the parcel.\n",
}
SETTINGS = Settings(
    retrieval=RetrievalSettings(compare=("dense", "bm25", "hybrid")),
    strategies=(Strategy(name="fixed"), Strategy(name="recursive")),
)


def questions(count: int = 4) -> EvalSet:
    anchors = (
        GoldAnchor("warranty", "The warranty lasts 24 months", 0, 2),
        GoldAnchor(None, "Goods can be returned within 30 days."),
    )
    items = [
        EvalItem(f"q{n}", f"How long is period {n}?", [anchors[n % 2]], tags=("fact",)) for n in range(count)
    ]
    return EvalSet("questions.yaml", tuple(items))


def inputs() -> RunInputs:
    documents = tuple(Document(name, text.decode()) for name, text in sorted(TEXTS.items()))
    return RunInputs(Corpus(documents), questions(), SETTINGS)


def filled(workspace: Workspace, settings: Settings = SETTINGS, count: int = 4) -> str:
    """Make a project that can be run and return its id."""
    project = workspace.create_project("Periods").id
    workspace.add_files(project, list(TEXTS.items()))
    workspace.save_questions(project, questions(count))
    workspace.save_settings(project, settings)
    return project


def seeded(seed: int) -> Settings:
    return SETTINGS.model_copy(update={"eval": SETTINGS.eval.model_copy(update={"seed": seed})})


def wait_for(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s")
        time.sleep(0.02)


def wait_until(workspace: Workspace, run_id: str, *wanted: RunStatus, seconds: float = 15.0) -> RunState:
    wait_for(lambda: state_of(workspace, run_id).status in wanted, seconds)
    return state_of(workspace, run_id)


def state_of(workspace: Workspace, run_id: str) -> RunState:
    state = workspace.run(run_id)
    assert state is not None
    return state


def done(state: RunState) -> int:
    return sum(cell.state == "done" for cell in state.cells)


def computed(root: Path) -> list[str]:
    log = root / "computed.log"
    return log.read_text().splitlines() if log.exists() else []
