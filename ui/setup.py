"""The frame around every page: navigation, page config, sidebar and head."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from evalcore.errors import EvalgridError, WorkspaceError
from ui import sidebar
from ui.state import Here, Link, find, open_workspace
from ui.words import PRODUCT

ROOT = Path(__file__).resolve().parent.parent
ICON = ROOT / "ui" / "icon.svg"
LOGO = ROOT / "ui" / "logo.svg"
TITLES = {
    "home": "Home",
    "corpus": "Corpus",
    "questions": "Questions",
    "grid": "Grid",
    "run": "Run",
    "results": "Results",
    "report": "Report",
}
NOTICE = "setup.notice"


def path_of(page: str) -> Path:
    """The file of a page."""
    return ROOT / "pages" / f"{page}.py"


def navigation() -> Page:
    """Tell Streamlit the pages. Home answers at `/` and, like the others, at its own name."""
    front = st.Page(path_of("home"), title=TITLES["home"], url_path="start", default=True)
    pages = [st.Page(path_of(name), title=title, url_path=name) for name, title in TITLES.items()]
    return st.navigation([front, *pages], position="hidden")


def setup(page: str) -> Here:
    """Prepare a page and say where the reader is; each page calls it first.

    On a fresh server Streamlit may run a page's file without app.py, so this declares the navigation too.
    """
    st.set_page_config(page_title=f"{TITLES[page]} · {PRODUCT}", page_icon=str(ICON), layout="wide")
    st.logo(str(LOGO), size="medium", icon_image=str(ICON))
    navigation()
    try:
        here = find(open_workspace())
    except WorkspaceError as error:
        st.error(str(error), title="The workspace cannot be opened", icon=":material/folder_off:")
        st.stop()
    sidebar.draw(page, here, path_of)
    if here.stray:
        st.warning(f"{here.stray} You see your own newest work instead.", icon=":material/link_off:")
    _show_notice()
    return here


def head(title: str, line: str) -> DeltaGenerator:
    """Draw a page's title and what it is for; returns the place for its action, right of the title."""
    frame = st.container(gap=None, key="head")
    row = frame.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    row.title(title, anchor=False, width="content")
    actions = row.container(horizontal=True, horizontal_alignment="right", width="content")
    frame.caption(line)
    return actions


def need_project(here: Here, title: str, line: str) -> None:
    """Draw an empty page and stop when there is no project yet."""
    if here.project is not None:
        return
    head(title, line)
    card = empty(
        "There is no project yet",
        "A project holds documents, questions and runs that belong together.",
        ":material/folder_open:",
    )
    if card.button("Go to Home", type="primary"):
        go("home", Link())
    st.stop()


def empty(title: str, line: str, icon: str) -> DeltaGenerator:
    """Draw the card that stands where something will be; returns it, for what to do next."""
    card = st.container(border=True, horizontal_alignment="center", gap="small")
    card.space("small")
    card.markdown(f"### {icon}", text_alignment="center")
    card.markdown(f"**{title}**", text_alignment="center")
    card.caption(line, text_alignment="center")
    actions = card.container(horizontal=True, horizontal_alignment="center")
    card.space("small")
    return actions


def go(page: str, link: Link) -> NoReturn:
    """Open another page at a place."""
    st.switch_page(path_of(page), query_params=link.params)


def say(text: str) -> None:
    """Leave a line that the next drawing shows once."""
    st.session_state[NOTICE] = text


def refuse(error: EvalgridError) -> None:
    """Show what a person can put right, as text."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.badge("Not done", icon=":material/error:", color="red")
        st.text(str(error), width="stretch")


def _show_notice() -> None:
    text = st.session_state.pop(NOTICE, None)
    if text:
        st.toast(text, icon=":material/check_circle:")
