"""Two configurations against each other."""

from __future__ import annotations

from textwrap import shorten
from urllib.parse import urlencode

import streamlit as st

from evalcore.errors import InputError
from evalcore.results.comparison import MOST_QUESTIONS, Comparison
from evalcore.stats import questions_for_gap
from ui import setup, viewcharts, viewtables
from ui.shown import LEFT, RIGHT, Shown
from ui.text import count, plain

MOST_LINKS = 12
MOST_LETTERS = 95


def two(shown: Shown) -> None:
    """Let the reader choose two configurations and compare them; those picked in the ranking come first."""
    labels = [run.label for run in shown.results.ranking(shown.metric)]
    if len(labels) < 2:
        st.info("With one configuration there is nothing to compare it with.", icon=":material/balance:")
        return
    with st.grid(2, min_column_width=300, gap="small") as cells:
        with cells.cell():
            left = _choose(shown, "Left", labels, 0, LEFT)
        with cells.cell():
            right = _choose(shown, "Right", labels, 1, RIGHT)
    if left == right:
        st.info("These are the same configuration; choose two.", icon=":material/balance:")
        return
    pair(shown, left, right)


def _choose(shown: Shown, title: str, labels: list[str], place: int, key: str) -> str:
    if st.session_state.get(key) not in labels:
        st.session_state.pop(key, None)
    return str(
        st.selectbox(
            title, labels, place, format_func=shown.name, key=key, bind="query-params", persist_state="page"
        )
    )


def pair(shown: Shown, left: str, right: str) -> None:
    """Draw the gap of two configurations and the questions on which they differ."""
    try:
        found = shown.results.significance(left, right, shown.metric)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/balance:")
        return
    st.markdown(f"**{plain(shown.name(left))}** against **{plain(shown.name(right))}**")
    gap(shown, found)
    _differing(shown, left, right)


def question_link(shown: Shown, question: str, figure: str = "", hint: str | None = None) -> None:
    """Draw a link that opens a question on the Questions page, with a figure before it."""
    asked = shorten(shown.whole.questions.get(question, ""), MOST_LETTERS, placeholder=" …")
    st.page_link(
        setup.path_of("questions"),
        label=" · ".join(filter(None, [figure, f"{plain(question)}: {plain(asked)}"])),
        help=hint,
        query_params=shown.here.question(question),
    )


def gap(shown: Shown, found: Comparison) -> None:
    """Draw a gap with its intervals, its figures and its sentence."""
    interval = f"{found.ci_low:+.3f} to {found.ci_high:+.3f}"
    with st.grid(4, min_column_width=200, gap="small"):
        st.metric("Gap", f"{found.difference:+.3f}", border=True, help=f"Left less right on {shown.title}.")
        st.metric("95 % interval", interval, border=True, help="Bootstrap of the paired differences.")
        st.metric("p", f"{found.p_value:.4f}", border=True, help="Two-sided sign-flip test, 2,000 draws.")
        won = f"{found.wins:,} / {found.losses:,} / {found.ties:,}"
        st.metric("Wins / losses / ties", won, border=True, help=f"Over {count(found.n, 'question')}.")
    told = f"Gap {found.difference:+.3f}, interval {interval}, over {count(found.n, 'question')}"
    if found.clustered is not None:
        told += f"; by document {found.clustered.low:+.3f} to {found.clustered.high:+.3f}"
    st.altair_chart(viewcharts.gap(found), alt=told)
    if found.clustered is not None:
        low, high = found.clustered
        st.caption(
            f"By document ({count(found.clusters, 'document')}): {low:+.3f} to {high:+.3f}. It is wider "
            "because several questions ask about one document and rise and fall together."
        )
    st.text(found.verdict(), width="stretch")
    needed = questions_for_gap(found.difference)
    if not found.distinguishable and needed is not None and found.n < needed <= MOST_QUESTIONS:
        st.caption(f"About {needed:,} questions could settle a gap of this size; there are {found.n:,}.")


def _differing(shown: Shown, left: str, right: str) -> None:
    gaps = shown.results.compare(left, right, shown.metric)["differences"]
    if not gaps:
        st.caption("They scored the same on every question.")
        return
    st.markdown(f"**{count(len(gaps), 'question')} scored differently**")
    ordered = sorted(gaps, key=lambda question: -abs(gaps[question]))
    for question in ordered[:MOST_LINKS]:
        question_link(shown, question, f"{gaps[question]:+.2f}")
    ours, theirs = (shown.results.get(label) for label in (left, right))
    if ours is None or theirs is None:
        return
    before, after = ours.scores(shown.metric), theirs.scores(shown.metric)
    viewtables.behind(
        [
            {
                "open": f"questions?{urlencode(shown.here.question(question))}",
                "id": question,
                "question": shown.results.questions.get(question, ""),
                "left": before[question],
                "right": after[question],
                "gap": gaps[question],
            }
            for question in ordered
        ],
        {
            "open": st.column_config.LinkColumn("", display_text="Open", width=50),
            "id": viewtables.text("Id", width=80),
            "question": viewtables.text("Question", width=330),
            "left": viewtables.number("Left", f"{shown.title} on this question.", width=60),
            "right": viewtables.number("Right", f"{shown.title} on this question.", width=60),
            "gap": viewtables.number("Gap", "Left less right.", "%+.2f", width=60),
        },
        f"{len(ordered)} questions that differ",
        f"Table: all {len(ordered):,}" if len(ordered) > MOST_LINKS else "Table",
    )
