"""What a project's next run is predicted to take: worked out by a process of its own, kept by its inputs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from evalcore.errors import WorkspaceError
from evalcore.run.estimate import Estimate
from evalcore.run.files import make_folder, one_line, read_json, sha256, shelf, write_json
from evalcore.run.lease import is_held
from evalcore.workspace.corpora import corpus_key
from evalcore.workspace.questions import QuestionSets

# Part of a prediction's key: raise it when equal inputs are predicted otherwise.
VERSION = 1
FOLDER = "estimates"
LOCK = "estimate.lock"
LOG = "estimate.log"
SPEEDS = "speeds.json"
# The last one started may not have taken its lock yet.
_PAUSE_SECONDS = 3.0
_KEPT = 200

_started: dict[Path, float] = {}


@dataclass(frozen=True, slots=True)
class Forecast:
    """A prediction, or why there is none: a `problem` in one line, or somebody is at it (`is_pending`)."""

    estimate: Estimate | None = None
    problem: str = ""
    is_pending: bool = False


class Forecasts(QuestionSets):
    """The predictions of a workspace."""

    def forecast(self, project_id: str) -> Forecast:
        """Return what the next run is predicted to take; cheap enough to poll.

        When it is not known a process begins to work it out, but not beside a run, which it would slow down
        and which would make it wrong.

        Raises:
            WorkspaceError: no process can be started, or the folder cannot be written.
        """
        if not any(text.has_text for text in self.texts(project_id)):
            return Forecast(problem="add documents to see what a run takes")
        kept = self.kept_forecast(project_id)
        if kept is not None:
            return kept
        if self._is_running():
            return Forecast(
                problem="a run is at work; when it has ended, what the next one takes is measured"
            )
        self._begin(project_id)
        return Forecast(is_pending=True)

    def kept_forecast(self, project_id: str) -> Forecast | None:
        """Return the prediction for the project as it is, None when there is none yet."""
        path = self._path(project_id)
        if not path.exists():
            return None
        try:
            kept = read_json(path)
            if kept["problem"]:
                return Forecast(problem=str(kept["problem"]))
            return Forecast(Estimate.from_dict(kept["estimate"]))
        except (WorkspaceError, KeyError, TypeError):
            return None

    def keep_forecast(self, project_id: str, forecast: Forecast) -> None:
        """Keep a prediction for the project as it is.

        Raises:
            WorkspaceError: the folder cannot be written.
        """
        path = self._path(project_id)
        make_folder(path.parent)
        estimate = None if forecast.estimate is None else forecast.estimate.as_dict()
        write_json(path, {"problem": forecast.problem, "estimate": estimate})
        _prune(self.root / FOLDER)

    def _path(self, project_id: str) -> Path:
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT digest FROM question_sets WHERE project_id = ? AND undone IS NULL"
                " ORDER BY id DESC LIMIT 1",
                (project_id,),
            ).fetchone()
        settings = json.dumps(self.settings(project_id).to_dict(), sort_keys=True)
        questions = "" if row is None else row["digest"]
        parts = f"{VERSION} {corpus_key(self.texts(project_id))} {questions} {settings}"
        return shelf(self.root / FOLDER, sha256(parts.encode("utf-8", "surrogatepass")), ".json")

    def _is_running(self) -> bool:
        with self.database.read() as connection:
            found = connection.execute(
                "SELECT 1 FROM runs WHERE status IN ('running', 'cancelling') LIMIT 1"
            ).fetchone()
        return found is not None

    def _begin(self, project_id: str) -> None:
        last = _started.get(self.root)
        if is_held(self.root / LOCK) or (last is not None and time.monotonic() - last < _PAUSE_SECONDS):
            return
        _started[self.root] = time.monotonic()
        command = [sys.executable, "-m", "evalcore.run.forecasting"]
        command += ["--home", str(self.root), "--project", project_id]
        home = Path(__file__).resolve().parents[2]
        path = os.pathsep.join(filter(None, [str(home), os.environ.get("PYTHONPATH")]))
        with one_line("write", self.root / LOG), (self.root / LOG).open("wb") as log:
            process = subprocess.Popen(
                command, cwd=home, env={**os.environ, "PYTHONPATH": path}, stdout=log, stderr=log
            )
        # Somebody must wait for it, or it stays a zombie as long as this process lives.
        threading.Thread(target=process.wait, name="evalgrid-estimate", daemon=True).start()


def _prune(folder: Path) -> None:
    """Let the oldest predictions go."""
    kept = sorted(folder.glob("*/*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[_KEPT:]:
        path.unlink(missing_ok=True)
