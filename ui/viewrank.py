"""The summary of a run and its leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from evalcore.results.pairs import places, tied_groups
from evalcore.results.run_result import RunResult
from evalcore.results.tables import Spread
from ui import viewcharts, viewcompare, viewtables
from ui.shown import Shown, pick
from ui.text import count, interval

Places = Mapping[str, tuple[int, int]]
MOST_DOTS = 60


def summary(shown: Shown) -> None:
    """Say the whole result in a paragraph, and draw how sure the lead is."""
    results, metric = shown.whole, shown.metric
    with st.container(border=True, key="views-summary"):
        st.text(results.summary(metric), width="stretch")
        found = results.is_the_winner_real(metric)
        if found is not None:
            with st.expander(
                "Is the winner real? The gap to the second, with its interval", key="views.real"
            ):
                viewcompare.gap(shown, found)


def ranking(shown: Shown) -> None:
    """Draw the leaderboard, tied rows as groups, and every interval."""
    groups = tied_groups(shown.pairs())
    place = places(groups)
    runs = shown.results.ranking(shown.metric)
    if not runs:
        st.info("No configuration has this metric.", icon=":material/leaderboard:")
        return
    tied = len(groups[0]) if groups else 0
    st.caption(
        "Rows that share a range of places are tied: they cannot be told from the best row of their group, "
        f"so their order means nothing. The best group has {count(tied, 'configuration')}. Click a column to "
        "sort; select two rows to compare them."
    )
    chosen = _table(shown, runs, place)
    pick([run.label for run in chosen])
    if len(chosen) == 2:
        left, right = (run.label for run in chosen)
        with st.container(key="views-pair"):
            viewcompare.pair(shown, left, right)
    elif len(chosen) > 2:
        st.caption("Of more than two, Compare shows the first two and All pairs all of them.")
    _dots(shown, runs, place)
    _clustered(shown)


def _table(shown: Shown, runs: list[RunResult], place: Places) -> list[RunResult]:
    spreads, picked = shown.spreads(), set(shown.picked)
    rows = [_row(shown, run, spreads.get(run.label), place) for run in runs]
    columns = _columns(shown)
    if all(row["document"] is None for row in rows):
        del columns["document"]
    order = sha256("\n".join(run.label for run in runs).encode()).hexdigest()[:12]
    chosen = [number for number, run in enumerate(runs) if run.label in picked]
    event = st.dataframe(
        pd.DataFrame(rows, columns=list(columns)),
        key=f"views.board.{shown.metric}.{order}",
        hide_index=True,
        height="content"
        if len(rows) <= viewtables.MOST_ROWS
        else viewtables.ROW * (viewtables.MOST_ROWS + 1),
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": chosen, "columns": [], "cells": []}},
        placeholder="–",
        alt=f"Leaderboard of {len(rows)} configurations by {shown.title}",
        column_config=columns,
    )
    return [runs[i] for i in event.selection.rows if i < len(runs)]


def _row(shown: Shown, run: RunResult, spread: Spread | None, place: Places) -> dict[str, Any]:
    tokens = run.metric(f"tokens@{run.headline}")
    return {
        "name": shown.name(run.label),
        "place": _place(place.get(run.label)),
        "score": run.metric(shown.metric),
        "interval": interval((spread.low, spread.high)) if spread else None,
        "document": interval(spread.clustered) if spread and spread.clustered else None,
        "n": spread.n if spread else 0,
        "tokens": None if tokens is None else round(tokens),
        "p95": run.timings.p95_ms if run.timings else None,
        "calls": run.cost.query_usd_per_1k,
        "context": run.cost.context_usd_per_1k,
        "chunks": run.chunks,
        "label": run.label,
    }


def _columns(shown: Shown) -> dict[str, ColumnConfig]:
    column, text, number = st.column_config, viewtables.text, viewtables.number
    k = shown.results.runs[0].headline
    return {
        "name": column.TextColumn("Configuration", width=205, pinned=True),
        "place": text("Place", "Tied configurations share a range of places.", 54),
        "score": number("Score", f"{shown.title}: mean over the questions that count.", width=54),
        "interval": text("95 % interval", "Percentile bootstrap over questions, 2,000 draws.", 92),
        "document": text(
            "By document",
            "The interval when whole documents are drawn, where it is more than a tenth wider.",
            92,
        ),
        "tokens": number(f"Tokens@{k}", "cl100k_base tokens that a question brings back.", "localized", 70),
        "p95": number("p95 ms", "95 of 100 questions were answered within this time.", "%.1f", 58),
        "calls": number("Calls $", "US dollars for 1,000 questions' calls to priced models.", "$%.2f", 56),
        "context": number("Context $", shown.context, "$%.2f", 70),
        "chunks": number("Chunks", "Pieces that are searched.", "localized", 60),
        "n": number("n", "Questions that count for this configuration.", "localized", 48),
        "label": column.TextColumn("Full label", width=320),
    }


def _place(shared: tuple[int, int] | None) -> str:
    if shared is None:
        return "–"
    first, last = shared
    return f"{first}" if first == last else f"{first}–{last}"


def _dots(shown: Shown, runs: list[RunResult], place: Places) -> None:
    spreads = shown.spreads()
    drawn = [run for run in runs if run.label in spreads][:MOST_DOTS]
    if not drawn:
        return
    rows = [
        viewcharts.Dot(
            shown.name(run.label),
            spreads[run.label],
            shown.colours.group(run.label),
            "best group" if place.get(run.label, (0, 0))[0] == 1 else "behind it",
            shown.strength(run.label),
        )
        for run in drawn
    ]
    told = "; ".join(
        f"{dot.name} {dot.spread.mean:.2f} {interval((dot.spread.low, dot.spread.high))}" for dot in rows
    )
    st.altair_chart(
        viewcharts.dots(rows, shown.colours, shown.title), alt=f"{shown.title} with its interval: {told}"
    )
    by_document = any(dot.spread.clustered for dot in rows)
    dashed = " The dashed line is the interval by document." if by_document else ""
    st.caption(f"● in the best group, ◆ behind it.{dashed} The table above has the numbers.")
    if len(drawn) < len(runs):
        st.caption(f"The first {MOST_DOTS} of {len(runs):,} are drawn; the table has all.")


def _clustered(shown: Shown) -> None:
    if any(spread.clustered for spread in shown.spreads().values()):
        st.caption(
            "**By document**: several questions ask about one document, and these rise and fall together. "
            "Where drawing whole documents instead of single questions gives an interval more than a tenth "
            "wider, it stands beside the other: with other documents the means would move that far."
        )
