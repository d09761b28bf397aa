"""The folder on disk that holds everything a person has put in or computed."""

from __future__ import annotations

import os
from pathlib import Path

from evalcore.workspace.exchange import Exchange
from evalcore.workspace.forecasts import Forecasts

HOME = "EVALGRID_HOME"


class Workspace(Exchange, Forecasts):
    """A workspace folder, created when it is not there. Every change is on disk when its call returns.

    Safe to share between threads and to open several times. Names and texts that come out are data to show,
    never a path to open or markup to draw.

    Raises:
        WorkspaceError: the folder cannot be written, is damaged, or was made by a newer version.
    """

    @classmethod
    def default(cls) -> Workspace:
        """Open the folder named by EVALGRID_HOME, else `~/.evalgrid`."""
        return cls(Path(os.environ.get(HOME) or Path.home() / ".evalgrid"))
