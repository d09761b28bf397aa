"""What a configuration's quality costs."""

from __future__ import annotations

import streamlit as st

from evalcore.results.run_result import RunResult
from ui import viewcharts, viewtables
from ui.metricwords import COSTS, Measure
from ui.shown import Shown
from ui.text import interval, score

LINES = "Nothing beats a configuration on the frontier on both."


def trade_offs(shown: Shown) -> None:
    """Draw quality against a cost that the reader chooses, and what nothing beats on both."""
    results = shown.results
    tokens = f"tokens@{results.runs[0].headline}"
    names = {"tokens": tokens, **{name: name for name in COSTS if name != "tokens"}}
    known = [key for key, name in names.items() if any(run.metric(name) is not None for run in results)]
    if not known:
        st.info("Nothing that costs was measured in this run.", icon=":material/savings:")
        return
    key = str(
        st.segmented_control(
            "Cost",
            known,
            default=known[0],
            required=True,
            format_func=lambda name: COSTS[name].name,
            key="cost",
            bind="query-params",
            persist_state="page",
        )
    )
    cost, measure, spreads = names[key], COSTS[key], shown.spreads()
    runs = [r for r in results.ranking(shown.metric) if r.metric(cost) is not None and r.label in spreads]
    frontier = {run.label for run in results.pareto(shown.metric, cost)}
    line = shown.context if cost == "context_usd_per_1k" else measure.line
    st.caption(f"{line} {LINES}")
    points = [
        viewcharts.Point(
            shown.name(run.label),
            spreads[run.label],
            shown.colours.group(run.label),
            "on the frontier" if run.label in frontier else "beaten",
            shown.strength(run.label),
            _cost(run, cost),
            measure.write(_cost(run, cost)),
        )
        for run in runs
    ]
    best = "; ".join(f"{point.name} {score(point.spread.mean)}" for point in points if point.is_best)
    st.altair_chart(
        viewcharts.scatter(points, shown.colours, (shown.title, measure.title)),
        alt=f"{shown.title} against {measure.name}. On the frontier: {best}",
    )
    st.caption("● on the frontier, which the dashed line joins; ◆ beaten. Bars are 95 % intervals.")
    _table(shown, points, measure)


def _cost(run: RunResult, cost: str) -> float:
    return float(run.metric(cost) or 0.0)


def _table(shown: Shown, points: list[viewcharts.Point], measure: Measure) -> None:
    viewtables.behind(
        [
            {
                "configuration": point.name,
                "score": point.spread.mean,
                "interval": interval((point.spread.low, point.spread.high)),
                "cost": point.written,
                "frontier": point.place,
            }
            for point in points
        ],
        {
            "configuration": viewtables.text("Configuration"),
            "score": viewtables.number(shown.title, "Mean over the questions that count."),
            "interval": viewtables.text("95 % interval", "Percentile bootstrap over questions."),
            "cost": viewtables.text(measure.name, measure.line),
            "frontier": viewtables.text("Place", LINES),
        },
        f"{len(points)} configurations with {measure.name}",
    )
