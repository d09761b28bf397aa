"""What a run noticed, the worst first, each with a way to what it is about."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from evalcore.results.warnings import RunWarning, Severity
from ui import setup
from ui.shown import Shown, show_in_ranking
from ui.text import count, plain
from ui.viewcompare import question_link

Color = Literal["red", "orange", "blue"]
BADGES: dict[Severity, tuple[str, str, Color]] = {
    Severity.ERROR: ("Error", ":material/error:", "red"),
    Severity.WARNING: ("Warning", ":material/warning:", "orange"),
    Severity.INFO: ("Note", ":material/info:", "blue"),
}
MOST = 50
PAGES = {
    "parse": ("corpus", "Corpus"),
    "score": ("questions", "Questions"),
    "grid": ("grid", "Grid: the settings of the next run"),
    "embed": ("grid", "Grid: the settings of the next run"),
    "run": ("run", "Run"),
}


def warnings(shown: Shown) -> None:
    """List what the run noticed by severity, each with a link to its subject."""
    log = shown.whole.warnings
    if not len(log):
        st.info("The run noticed nothing that may harm its numbers.", icon=":material/check_circle:")
    for severity, entries in log.by_severity().items():
        name, icon, color = BADGES[severity]
        with st.container(border=True, key=f"warnings-{severity}"):
            st.badge(f"{name} · {len(entries):,}", icon=icon, color=color)
            for number, entry in enumerate(entries[:MOST]):
                with st.container(gap=None):
                    st.text(entry.message, width="stretch")
                    _subject(shown, entry, f"{severity}.{number}")
            if len(entries) > MOST:
                with st.expander(f"{count(len(entries) - MOST, 'more')}"):
                    st.text("\n".join(entry.message for entry in entries[MOST:]), width="stretch")
    st.caption(f"Shared work: {shown.whole.cache_summary}.")


def _subject(shown: Shown, entry: RunWarning, key: str) -> None:
    link = shown.here.link.params
    if entry.subject in shown.whole.questions:
        question_link(shown, entry.subject, "Question")
    elif shown.whole.get(entry.subject) is not None:
        st.button(
            f"Show {plain(shown.name(entry.subject))} in the ranking",
            key=f"views.warned.{key}",
            type="tertiary",
            on_click=show_in_ranking,
            args=(entry.subject,),
        )
    elif entry.stage == "parse" and entry.subject:
        label = f"Document {plain(entry.subject)}"
        st.page_link(setup.path_of("corpus"), label=label, query_params={**link, "document": entry.subject})
    elif entry.stage in PAGES:
        page, label = PAGES[entry.stage]
        st.page_link(setup.path_of(page), label=label, query_params=link)
