"""Run the example's grid and keep the finished run beside it: `.venv/bin/python examples/run_example.py`."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from evalcore.evalset.files import read_questions  # noqa: E402
from evalcore.settings import Settings  # noqa: E402
from evalcore.workspace import RunStatus, Workspace  # noqa: E402


def main() -> None:
    """Run in a workspace of its own, in a worker as the dashboard does, and export."""
    with tempfile.TemporaryDirectory() as home:
        workspace = Workspace(Path(home))
        project = workspace.create_project("Example").id
        files = [(path.name, path.read_bytes()) for path in sorted((HERE / "docs").iterdir())]
        workspace.add_files(project, files)
        questions = (HERE / "questions.yaml").read_bytes()
        workspace.save_questions(project, read_questions("questions.yaml", questions))
        settings = (HERE / "settings.yaml").read_bytes()
        workspace.save_settings(project, Settings.from_yaml(settings, "settings.yaml"))
        run_id = workspace.start_run(project)
        state = workspace.run(run_id)
        while state is not None and state.is_live:
            time.sleep(1)
            state = workspace.run(run_id)
            print(".", end="", flush=True)
        if state is None or state.status is not RunStatus.FINISHED:
            sys.exit(f"the run did not finish: {state}")
        workspace.update_run(run_id, name="Five ways of cutting, three ways of searching")
        shutil.rmtree(HERE / "run", ignore_errors=True)
        workspace.export_run(run_id, HERE / "run")


if __name__ == "__main__":
    main()
