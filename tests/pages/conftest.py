"""What page tests get: a staged workspace, a project in it, and pages opened as the dashboard opens them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.models import EvalReport
from evalcore.report import stored
from tests.pages.staged import TEXT, Staged, questions

ROOT = Path(__file__).resolve().parents[2]
Open = Callable[..., AppTest]


@pytest.fixture
def workspace(workspace_home: Path, monkeypatch: pytest.MonkeyPatch) -> Staged:
    staged = Staged(workspace_home)
    monkeypatch.setattr("ui.setup.open_workspace", lambda: staged)
    return staged


@pytest.fixture
def project(workspace: Staged) -> str:
    """Return a project with nothing in it."""
    return workspace.create_project("Policies $1$ :smile:").id


@pytest.fixture
def filled(workspace: Staged, project: str) -> str:
    """Return a project with a document and questions."""
    workspace.add_files(project, [("policy.md", TEXT)])
    workspace.save_questions(project, questions())
    return project


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> dict[str, EvalReport]:
    """Return the reports by run id, to be filled by the test."""
    found: dict[str, EvalReport] = {}
    monkeypatch.setattr(stored, "load_judged", lambda workspace, run_id: stored.Judged(found[run_id], {}))
    monkeypatch.setattr(
        stored, "report_bytes", lambda workspace, run_id: found[run_id].model_dump_json().encode()
    )
    return found


@pytest.fixture
def open_page() -> Open:
    """Open a page at an address; fail when it shows an exception."""

    def open_at(page: str, **params: str) -> AppTest:
        app = AppTest.from_file(ROOT / "app.py", default_timeout=20)
        for key, value in params.items():
            app.query_params[key] = value
        return checked(app.switch_page(f"pages/{page}.py").run())

    return open_at


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception[0].stack_trace if app.exception else ""
    return app


def said(app: AppTest) -> str:
    """Return all words on the page, the sidebar left out."""
    kinds = ("title", "subheader", "caption", "markdown", "text", "warning", "success", "info", "error")
    parts = [str(element.value) for kind in kinds for element in app.main.get(kind)]
    parts += [str(element.proto.label) for element in app.main.get("metric")]
    parts += [str(block.label) for block in app.main.get("expander")]
    parts += [str(element.proto.text) for element in app.main.get("progress")]
    return "\n".join(parts)
