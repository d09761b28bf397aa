"""The summary of a run and its leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from evalcore.results.pairs import places, tied_groups
from evalcore.results.results import axis_value
from evalcore.results.run_result import RunResult
from ui import charts, viewcompare
from ui.text import count, interval, plain

if TYPE_CHECKING:
    from ui.views import Shown

MOST_ROWS = 18
ROW = 35
Places = Mapping[str, tuple[int, int]]
MOST_DOTS = 60


def summary(shown: Shown) -> None:
    """Say the whole result in a paragraph, and draw how sure the lead is."""
    results, metric = shown.results, shown.metric
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
    runs = _filtered(shown)
    if not runs:
        st.info("No configuration fits these filters.", icon=":material/filter_alt_off:")
        return
    tied = len(groups[0]) if groups else 0
    st.caption(
        f"Best first. Rows of one group are tied: they cannot be told from the first of their group. "
        f"The best group has {count(tied, 'configuration')}. Select two rows to compare them."
    )
    chosen = _table(shown, runs, place)
    if len(chosen) == 2:
        left, right = (run.label for run in chosen)
        with st.container(border=True, key="views-pair"):
            viewcompare.pair(shown, left, right)
    _dots(shown, runs, place)
    _clustered(shown)


def _filtered(shown: Shown) -> list[RunResult]:
    runs = [*shown.results.ranking(shown.metric)]
    if len(runs) < 3:
        return runs
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for axis in shown.names.varying:
            values = sorted({axis_value(run, axis) for run in runs})
            kept = st.multiselect(
                axis.capitalize(),
                values,
                key=f"views.filter.{axis}",
                placeholder="All",
                width=230,
                persist_state="page",
            )
            runs = [run for run in runs if not kept or axis_value(run, axis) in kept]
    return runs


def _table(shown: Shown, runs: list[RunResult], place: Places) -> list[RunResult]:
    spreads = shown.spreads()
    rows = []
    for run in runs:
        spread = spreads.get(run.label)
        cost = run.cost
        rows.append(
            {
                "place": _place(place.get(run.label)),
                "name": shown.name(run.label),
                "score": run.metric(shown.metric),
                "interval": interval((spread.low, spread.high)) if spread else "–",
                "n": spread.n if spread else 0,
                "tokens": _rounded(run.metric(f"tokens@{run.headline}")),
                "p95": run.timings.p95_ms if run.timings else None,
                "calls": cost.query_usd_per_1k,
                "context": cost.context_usd_per_1k,
                "chunks": run.chunks,
                "label": run.label,
            }
        )
    event = st.dataframe(
        pd.DataFrame(rows),
        key=f"views.board.{shown.metric}",
        hide_index=True,
        height="content" if len(rows) <= MOST_ROWS else ROW * (MOST_ROWS + 1),
        on_select="rerun",
        selection_mode="multi-row",
        placeholder="–",
        alt=f"Leaderboard of {len(rows)} configurations by {shown.title}",
        column_config=_columns(shown),
    )
    return [runs[i] for i in event.selection.rows if i < len(runs)]


def _columns(shown: Shown) -> dict[str, ColumnConfig]:
    column = st.column_config
    k = shown.results.runs[0].headline
    return {
        "place": column.TextColumn("Place", width=70, help="Tied configurations share a range of places."),
        "name": column.TextColumn("Configuration", width=250, pinned=True),
        "score": column.NumberColumn("Score", format="%.2f", width=70, help=shown.title),
        "interval": column.TextColumn(
            "95 % interval", width=105, help="Percentile bootstrap over questions."
        ),
        "n": column.NumberColumn("n", width=55, help="Questions that count for this configuration."),
        "tokens": column.NumberColumn(f"Tokens @ {k}", format="localized", width=95, help="Per question."),
        "p95": column.NumberColumn(
            "p95 (ms)", format="%.1f", width=80, help="95 of 100 questions were answered within this time."
        ),
        "calls": column.NumberColumn(
            "Calls ($/1k)", format="$%.2f", width=90, help="Calls to priced models for 1,000 questions."
        ),
        "context": column.NumberColumn("Context ($/1k)", format="$%.2f", width=105, help=shown.context),
        "chunks": column.NumberColumn("Chunks", format="localized", width=75),
        "label": column.TextColumn("Full label", width=320),
    }


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)


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
    names = [shown.name(run.label) for run in drawn]
    chosen = [spreads[run.label] for run in drawn]
    best = [place.get(run.label, (0, 0))[0] == 1 for run in drawn]
    chart = charts.intervals(
        names,
        [(spread.mean, spread.low, spread.high) for spread in chosen],
        ["best group" if is_best else "behind it" for is_best in best],
        ("best group", "behind it"),
        shown.title,
    )
    told = "; ".join(
        f"{n} {s.mean:.2f} {interval((s.low, s.high))}" for n, s in zip(names, chosen, strict=True)
    )
    st.altair_chart(chart, alt=f"{shown.title} with its interval: {told}")
    st.caption("● in the best group, ◆ behind it.")
    if len(drawn) < len(runs):
        st.caption(f"The first {MOST_DOTS} of {len(runs):,} are drawn.")


def _clustered(shown: Shown) -> None:
    wide = {label: s for label, s in shown.spreads().items() if s.clustered is not None}
    if not wide:
        return
    st.markdown("**Questions are not independent**")
    st.caption(
        "Several questions ask about one document. Drawing whole documents instead of single questions gives "
        "these intervals, more than a tenth wider: with other documents the means would move that far."
    )
    with st.expander(f"{count(len(wide), 'interval')} by document"):
        for label, spread in wide.items():
            st.markdown(
                f"{plain(shown.name(label))}: {spread.mean:.2f}, by document {interval(spread.clustered)}, "
                f"by question {interval((spread.low, spread.high))}"
            )
