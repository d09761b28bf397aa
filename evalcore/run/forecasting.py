"""A process that predicts a run: `python -m evalcore.run.forecasting --home DIR --project ID`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from evalcore.errors import EvalgridError, WorkspaceError
from evalcore.run.files import read_json, write_json
from evalcore.run.forecast import estimate
from evalcore.run.lease import acquire
from evalcore.run.trials import ModelSpeed
from evalcore.workspace.forecasts import LOCK, SPEEDS, Forecast
from evalcore.workspace.workspace import Workspace

_NICENESS = 5

log = logging.getLogger(__name__)


def predict(workspace: Workspace, project_id: str) -> Forecast:
    """Work out and keep what the project's next run takes; what goes wrong is kept as the reason.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    evalset = workspace.questions(project_id)
    speeds = _speeds(workspace.root / SPEEDS)
    known = len(speeds)
    try:
        settings = workspace.settings(project_id)
        items = evalset.scored if evalset is not None else ()
        found = Forecast(estimate(workspace.corpus(project_id), settings, items, speeds))
    except EvalgridError as error:
        found = Forecast(problem=" ".join(str(error).split()))
    except Exception as error:
        log.exception("the run of %s cannot be predicted", project_id)
        found = Forecast(problem=f"it cannot be predicted: {type(error).__name__}")
    workspace.keep_forecast(project_id, found)
    if len(speeds) > known:
        write_json(workspace.root / SPEEDS, {key: asdict(speed) for key, speed in speeds.items()})
    return found


def _speeds(path: Path) -> dict[str, ModelSpeed]:
    """Read the speeds of models measured on this machine; what cannot be read is measured again."""
    with suppress(WorkspaceError, TypeError, AttributeError):
        return {key: ModelSpeed(**speed) for key, speed in read_json(path).items()} if path.exists() else {}
    return {}


def main(argv: Sequence[str] | None = None) -> int:
    """Predict a project's run; returns at once when another process of this kind is at work."""
    parser = argparse.ArgumentParser(prog="python -m evalcore.run.forecasting", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="the workspace's folder")
    parser.add_argument("--project", required=True, help="the project's id")
    given = parser.parse_args(argv)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        workspace = Workspace(given.home)
        lease = acquire(workspace.root / LOCK, 0)
        if lease is not None:
            predict(workspace, given.project)
            lease.release()
    except EvalgridError as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
