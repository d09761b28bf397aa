"""The views of a run on the Results page: one choice of metric and filters for all, one view at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from evalcore.results.names import Names, shorten
from evalcore.results.prices import load_prices
from evalcore.results.results import Results, axis_value
from ui import (
    colours,
    prices,
    viewaxes,
    viewcompare,
    viewcost,
    viewkinds,
    viewpairs,
    viewquality,
    viewrank,
    viewwarnings,
)
from ui.metricwords import METRICS
from ui.shown import VIEW, Shown
from ui.state import Here
from ui.text import count, plain

VIEWS: dict[str, Callable[[Shown], None]] = {
    "Ranking": viewrank.ranking,
    "Trade-offs": viewcost.trade_offs,
    "What mattered": viewaxes.what_mattered,
    "Kinds of questions": viewkinds.kinds,
    "Compare": viewcompare.two,
    "All pairs": viewpairs.every_pair,
    "Quality": viewquality.quality,
    "Warnings": viewwarnings.warnings,
}
FEW = 3


def draw(here: Here, results: Results, version: str, others: Mapping[str, Callable[[], None]]) -> None:
    """Draw the choices, the summary and the open view; `others` are tabs of the page itself."""
    with st.container(key="views"):
        st.subheader("Explore this run", anchor=False)
        st.caption("The verdict above goes by the metric of the run; the views go by the one chosen here.")
        names = shorten(results.runs)
        metric, colour = _choices(here, results, names)
        price = load_prices(here.workspace.root).price
        meaning = colours.colours(results.runs, names, colour)
        whole = Shown(here, results, results, metric, names, meaning, f"{version}:all", price)
        _partial(results)
        viewrank.summary(whole)
        kept = _filtered(results, names)
        shown = replace(whole, results=kept, version=f"{version}:{_digest(kept)}")
        _constants(shown)
        titles = [*VIEWS, *others]
        tabs = st.tabs(titles, key=VIEW, on_change="rerun", bind="query-params")
        for title, tab in zip(titles, tabs, strict=True):
            with tab:
                if tab.open:
                    _open(title, shown, others)


def _open(title: str, shown: Shown, others: Mapping[str, Callable[[], None]]) -> None:
    if title in others:
        others[title]()
    elif shown.results.runs or title == "Warnings":
        VIEWS[title](shown)
    else:
        st.info("No configuration fits these filters.", icon=":material/filter_alt_off:")


def _digest(results: Results) -> str:
    return sha256("\n".join(run.label for run in results.runs).encode()).hexdigest()[:12]


def _choices(here: Here, results: Results, names: Names) -> tuple[str, str]:
    """Draw what holds for all views; returns the metric's name and what colours stand for."""
    known: dict[str, list[int]] = {}
    for name in results.metric_names:
        kind, _, cut_off = name.partition("@")
        if kind in METRICS:
            known.setdefault(kind, []).append(int(cut_off))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        family, k = _metric(known, results.runs[0].headline)
        possible = colours.choices(results.runs, names)
        colour = st.selectbox(
            "Colours stand for",
            possible,
            format_func=lambda by: str(by).capitalize(),
            key="colour",
            bind="query-params",
            width=170,
            help="A colour means the same in every view.",
        )
        prices.edit(here.workspace.root)
    st.caption(METRICS[family].line)
    return f"{family}@{k}", str(colour)


def _metric(known: Mapping[str, list[int]], headline: int) -> tuple[str, int]:
    families = [name for name in METRICS if name in known]
    family = st.selectbox(
        "Metric",
        families,
        format_func=lambda name: METRICS[name].name,
        key="metric",
        bind="query-params",
        width=230,
        help="\n\n".join(f"**{METRICS[name].name}**: {METRICS[name].line}" for name in families),
    )
    cut_offs = sorted(known[family])
    k = st.segmented_control(
        "Chunks that count (k)",
        cut_offs,
        default=headline if headline in cut_offs else cut_offs[-1],
        required=True,
        key="k",
        bind="query-params",
        help="The metric looks at the first k chunks of each ranking.",
    )
    return family, k if k in cut_offs else cut_offs[-1]


def _filtered(results: Results, names: Names) -> Results:
    """Draw a filter for each axis that varies; returns what they leave."""
    if len(results) < FEW:
        return results
    runs = results.runs
    with st.container(horizontal=True, vertical_alignment="bottom", key="views-filters"):
        for axis in names.varying:
            values = {colours.value_name(axis_value(run, axis), axis): None for run in results.runs}
            kept = st.multiselect(
                f"Only {axis}",
                list(values),
                key=f"only.{axis}",
                bind="query-params",
                placeholder="All",
                width=200,
            )
            if kept:
                runs = tuple(r for r in runs if colours.value_name(axis_value(r, axis), axis) in kept)
    return results if len(runs) == len(results) else replace(results, runs=runs)


def _partial(results: Results) -> None:
    if results.partial:
        st.caption(
            f":orange[:material/hourglass_bottom:] {plain(results.partial)} The views cover only these."
        )


def _constants(shown: Shown) -> None:
    constant = [f"{axis} {plain(value)}" for axis, value in shown.names.constant.items()]
    several = len(shown.whole) > 1 and constant
    same = f"; the same in all: {' · '.join(constant)}" if several else ""
    filtered = ""
    if len(shown.results) < len(shown.whole):
        kept = f"**{len(shown.results):,} of {len(shown.whole):,} shown**"
        filtered = f"{kept}: places, ties and pairs are among these. "
    noticed = len(shown.whole.warnings)
    warned = f" {count(noticed, 'warning')}, see Warnings." if noticed else ""
    st.caption(f"{filtered}{count(len(shown.whole), 'configuration')}{same}.{warned}")
