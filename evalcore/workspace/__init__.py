"""Projects, corpora, question sets and runs on disk."""

from evalcore.workspace.forecasts import Forecast
from evalcore.workspace.rows import (
    CellState,
    Event,
    FileRow,
    Project,
    QuestionsRow,
    RunState,
    RunStatus,
    StageState,
)
from evalcore.workspace.workspace import Workspace

__all__ = [
    "CellState",
    "Event",
    "FileRow",
    "Forecast",
    "Project",
    "QuestionsRow",
    "RunState",
    "RunStatus",
    "StageState",
    "Workspace",
]
