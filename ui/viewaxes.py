"""What mattered: the effect of one axis, of two together, and of all."""

from __future__ import annotations

from itertools import combinations

import streamlit as st

from evalcore.results.results import axis_value
from evalcore.results.tables import axis_table, two_axes
from ui import viewcharts, viewheat, viewtables
from ui.colours import value_name
from ui.shown import Shown
from ui.text import score

MOST_LINES = 60


def what_mattered(shown: Shown) -> None:
    """Draw the effect of one axis, two axes against each other, and all axes at once."""
    axes = [
        axis for axis in shown.names.varying if len({axis_value(run, axis) for run in shown.results.runs}) > 1
    ]
    if not axes:
        st.info("Nothing varies here, so nothing can have mattered.", icon=":material/tune:")
        return
    axis = st.segmented_control(
        "Axis",
        axes,
        default=axes[0],
        required=True,
        format_func=str.capitalize,
        key="axis",
        bind="query-params",
        persist_state="page",
    )
    _one(shown, str(axis))
    if len(axes) > 1:
        _two(shown, axes)
        _all(shown, axes)


def _one(shown: Shown, axis: str) -> None:
    effects = axis_table(shown.results, axis, shown.metric)
    st.caption(
        "Mean over all configurations with a value; the line goes from the least to the greatest of them. "
        "An average can hide opposite effects: see Kinds of questions."
    )
    names = [value_name(effect.value, axis) for effect in effects]
    told = "; ".join(f"{n} {e.mean:.2f} over {e.runs}" for n, e in zip(names, effects, strict=True))
    coloured = shown.colours if shown.colours.by == axis else None
    st.altair_chart(
        viewcharts.effects(effects, names, coloured, shown.title), alt=f"{shown.title} by {axis}: {told}"
    )
    number = viewtables.number
    viewtables.behind(
        [
            {"value": n, "mean": e.mean, "low": e.low, "high": e.high, "runs": e.runs}
            for n, e in zip(names, effects, strict=True)
        ],
        {
            "value": viewtables.text(axis.capitalize()),
            "mean": number("Mean", f"{shown.title} over all configurations with this value."),
            "low": number("Least", "The worst configuration with this value."),
            "high": number("Greatest", "The best configuration with this value."),
            "runs": number("Configurations", "How many the mean is over.", "localized"),
        },
        f"{shown.title} for each {axis}",
    )


def _two(shown: Shown, axes: list[str]) -> None:
    st.markdown("**Two axes against each other**")
    pairs = {f"{a.capitalize()} × {b}": (a, b) for a, b in combinations(axes, 2)}
    chosen = st.segmented_control(
        "Axes",
        list(pairs),
        default=next(iter(pairs)),
        required=True,
        key="axes",
        bind="query-params",
        persist_state="page",
        label_visibility="collapsed",
    )
    down, across = pairs.get(str(chosen), next(iter(pairs.values())))
    st.caption(f"{shown.title}: mean over the configurations with both values; an empty cell has none.")
    means = {
        (value_name(a, down), value_name(b, across)): mean
        for (a, b), mean in sorted(two_axes(shown.results, down, across, shown.metric).items())
    }
    cells = {place: (mean, score(mean)) for place, mean in means.items()}
    told = "; ".join(f"{a} with {b} {score(mean)}" for (a, b), mean in list(means.items())[:20])
    st.altair_chart(viewheat.heat(cells, shown.title), alt=f"Mean {shown.title}: {told}")
    viewtables.behind(
        [{"down": a, "across": b, "mean": mean} for (a, b), mean in means.items()],
        {
            "down": viewtables.text(down.capitalize()),
            "across": viewtables.text(across.capitalize()),
            "mean": viewtables.number("Mean", shown.title),
        },
        f"{shown.title} for each {down} with each {across}",
    )


def _all(shown: Shown, axes: list[str]) -> None:
    known = shown.results.ranking(shown.metric)
    runs = known[:MOST_LINES]
    rows = [{axis: value_name(axis_value(run, axis), axis) for axis in axes} for run in runs]
    lines = [
        viewheat.Line(
            row,
            float(run.metric(shown.metric) or 0.0),
            shown.colours.group(run.label),
            shown.strength(run.label),
        )
        for row, run in zip(rows, runs, strict=True)
    ]
    st.markdown("**All axes at once**")
    st.caption(f"A line is a configuration; on the right it ends at its {shown.title}.")
    if not lines:
        return
    best = ", ".join(rows[0].values())
    st.altair_chart(
        viewheat.parallel(lines, axes, shown.colours, shown.title),
        alt=f"{len(rows)} configurations over {', '.join(axes)}; the best: {best}",
    )
    if len(runs) < len(known):
        st.caption(f"The best {MOST_LINES} of {len(known):,} are drawn.")
    viewtables.behind(
        [{**line.values, "score": line.score} for line in lines],
        {
            **{axis: viewtables.text(axis.capitalize()) for axis in axes},
            "score": viewtables.number(shown.title, "Mean over the questions that count."),
        },
        f"{len(lines)} configurations with their axes",
    )
