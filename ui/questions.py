"""What the Questions page draws."""

from __future__ import annotations

from collections import defaultdict

import streamlit as st

from evalcore.errors import EvalgridError
from evalcore.evalset.check import Problem
from evalcore.evalset.files import EXTENSIONS, read_questions
from evalcore.evalset.items import EvalItem, EvalSet, Slot
from evalcore.workspace import QuestionsRow
from ui import setup, tables
from ui.samples import samples
from ui.state import Here
from ui.text import ago, count, plain, whole

TITLE = "Questions"
LINE = "What is asked, and the passages of your documents that answer it. A passage found is an answer found."
ANY = "Any"
FILTERS = ("All", "With problems", "Errors", "Not scored")


def draw(here: Here) -> None:
    """Draw the Questions page."""
    setup.need_project(here, TITLE, LINE)
    project = here.project.id if here.project else ""
    row = here.workspace.questions_row(project)
    actions = setup.head(TITLE, LINE)
    if row is None:
        _upload(here, project, is_first=True)
        return
    if actions.button(
        "Choose the grid", type="primary", icon=":material/arrow_forward:", key="questions.next"
    ):
        setup.go("grid", here.link)
    problems = here.workspace.problems(project)
    _totals(row, problems)
    _set_problems([p for p in problems if p.question_id is None])
    evalset = here.workspace.questions(project)
    if evalset is not None:
        _browse(evalset, problems)
    with st.expander("Replace the questions, or go back", icon=":material/swap_horiz:"):
        st.caption(f"Saved {ago(row.saved)}. Replacing keeps these; you can go back to them.")
        _upload(here, project, is_first=False)
        if st.button("Back to the questions before these", icon=":material/undo:", key="questions.undo"):
            back = here.workspace.undo_questions(project)
            setup.say("The former questions are back." if back is not False else "There are no earlier ones.")
            st.rerun()


def _upload(here: Here, project: str, *, is_first: bool) -> None:
    batch = st.session_state.setdefault("questions.batch", 0)
    with st.container(border=is_first, key="questions-upload"):
        if is_first:
            st.markdown("**Add your questions**")
            st.caption(
                "YAML, JSON, JSON Lines or CSV. Each question has an id, its text and one or more passages."
            )
        given = st.file_uploader(
            "Questions",
            type=[e.lstrip(".") for e in EXTENSIONS],
            key=f"questions.file.{batch}",
            label_visibility="collapsed",
        )
    if given is not None:
        try:
            here.workspace.save_questions(project, read_questions(given.name, given.getvalue()))
        except EvalgridError as error:
            setup.refuse(error)
        else:
            st.session_state["questions.batch"] += 1
            setup.say("Questions saved and checked against your documents.")
            st.rerun()
    if is_first:
        _formats()


def _formats() -> None:
    st.subheader("What a file looks like", anchor=False)
    st.caption("Copy one, replace the contents, and quote passages word for word from your documents.")
    found = samples()
    for tab, (language, text) in zip(st.tabs(list(found)), found.values(), strict=True):
        tab.code(text, language=language, wrap_lines=True)
    st.caption(
        "Two passages under one question must both be found. A list inside the list holds alternatives, "
        "of which one is enough. The first tag is the question's type."
    )


def _totals(row: QuestionsRow, problems: list[Problem]) -> None:
    errors = sum(p.severity == "error" for p in problems)
    with st.grid(4, min_column_width=105, gap="small"):
        st.metric("Questions", whole(row.count), border=True)
        st.metric(
            "Scored", whole(row.scored), border=True, help="Questions with at least one passage to find."
        )
        st.metric(
            "Errors", whole(errors), border=True, help="These make the numbers wrong, so a run refuses them."
        )
        st.metric(
            "Warnings", whole(len(problems) - errors), border=True, help="A run goes ahead; have a look."
        )


def _set_problems(problems: list[Problem]) -> None:
    for problem in problems:
        _problem(problem)


def _problem(problem: Problem) -> None:
    is_error = problem.severity == "error"
    with st.container(horizontal=True, vertical_alignment="top"):
        st.badge(
            "Error" if is_error else "Warning",
            icon=":material/error:" if is_error else ":material/warning:",
            color="red" if is_error else "orange",
        )
        st.text(problem.message, width="stretch")


def _browse(evalset: EvalSet, problems: list[Problem]) -> None:
    by_question: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.question_id is not None:
            by_question[problem.question_id].append(problem)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.segmented_control(
            "Show", FILTERS, default="All", required=True, key="questions.show", bind="query-params"
        )
        types = sorted({item.qtype for item in evalset if item.qtype})
        qtype = st.selectbox("Type", [ANY, *types], key="questions.type", width=220)
        needle = st.text_input(
            "Find",
            key="questions.find",
            placeholder="Words in the question or its id",
            width=260,
            bind="query-params",
        )
    asked = _asked_for(evalset)
    items = [i for i in evalset if _fits(i, by_question.get(i.id, []), str(wanted), qtype, needle)]
    if not items:
        st.info("No question fits these filters.", icon=":material/filter_alt_off:")
        return
    halves = st.grid(2, min_column_width=340, gap="small")
    with halves.cell():
        st.caption(f"{len(items):,} of {count(len(evalset), 'question')}")
        first = next((n for n, item in enumerate(items) if item.id == asked), 0)
        table = f"questions.table.{wanted}.{qtype}.{needle}"
        chosen = tables.questions(items, by_question, key=table, first=first)
    with halves.cell():
        if chosen is not None:
            if chosen.id != (asked or items[0].id):
                st.query_params["question"] = chosen.id
            _one(chosen, by_question.get(chosen.id, []))


def _asked_for(evalset: EvalSet) -> str | None:
    """The question that the address names, `?question=ID`; None when it names none that is here."""
    asked = st.query_params.get("question")
    if asked is None or any(item.id == asked for item in evalset):
        return asked
    st.warning(
        f"The address names the question {plain(asked)}, which is not among these. They may have been "
        "replaced since the run.",
        icon=":material/link_off:",
    )
    return None


def _fits(item: EvalItem, problems: list[Problem], wanted: str, qtype: str, needle: str) -> bool:
    shown = {
        "All": True,
        "With problems": bool(problems),
        "Errors": any(p.severity == "error" for p in problems),
        "Not scored": not item.is_scored,
    }[wanted]
    typed = qtype in (ANY, item.qtype)
    return shown and typed and needle.casefold() in f"{item.id} {item.question}".casefold()


def _one(item: EvalItem, problems: list[Problem]) -> None:
    with st.container(border=True, key="one-question"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(item.id))
            if item.qtype:
                st.badge(plain(item.qtype), color="gray")
            if not item.reviewed:
                st.badge("Draft, not reviewed", color="orange")
        st.text(item.question, width="stretch")
        for problem in problems:
            _problem(problem)
        if not item.slots:
            st.caption("No passage answers it, so it is not scored.")
        for number, slot in enumerate(item.slots, start=1):
            _slot(number, slot, len(item.slots))
        if item.answer:
            st.markdown("**Answer**")
            st.text(item.answer, width="stretch")


def _slot(number: int, slot: Slot, of: int) -> None:
    label = "Passage" if of == 1 else f"Passage {number} of {of}"
    extra = f" · any of {len(slot)} alternatives" if len(slot) > 1 else ""
    st.markdown(f"**{label}**{extra}")
    for anchor in slot:
        with st.container(border=True, gap="xxsmall"):
            st.text(anchor.quote, width="stretch")
            if anchor.source_id is not None:
                st.caption(f"in {plain(anchor.source_id)}")
