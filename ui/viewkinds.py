"""Kinds of questions: configurations against types, and the hardest questions."""

from __future__ import annotations

import streamlit as st

from evalcore.results.tables import Kind, hardest
from evalcore.results.tables import kinds as table_of_kinds
from ui import viewheat, viewtables
from ui.shown import Shown
from ui.text import count, plain
from ui.viewcompare import question_link

MOST_KINDS = 24
MOST_TYPES = 12
HARDEST = 8


def kinds(shown: Shown) -> None:
    """Draw configurations against types of question, and name the hardest questions."""
    found = table_of_kinds(shown.results, shown.metric)
    if len({kind.kind for kind in found}) < 2:
        st.info(
            "All questions are of one type. The first tag of a question is its type.", icon=":material/label:"
        )
    else:
        _map(shown, found)
    _hardest(shown)


def _map(shown: Shown, found: list[Kind]) -> None:
    labels = list(dict.fromkeys(kind.label for kind in found))
    types = list(dict.fromkeys(kind.kind for kind in found))
    down, across = set(labels[:MOST_KINDS]), set(types[:MOST_TYPES])
    drawn = [kind for kind in found if kind.label in down and kind.kind in across]
    st.caption(
        f"{shown.title}: mean by type of question; n is how many questions stand behind it. "
        "Few questions say little."
    )
    extremes = f"Best: {_kind(shown, max(found, key=_mean))}. Worst: {_kind(shown, min(found, key=_mean))}."
    st.markdown(plain(extremes))
    cells = {(shown.name(k.label), k.kind): (k.mean, f"{k.mean:.2f} (n={k.questions})") for k in drawn}
    st.altair_chart(viewheat.heat(cells, shown.title), alt=f"{shown.title} by type of question. {extremes}")
    if len(drawn) < len(found):
        st.caption(
            f"The best {min(MOST_KINDS, len(labels))} of {count(len(labels), 'configuration')} and "
            f"{min(MOST_TYPES, len(types))} of {count(len(types), 'type')} are drawn; the table has all."
        )
    viewtables.behind(
        [
            {"configuration": shown.name(k.label), "kind": k.kind, "mean": k.mean, "n": k.questions}
            for k in found
        ],
        {
            "configuration": viewtables.text("Configuration"),
            "kind": viewtables.text("Type", "The first tag of a question is its type."),
            "mean": viewtables.number("Mean", shown.title),
            "n": viewtables.number("n", "Questions of this type that count.", "localized"),
        },
        f"{len(found)} means by type of question",
    )


def _mean(kind: Kind) -> float:
    return kind.mean


def _kind(shown: Shown, kind: Kind) -> str:
    return f"{kind.kind} under {shown.name(kind.label)}, {kind.mean:.2f} (n={kind.questions})"


def _hardest(shown: Shown) -> None:
    found = hardest(shown.results, shown.metric, HARDEST)
    if not found:
        return
    st.markdown("**Hardest questions**")
    st.caption(f"Lowest mean {shown.title} over all configurations shown.")
    for row in found:
        hint = f"Nothing found by {row.failed:,} of {count(row.runs, 'configuration')}"
        question_link(shown, row.id, f"{row.mean:.2f}", hint)
