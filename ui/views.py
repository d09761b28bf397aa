"""The views of a run on the Results page: one metric and cut-off for all, one view drawn at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from evalcore.results.names import Names, shorten
from evalcore.results.pairs import AllPairs, all_pairs
from evalcore.results.prices import ModelPrice, load_prices
from evalcore.results.results import Results
from evalcore.results.tables import Spread, spreads
from ui import metricwords, viewcompare, viewmore, viewrank
from ui.metricwords import COSTS, METRICS
from ui.state import Here
from ui.text import count, plain

VIEWS = (
    "Ranking",
    "Trade-offs",
    "What mattered",
    "Kinds of questions",
    "Compare",
    "All pairs",
    "Quality",
    "Warnings",
)
PREFERRED = ("recall", "gold_recall")
MOST_PAIRED = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """What every view draws: the results, the metric chosen, and names short enough for a chart."""

    here: Here
    results: Results
    metric: str
    names: Names
    version: str
    price: ModelPrice | None = None

    @property
    def context(self) -> str:
        """What the price of context stands for."""
        line = COSTS["context_usd_per_1k"].line
        if self.price is None:
            return line
        paid = f"{plain(self.price.model)} at ${self.price.usd_per_million:,.2f} per million input tokens"
        return f"{line} Here {paid}, a list price of {self.price.listed}."

    @property
    def title(self) -> str:
        """The metric as it is called on screen."""
        return metricwords.called(self.metric)

    def name(self, label: str) -> str:
        """A configuration's short name."""
        return self.names.short.get(label, label)

    def spreads(self) -> dict[str, Spread]:
        """The interval of every configuration on the metric, by label."""
        return _spreads(self.results, self.metric, self.version)

    def pairs(self) -> AllPairs:
        """All pairs on the metric."""
        return _pairs(self.results, self.metric, self.version)


@st.cache_resource(max_entries=8, show_spinner=False)
def _spreads(_results: Results, metric: str, version: str) -> dict[str, Spread]:
    del version
    return spreads(_results, metric)


@st.cache_resource(max_entries=8, show_spinner=False)
def _pairs(_results: Results, metric: str, version: str) -> AllPairs:
    del version
    return all_pairs(_results, metric)


def draw(here: Here, results: Results, version: str, others: Mapping[str, Callable[[], None]]) -> None:
    """Draw the choice of metric, the summary and the open view; `others` are tabs of the page itself."""
    with st.container(key="views"):
        st.subheader("Explore this run", anchor=False)
        st.caption("The verdict above goes by the metric of the run; the views go by the one chosen here.")
        metric = _metric(results)
        price = load_prices(here.workspace.root).price
        shown = Shown(here, results, metric, shorten(results.runs), version, price)
        _partial(results)
        viewrank.summary(shown)
        _constants(shown)
        drawn: dict[str, Callable[[Shown], None]] = {
            "Ranking": viewrank.ranking,
            "Trade-offs": viewmore.trade_offs,
            "What mattered": viewmore.what_mattered,
            "Kinds of questions": viewmore.kinds,
            "Compare": viewcompare.two,
            "All pairs": viewcompare.every_pair,
            "Quality": viewmore.quality,
            "Warnings": viewmore.warnings,
        }
        names = [*VIEWS, *others]
        tabs = st.tabs([_tab(name, results) for name in names], key="views.open", on_change="rerun")
        for name, tab in zip(names, tabs, strict=True):
            with tab:
                if tab.open and name in drawn:
                    drawn[name](shown)
                elif tab.open:
                    others[name]()


def _tab(name: str, results: Results) -> str:
    return f"Warnings ({len(results.warnings):,})" if name == "Warnings" else name


def _metric(results: Results) -> str:
    """Draw the two choices and return the metric's name."""
    known: dict[str, list[int]] = {}
    for name in results.metric_names:
        kind, _, cut_off = name.partition("@")
        if kind in METRICS:
            known.setdefault(kind, []).append(int(cut_off))
    families = [name for name in METRICS if name in known]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        family = st.selectbox(
            "Metric",
            families,
            format_func=lambda name: METRICS[name].name,
            key="metric",
            bind="query-params",
            width=260,
            help="\n\n".join(f"**{METRICS[name].name}**: {METRICS[name].line}" for name in families),
        )
        cut_offs = sorted(known[family])
        default = results.runs[0].headline
        k = st.segmented_control(
            "Chunks that count (k)",
            cut_offs,
            default=default if default in cut_offs else cut_offs[-1],
            required=True,
            key=f"views.k.{family}",
            persist_state="page",
            help="The metric looks at the first k chunks of each ranking.",
        )
    st.caption(METRICS[family].line)
    return f"{family}@{k}"


def _partial(results: Results) -> None:
    if results.partial:
        st.caption(
            f":orange[:material/hourglass_bottom:] {plain(results.partial)} The views cover only these."
        )


def _constants(shown: Shown) -> None:
    constant = [f"{axis} {plain(value)}" for axis, value in shown.names.constant.items()]
    several = len(shown.results) > 1 and constant
    same = f"; the same in all: {' · '.join(constant)}" if several else ""
    st.caption(f"{count(len(shown.results), 'configuration')}{same}.")
