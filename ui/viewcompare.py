"""Two configurations against each other, and every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from evalcore.errors import InputError
from evalcore.results.comparison import MOST_QUESTIONS, Comparison
from evalcore.stats import questions_for_gap
from ui import setup, viewcharts
from ui.text import count, plain

if TYPE_CHECKING:
    from ui.views import Shown

MOST_LINKS = 12
MOST_IN_MATRIX = 16


def two(shown: Shown) -> None:
    """Let the reader choose two configurations and compare them."""
    labels = [run.label for run in shown.results.ranking(shown.metric)]
    if len(labels) < 2:
        st.info("With one configuration there is nothing to compare it with.", icon=":material/balance:")
        return
    with st.grid(2, min_column_width=300, gap="small") as cells:
        with cells.cell():
            left = st.selectbox(
                "Left", labels, 0, format_func=shown.name, key="views.left", persist_state="page"
            )
        with cells.cell():
            right = st.selectbox(
                "Right", labels, 1, format_func=shown.name, key="views.right", persist_state="page"
            )
    if left == right:
        st.info("These are the same configuration; choose two.", icon=":material/balance:")
        return
    pair(shown, left, right)


def pair(shown: Shown, left: str, right: str) -> None:
    """Draw the gap of two configurations and the questions on which they differ."""
    try:
        found = shown.results.significance(left, right, shown.metric)
    except InputError as error:
        st.info(str(error), icon=":material/balance:")
        return
    st.markdown(f"**{plain(shown.name(left))}** against **{plain(shown.name(right))}**")
    gap(shown, found)
    _differing(shown, left, right)


def gap(shown: Shown, found: Comparison) -> None:
    """Draw a gap with its interval, its figures and its sentence."""
    with st.grid(4, min_column_width=150, gap="small"):
        st.metric("Gap", f"{found.difference:+.3f}", border=True, help=f"Left less right on {shown.title}.")
        interval = f"{found.ci_low:+.3f} to {found.ci_high:+.3f}"
        st.metric("95 % interval", interval, border=True, help="Bootstrap of the paired differences.")
        st.metric("p", f"{found.p_value:.4f}", border=True, help="Two-sided sign-flip test, 2,000 draws.")
        won = f"{found.wins:,} / {found.losses:,} / {found.ties:,}"
        st.metric("Wins / losses / ties", won, border=True, help=f"Over {count(found.n, 'question')}.")
    told = f"Gap {found.difference:+.3f}, interval {interval}, over {count(found.n, 'question')}"
    st.altair_chart(viewcharts.gap(found), alt=told)
    st.text(found.verdict(), width="stretch")
    needed = questions_for_gap(found.difference)
    if not found.distinguishable and needed is not None and found.n < needed <= MOST_QUESTIONS:
        st.caption(f"About {needed:,} questions could settle a gap of this size; there are {found.n:,}.")
    if found.clustered is not None:
        low, high = found.clustered
        st.caption(
            f"By document ({count(found.clusters, 'document')}): {low:+.3f} to {high:+.3f}. It is wider "
            "because "
            "several questions ask about one document and rise and fall together."
        )


def _differing(shown: Shown, left: str, right: str) -> None:
    gaps = shown.results.compare(left, right, shown.metric)["differences"]
    if not gaps:
        st.caption("They scored the same on every question.")
        return
    st.markdown(f"**{count(len(gaps), 'question')} scored differently**")
    ordered = sorted(gaps, key=lambda question: -abs(gaps[question]))
    for question in ordered[:MOST_LINKS]:
        asked = plain(shown.results.questions.get(question, ""))
        st.page_link(
            setup.path_of("questions"),
            label=f"{gaps[question]:+.2f} · {plain(question)}: {asked}",
            query_params={**shown.here.link.params, "questions.find": question},
        )
    if len(ordered) > MOST_LINKS:
        with st.expander(f"All {len(ordered):,}"):
            rows = [
                {"id": q, "question": shown.results.questions.get(q, ""), "gap": gaps[q]} for q in ordered
            ]
            st.dataframe(pd.DataFrame(rows), hide_index=True, alt=f"{len(rows)} questions that differ")


def every_pair(shown: Shown) -> None:
    """Draw the difference of every pair and how many would stand out by chance."""
    pairs = shown.pairs()
    if not pairs.pairs:
        st.info("With one configuration there are no pairs.", icon=":material/balance:")
        return
    st.caption(
        f"{count(len(pairs.pairs), 'pair')}: {pairs.distinguishable:,} distinguishable when each is taken "
        "alone, "
        f"of which about {pairs.by_chance:,.1f} could be so by chance alone (alpha 0.05); "
        f"{pairs.holding:,} when all "
        "are taken together (Holm)."
    )
    top = set(pairs.labels[:MOST_IN_MATRIX])
    drawn = [pair for pair in pairs.pairs if {pair.left, pair.right} <= top]
    told = "; ".join(f"{shown.name(p.left)} − {shown.name(p.right)} {p.difference:+.2f}" for p in drawn[:20])
    st.altair_chart(viewcharts.matrix(drawn, shown.names.short), alt=f"Gaps, row less column: {told}")
    st.caption("Row less column. ● distinguishable among all pairs, ◐ only when taken alone, no mark: tied.")
    if len(pairs.labels) > MOST_IN_MATRIX:
        st.caption(f"The best {MOST_IN_MATRIX} of {len(pairs.labels):,} are drawn; the table has every pair.")
    with st.expander("Table"):
        frame = pd.DataFrame(
            {
                "left": [shown.name(p.left) for p in pairs.pairs],
                "right": [shown.name(p.right) for p in pairs.pairs],
                "gap": [p.difference for p in pairs.pairs],
                "low": [p.low for p in pairs.pairs],
                "high": [p.high for p in pairs.pairs],
                "p": [p.p_value for p in pairs.pairs],
                "holm": [p.p_holm for p in pairs.pairs],
                "n": [p.n for p in pairs.pairs],
            }
        )
        number = st.column_config.NumberColumn
        st.dataframe(
            frame,
            hide_index=True,
            alt=f"{len(frame)} pairs with gap, interval and p",
            column_config={
                "left": "Left",
                "right": "Right",
                "gap": number("Gap", format="%.3f"),
                "low": number("Low", format="%.3f", help="Of the 95 % interval."),
                "high": number("High", format="%.3f"),
                "p": number("p", format="%.4f"),
                "holm": number("p (Holm)", format="%.4f", help="Adjusted for the number of pairs."),
                "n": "n",
            },
        )
