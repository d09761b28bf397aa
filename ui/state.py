"""Where the reader is: the workspace, the project and the run, kept in the URL."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from evalcore.workspace import Project, RunState, Workspace
from evalcore.workspace.exchange import REPORTS_ID
from ui.memory import keep_small

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PROJECT = "here.project"


@dataclass(frozen=True, slots=True)
class Link:
    """A place in the dashboard: ids of a project and of a run, each None when the link names none.

    Anything that does not look like an id is dropped.
    """

    project: str | None = None
    run: str | None = None

    @classmethod
    def read(cls, params: Mapping[str, str]) -> Link:
        """Read a URL's parameters."""
        return cls(_token(params.get("project")), _token(params.get("run")))

    @property
    def params(self) -> dict[str, str]:
        """The URL's parameters."""
        pairs = {"project": self.project, "run": self.run}
        return {key: value for key, value in pairs.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Here:
    """What a page is about. `stray` says, in a sentence, that the link named something that is not here."""

    workspace: Workspace
    project: Project | None
    run: str | None
    stray: str = ""

    @property
    def link(self) -> Link:
        """The address of this place."""
        return Link(self.project.id if self.project else None, self.run)

    def question(self, question_id: str) -> dict[str, str]:
        """The URL's parameters that open one question on the Questions page."""
        return {**self.link.params, "question": question_id}

    def run_reported(self) -> RunState | None:
        """The run that the URL names, else the newest one with results, else the newest."""
        if self.run is None and self.project is not None:
            runs = self.workspace.runs(self.project.id)
            found = next((run for run in runs if has_results(run)), None)
            return found or self.run_shown()
        return self.run_shown()

    def run_shown(self) -> RunState | None:
        """The run that the URL names, else the project's newest."""
        if self.run is not None:
            return self.workspace.run(self.run)
        if self.project is None:
            return None
        newest = next(iter(self.workspace.runs(self.project.id)), None)
        return self.workspace.run(newest.id) if newest else None


def has_results(run: RunState) -> bool:
    """Whether a run has something to report."""
    if run.kind == "report":
        return True
    return not run.is_live and any(cell.state == "done" for cell in run.cells)


def open_workspace() -> Workspace:
    """The workspace of this server, opened once."""
    return _open(os.environ.get("EVALGRID_HOME", ""))


@st.cache_resource(show_spinner=False)
def _open(home: str) -> Workspace:
    del home  # another folder is another workspace; the value itself is read by `default`
    keep_small()
    return Workspace.default()


def find(workspace: Workspace) -> Here:
    """Find out where the reader is: the URL first, then this tab's project, then the newest one."""
    link = Link.read(st.query_params)
    run = workspace.run(link.run) if link.run else None
    stray = "This link names a run that is not in this workspace." if link.run and run is None else ""
    owner = run.project_id if run is not None and run.kind == "run" else None
    project = _project(workspace, owner or link.project)
    if link.project and _project(workspace, link.project) is None:
        stray = "This link names a project that is not in this workspace."
    if project is None:
        project = _remembered(workspace)
    here = Here(workspace, project, run.id if run else None, stray)
    _remember(here)
    return here


def projects(workspace: Workspace) -> list[Project]:
    """The reader's projects, newest first; reports that were opened belong to none of them."""
    return [project for project in workspace.projects() if project.id != REPORTS_ID]


def choose_project(project_id: str) -> None:
    """Make another project the one that is shown, from the next drawing on."""
    st.session_state[_PROJECT] = project_id
    st.query_params.from_dict(Link(project_id).params)


def _remembered(workspace: Workspace) -> Project | None:
    known = st.session_state.get(_PROJECT)
    return _project(workspace, known) or next(iter(projects(workspace)), None)


def _project(workspace: Workspace, project_id: object) -> Project | None:
    if not isinstance(project_id, str) or project_id == REPORTS_ID:
        return None
    return workspace.project(project_id)


def _remember(here: Here) -> None:
    if here.project is not None:
        st.session_state[_PROJECT] = here.project.id
    wanted = here.link.params
    for key in ("project", "run"):  # the other parameters belong to widgets, which alone may set them
        if key in wanted and st.query_params.get(key) != wanted[key]:
            st.query_params[key] = wanted[key]
        elif key not in wanted and key in st.query_params:
            del st.query_params[key]


def _token(value: str | None) -> str | None:
    return value if value is not None and _TOKEN.fullmatch(value) else None
