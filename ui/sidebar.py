"""The sidebar: which project, and the way through it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from ui.state import Here, Link, choose_project, projects
from ui.steps import Progress, Step, progress_of

ICONS = {
    "done": ":material/check_circle:",
    "todo": ":material/radio_button_unchecked:",
    "problem": ":material/error:",
    "live": ":material/progress_activity:",
}
COLOURS = {"done": "gray", "todo": "gray", "problem": "orange", "live": "blue"}
WITH_RUN = ("run", "results", "report")
PathOf = Callable[[str], Path]


def draw(page: str, here: Here, path_of: PathOf) -> None:
    """Draw the sidebar of `page`."""
    with st.sidebar:
        _project(here)
        if here.project is None:
            st.caption("Your project's five steps appear here.")
            return
        progress = progress_of(here.workspace, here.project.id)
        with st.container(gap="xsmall", key="steps"):
            st.page_link(
                path_of("home"),
                label="Home",
                icon=":material/home:",
                query_params=_params("home", here),
                width="stretch",
            )
            for step in progress.steps:
                _step(step, page, here, progress, path_of)
            st.page_link(
                path_of("report"),
                label="Report",
                icon=":material/description:",
                query_params=_params("report", here),
                width="stretch",
            )


def _step(step: Step, page: str, here: Here, progress: Progress, path_of: PathOf) -> None:
    is_next = progress.next is step
    title = f"**{step.title}**" if is_next or step.page == page else step.title
    words = f":{COLOURS[step.state]}[{step.words}]"
    mark = "  :primary-badge[next]" if is_next and step.state == "todo" else ""
    st.page_link(
        path_of(step.page),
        label=f"{title}  :small[{words}]{mark}",
        icon=ICONS[step.state],
        query_params=_params(step.page, here),
        width="stretch",
    )


def _params(page: str, here: Here) -> dict[str, str]:
    run = here.run if page in WITH_RUN else None
    return Link(here.link.project, run).params


def _project(here: Here) -> None:
    own = projects(here.workspace)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", wrap=False):
        if own:
            _switcher(here, [p.id for p in own], {p.id: p.name for p in own})
        _menu(here)


def _switcher(here: Here, ids: list[str], names: dict[str, str]) -> None:
    chosen = here.project.id if here.project else ids[0]
    st.session_state["sidebar.project"] = chosen

    def switch() -> None:
        choose_project(str(st.session_state["sidebar.project"]))

    st.selectbox(
        "Project",
        ids,
        format_func=lambda i: names.get(i, i),
        key="sidebar.project",
        on_change=switch,
        label_visibility="collapsed",
        required=True,
    )


def _menu(here: Here) -> None:
    label = ":material/more_horiz:" if here.project else ":material/add: New project"
    with st.popover(label, help="New, rename or remove a project", width="content", key="project-menu"):
        with st.form("sidebar.new", border=False, clear_on_submit=True):
            name = st.text_input("New project", max_chars=80, placeholder="Name, e.g. Contracts 2026")
            if st.form_submit_button("Create") and name.strip():
                choose_project(here.workspace.create_project(name.strip()).id)
                st.rerun()
        if here.project is not None:
            _rename(here)
            _remove(here)
        _undo(here)


def _rename(here: Here) -> None:
    project = here.project
    if project is None:
        return
    with st.form(f"sidebar.rename.{project.id}", border=False):
        name = st.text_input("Rename this project", value=project.name, max_chars=80)
        if st.form_submit_button("Rename") and name.strip():
            here.workspace.rename_project(project.id, name.strip())
            st.rerun()


def _remove(here: Here) -> None:
    project = here.project
    if project is None:
        return
    sure = st.checkbox("Remove this project (can be undone)", key=f"sidebar.sure.{project.id}")
    if st.button("Remove", disabled=not sure, key="sidebar.remove"):
        here.workspace.delete_project(project.id)
        st.session_state["sidebar.removed"] = project.id
        others = [p.id for p in projects(here.workspace)]
        if others:
            choose_project(others[0])
        else:
            st.query_params.clear()
        st.rerun()


def _undo(here: Here) -> None:
    removed = st.session_state.get("sidebar.removed")
    if isinstance(removed, str) and st.button("Undo the last removal", icon=":material/undo:"):
        here.workspace.restore_project(removed)
        del st.session_state["sidebar.removed"]
        choose_project(removed)
        st.rerun()
