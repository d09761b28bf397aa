"""What the Corpus page draws."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.corpus.document import Document
from evalcore.errors import EvalgridError
from evalcore.text.span import Span
from evalcore.workspace import FileRow
from ui import setup, tables
from ui.state import Here
from ui.steps import usable
from ui.text import count, plain, size, whole

TITLE = "Corpus"
LINE = (
    "The documents that are cut and searched. A copy of each file is kept in the workspace on this machine."
)
READABLE = "Markdown, text, HTML, PDF and Word. Other files are refused one by one; the rest load."
SHOWN = 20_000
BATCH = "corpus.batch"
REMOVED = "corpus.removed"
GIVEN = "corpus.given"
OPEN_UP_TO = 6


def draw(here: Here) -> None:
    """Draw the Corpus page."""
    setup.need_project(here, TITLE, LINE)
    files = here.workspace.files(_project(here))
    actions = setup.head(TITLE, LINE)
    if usable(files):
        _next(here, actions)
    _upload(here, is_first=not files)
    _undo(here)
    if files:
        _totals(files)
        _result(files)
        _table(here, files)


def _project(here: Here) -> str:
    return here.project.id if here.project else ""


def _next(here: Here, actions: st.delta_generator.DeltaGenerator) -> None:
    has_questions = here.workspace.questions_row(_project(here)) is not None
    page, label = ("grid", "Choose the grid") if has_questions else ("questions", "Add questions")
    if actions.button(label, type="primary", icon=":material/arrow_forward:", key="corpus.next"):
        setup.go(page, here.link)


def _upload(here: Here, *, is_first: bool) -> None:
    with st.container(border=True, key="corpus-upload"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown("**Add your first documents**" if is_first else "**Add documents**")
            way = st.segmented_control(
                "What to choose",
                ["Files", "A folder"],
                default="Files",
                required=True,
                key="corpus.way",
                label_visibility="collapsed",
            )
        batch = st.session_state.setdefault(BATCH, 0)
        given = st.file_uploader(
            "Documents",
            accept_multiple_files="directory" if way == "A folder" else True,
            key=f"corpus.files.{batch}",
            label_visibility="collapsed",
        )
        st.caption(READABLE)
        if given:
            _read(here, [(f.name, f.getvalue()) for f in given])


def _read(here: Here, files: Sequence[tuple[str, bytes]]) -> None:
    """Copy what was given into the workspace in this same run: the uploader forgets it on a page switch."""
    bar = st.progress(0.0, "Reading …")

    def show(done: int, total: int, name: str) -> None:
        bar.progress(done / total if total else 1.0, f"Reading {done:,} of {total:,}: {plain(name)}")

    try:
        rows = here.workspace.add_files(_project(here), files, progress=show)
    except EvalgridError as error:
        bar.empty()
        setup.refuse(error)
        return
    st.session_state[GIVEN] = (len(files), sum(row.status == "refused" for row in rows))
    st.session_state[BATCH] += 1
    st.rerun()


def _result(files: list[FileRow]) -> None:
    """Say how many of the files given last were read, and what to know of any file."""
    given = st.session_state.get(GIVEN)
    if isinstance(given, tuple):
        number, refused = given
        line = f"{number:,} given = {number - refused:,} read + {refused:,} refused"
        st.success(line, icon=":material/check_circle:") if not refused else st.warning(
            line, icon=":material/info:"
        )
    noted = [row for row in files if row.status == "refused"] + [
        row for row in files if row.status == "warned"
    ]
    if not noted:
        return
    refused = sum(row.status == "refused" for row in noted)
    title = f"{count(refused, 'file')} refused, {count(len(noted) - refused, 'file')} read with a warning"
    with st.expander(title, icon=":material/info:", expanded=len(noted) <= OPEN_UP_TO, key="corpus-notes"):
        lines = st.container(gap="xsmall")
        for row in noted:
            lines.text(f"{'✕' if row.status == 'refused' else '!'}  {_named(row)}", width="stretch")


def _named(row: FileRow) -> str:
    """A message that says which file it is about, once."""
    return row.message if row.message.startswith(row.name) else f"{row.name}: {row.message}"


def _totals(files: list[FileRow]) -> None:
    refused = sum(row.status == "refused" for row in files)
    loaded = [row for row in files if row.status != "refused"]
    given = f"{len(files):,} given = {len(loaded):,} read + {refused:,} refused"
    with st.grid(3, min_column_width=130, gap="small"):
        st.metric("Documents", whole(len(loaded)), border=True, help=given)
        tokens = sum(row.tokens for row in loaded)
        st.metric("Tokens", whole(tokens), border=True, help="cl100k_base tokens of all texts.")
        st.metric("Characters", whole(sum(row.characters for row in loaded)), border=True)


def _table(here: Here, files: list[FileRow]) -> None:
    bar = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    bar.caption("Select one row to read its text; select several to remove them.")
    asked = st.query_params.get("document")  # a document's id, as the warnings of a run link to it
    opened = [place for place, row in enumerate(files) if asked is not None and row.doc_id == asked]
    chosen = tables.files(files, key=f"corpus.table.{_project(here)}.{len(files)}", opened=opened)
    if chosen:
        label = f"Remove {count(len(chosen), 'file')}"
        if bar.button(label, icon=":material/delete:", key="corpus.remove"):
            names = [row.name for row in chosen]
            here.workspace.remove_files(_project(here), names)
            st.session_state[REMOVED] = (_project(here), names)
            st.session_state.pop(GIVEN, None)
            st.rerun()
    if len(chosen) == 1:
        _document(here, chosen[0])


def _undo(here: Here) -> None:
    removed = st.session_state.get(REMOVED)
    if not isinstance(removed, tuple) or removed[0] != _project(here):
        return
    with st.container(
        border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.text(f"Removed: {', '.join(removed[1])}", width="stretch")
        if st.button("Undo", icon=":material/undo:", key="corpus.undo"):
            here.workspace.restore_files(_project(here), removed[1])
            del st.session_state[REMOVED]
            st.rerun()


def _document(here: Here, row: FileRow) -> None:
    st.subheader(plain(row.name), anchor=False)
    st.caption(
        f"{row.kind} · {size(row.size)} · {count(row.characters, 'character')} · {count(row.tokens, 'token')}"
    )
    if row.message:
        st.text(row.message)
    try:
        document = here.workspace.document(_project(here), row.name)
    except EvalgridError as error:
        setup.refuse(error)
        return
    if document is None:
        st.caption("There is no text to show.")
        return
    parts = st.grid(3, min_column_width=200, gap="small")
    with parts.cell():
        start = _outline(document)
    with parts.cell(column_span=2):
        _text(document, start)


def _outline(document: Document) -> int:
    """Draw the headings; returns where the chosen one begins."""
    st.markdown("**Outline**")
    if not document.headings:
        st.caption("No headings were found. Cutting by structure falls back to size here.")
        return 0
    place = tables.outline(document, key=f"corpus.outline.{document.id}")
    return 0 if place is None else document.headings[place].start


def _text(document: Document, start: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown("**Text as it was read**")
        parts = max(1, -(-(len(document.text) - start) // SHOWN))
        part = st.pagination(parts, key=f"corpus.part.{document.id}.{start}") if parts > 1 else 1
    begin = start + (part - 1) * SHOWN
    span = Span(document.id, begin, min(begin + SHOWN, len(document.text)))
    with st.container(border=True, height=460, key="document-text"):
        st.text(document.text[span.start : span.end] or "(empty)", width="stretch")
