"""Projects are created, renamed, deleted and brought back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from evalcore.errors import InputError, WorkspaceError
from evalcore.settings import RetrievalSettings, Settings
from evalcore.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "home")


def test_projects_come_newest_first_and_survive_a_restart(workspace: Workspace) -> None:
    first = workspace.create_project("First")
    second = workspace.create_project("  Second \n one ")
    assert second.name == "Second one"
    assert Workspace(workspace.root).projects() == [second, first]
    assert workspace.project(first.id) == first
    assert first.created.utcoffset() == timedelta(0)


def test_an_id_is_safe_in_a_url(workspace: Workspace) -> None:
    project = workspace.create_project("<b>/..?&")
    assert project.id.isalnum()
    assert project.name == "<b>/..?&"


@pytest.mark.parametrize("name", ["", "  ", "\n"])
def test_a_blank_name_is_refused(workspace: Workspace, name: str) -> None:
    project = workspace.create_project("Named")
    with pytest.raises(InputError, match="name is blank"):
        workspace.create_project(name)
    with pytest.raises(InputError, match="name is blank"):
        workspace.rename_project(project.id, name)


def test_a_project_is_renamed(workspace: Workspace) -> None:
    project = workspace.create_project("Before")
    workspace.rename_project(project.id, "After \ud800")
    assert [p.name for p in workspace.projects()] == ["After ?"]


def test_a_deleted_project_comes_back_with_all_it_holds(workspace: Workspace) -> None:
    project = workspace.create_project("Gone")
    settings = Settings(retrieval=RetrievalSettings(top_k=9))
    workspace.save_settings(project.id, settings)
    workspace.delete_project(project.id)
    assert workspace.projects() == []
    assert workspace.project(project.id) is None
    with pytest.raises(WorkspaceError, match="no project"):
        workspace.save_settings(project.id, settings)
    workspace.restore_project(project.id)
    assert workspace.projects() == [project]
    assert workspace.settings(project.id) == settings


@pytest.mark.parametrize("project_id", ["nothing", "../x", "' OR 1=1", "\ud800", ""])
def test_an_unknown_project_is_none_and_holds_nothing(workspace: Workspace, project_id: str) -> None:
    assert workspace.project(project_id) is None
    assert workspace.files(project_id) == []
    assert workspace.questions(project_id) is None
    assert workspace.questions_row(project_id) is None
    assert workspace.runs(project_id) == []
    assert workspace.run(project_id) is None
    assert workspace.settings(project_id) == Settings()
    with pytest.raises(WorkspaceError, match="no project"):
        workspace.add_files(project_id, [("a.md", b"a")])


def test_settings_are_replaced_by_the_next_ones(workspace: Workspace) -> None:
    project = workspace.create_project("P").id
    for top_k in (3, 4):
        workspace.save_settings(project, Settings(retrieval=RetrievalSettings(top_k=top_k)))
    assert workspace.settings(project).retrieval.top_k == 4
