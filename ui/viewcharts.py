"""Charts of the views over a run. Each has a sentence for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from evalcore.results.comparison import Comparison
from evalcore.results.pairs import Pair
from evalcore.results.tables import Effect, Spread
from ui.charts import ROW, TIGHT, AnyChart, domain, names_axis, palette
from ui.text import score, with_interval

HEAT = {"light": ["#F3F5FB", "#3B5BDB"], "dark": ["#232936", "#8FA5FF"]}


def gap(found: Comparison) -> AnyChart:
    """The difference of two configurations with its interval, and zero."""
    colours = palette()
    rows = pd.DataFrame([{"gap": found.difference, "low": found.ci_low, "high": found.ci_high}])
    reach = max(abs(found.ci_low), abs(found.ci_high), abs(found.difference), 0.01) * 1.15
    x = alt.Scale(domain=[-reach, reach])
    axis = alt.Axis(title="Gap (left − right), with its 95 % interval", format="+.2f", tickCount=5)
    zero = alt.Chart(pd.DataFrame({"zero": [0.0]})).mark_rule(color=colours["soft"], strokeDash=[4, 3])
    base = alt.Chart(rows)
    bar = base.mark_rule(strokeWidth=4, color=colours["lead"], opacity=0.55)
    point = base.mark_point(filled=True, size=120, opacity=1, color=colours["lead"])
    return alt.layer(
        zero.encode(x=alt.X("zero:Q", scale=x, axis=axis)),
        bar.encode(x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q"),
        point.encode(x=alt.X("gap:Q", scale=x)),
    ).properties(height=80, padding=TIGHT)


def scatter(
    names: Sequence[str],
    costs: Sequence[float],
    written: Sequence[str],
    spreads: Sequence[Spread],
    frontier: Sequence[bool],
    titles: tuple[str, str],
) -> AnyChart:
    """Quality against cost with intervals; those that nothing beats on both are joined by a line."""
    colours = palette()
    rows = pd.DataFrame(
        {
            "name": list(names),
            "cost": list(costs),
            "written": list(written),
            "mean": [s.mean for s in spreads],
            "low": [s.low for s in spreads],
            "high": [s.high for s in spreads],
            "label": [with_interval(s.mean, (s.low, s.high)) for s in spreads],
            "place": ["on the frontier" if best else "beaten" for best in frontier],
        }
    )
    quality, cost = titles
    scale = alt.Scale(domain=["on the frontier", "beaten"], range=[colours["lead"], colours["soft"]])
    shape = alt.Scale(domain=["on the frontier", "beaten"], range=["circle", "diamond"])
    y = alt.Scale(domain=domain(rows))
    base = alt.Chart(rows).encode(
        x=alt.X("cost:Q", title=cost, scale=alt.Scale(zero=True, nice=True), axis=alt.Axis(format=",~f")),
        color=alt.Color("place:N", scale=scale, legend=alt.Legend(title=None, orient="top")),
        tooltip=[
            alt.Tooltip("name:N", title="Configuration"),
            alt.Tooltip("label:N", title=quality),
            alt.Tooltip("written:N", title=cost),
            alt.Tooltip("place:N", title="Place"),
        ],
    )
    bars = base.mark_rule(strokeWidth=1.5, opacity=0.45).encode(
        y=alt.Y("low:Q", scale=y, title=quality, axis=alt.Axis(format=".2f")), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        y=alt.Y("mean:Q", scale=y), shape=alt.Shape("place:N", scale=shape, legend=None)
    )
    line = (
        alt.Chart(rows[rows["place"] == "on the frontier"])
        .mark_line(color=colours["lead"], strokeDash=[5, 3], interpolate="step-after")
        .encode(x="cost:Q", y=alt.Y("mean:Q", scale=y))
    )
    return alt.layer(line, bars, points).properties(height=380, padding=TIGHT)


def effects(found: Sequence[Effect], title: str) -> AnyChart:
    """Each value's mean over its configurations as a dot, from the least to the greatest as a line."""
    colours = palette()
    rows = pd.DataFrame(
        {
            "name": [e.value for e in found],
            "mean": [e.mean for e in found],
            "low": [e.low for e in found],
            "high": [e.high for e in found],
            "runs": [e.runs for e in found],
        }
    )
    x = alt.Scale(domain=domain(rows))
    base = alt.Chart(rows).encode(
        y=names_axis([e.value for e in found]),
        tooltip=[
            alt.Tooltip("name:N", title="Value"),
            alt.Tooltip("mean:Q", title=title, format=".2f"),
            alt.Tooltip("low:Q", title="Least", format=".2f"),
            alt.Tooltip("high:Q", title="Greatest", format=".2f"),
            alt.Tooltip("runs:Q", title="Configurations"),
        ],
    )
    axis = alt.Axis(title=f"{title}: mean, least and greatest", format=".2f", tickCount=6)
    bars = base.mark_rule(strokeWidth=2, opacity=0.5, color=colours["lead"])
    points = base.mark_point(filled=True, size=90, opacity=1, color=colours["lead"])
    return alt.layer(
        bars.encode(x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q"),
        points.encode(x=alt.X("mean:Q", scale=x)),
    ).properties(height=ROW * len(rows) + 60, padding=TIGHT)


def heat(cells: Mapping[tuple[str, str], tuple[float, str]], title: str) -> AnyChart:
    """A value for each (row, column) with its text in the cell; colour goes with the value."""
    rows = pd.DataFrame([{"row": r, "column": c, "value": v, "text": t} for (r, c), (v, t) in cells.items()])
    down = list(dict.fromkeys(r for r, _ in cells))
    across = list(dict.fromkeys(c for _, c in cells))
    low, high = float(rows["value"].min()), float(rows["value"].max())
    middle = low + 0.6 * (high - low)
    dark = is_dark()
    slanted = len(across) > 3
    x_axis = alt.Axis(
        title=None,
        labelAngle=-35 if slanted else 0,
        labelAlign="left" if slanted else "center",
        labelLimit=190,
        labelOverlap=False,
        orient="top",
    )
    y_axis = alt.Axis(title=None, labelLimit=280, ticks=False, domain=False)
    base = alt.Chart(rows).encode(
        x=alt.X("column:N", sort=across, axis=x_axis),
        y=alt.Y("row:N", sort=down, axis=y_axis),
        tooltip=[
            alt.Tooltip("row:N", title="Row"),
            alt.Tooltip("column:N", title="Column"),
            alt.Tooltip("text:N", title=title),
        ],
    )
    colours = alt.Scale(
        range=HEAT["dark" if dark else "light"], domain=[low, high if high > low else low + 1]
    )
    boxes = base.mark_rect(cornerRadius=2).encode(color=alt.Color("value:Q", scale=colours, legend=None))
    over, under = ("#10141C", "#E7E9ED") if dark else ("#FFFFFF", "#1B1F27")
    texts = base.mark_text(fontSize=12).encode(
        text="text:N",
        color=alt.condition(alt.datum["value"] > middle, alt.value(over), alt.value(under)),
    )
    return alt.layer(boxes, texts).properties(height=max(2, len(down)) * (ROW + 4) + 70, padding=TIGHT)


def parallel(
    rows: Sequence[Mapping[str, str]], values: Sequence[float], axes: Sequence[str], title: str
) -> AnyChart:
    """Every configuration as a line over the axes and the metric; colour goes with the metric."""
    order = {axis: list(dict.fromkeys(row[axis] for row in rows)) for axis in axes}
    low, high = min(values), max(values)
    spread = (high - low) or 1.0
    lines = []
    for number, (row, value) in enumerate(zip(rows, values, strict=True)):
        for axis in axes:
            known = order[axis]
            place = known.index(row[axis]) / max(1, len(known) - 1) if len(known) > 1 else 0.5
            lines.append({"run": number, "axis": axis, "place": place, "text": row[axis], "value": value})
        lines.append(
            {
                "run": number,
                "axis": title,
                "place": (value - low) / spread,
                "text": score(value),
                "value": value,
            }
        )
    frame = pd.DataFrame(lines)
    colours = alt.Scale(range=HEAT["dark" if is_dark() else "light"][::1], domain=[low - spread / 2, high])
    x = alt.X(
        "axis:N",
        sort=[*axes, title],
        axis=alt.Axis(title=None, labelAngle=0, labelLimit=220),
        scale=alt.Scale(padding=0.3),
    )
    base = alt.Chart(frame).encode(x=x, y=alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[-0.08, 1.08])))
    drawn = base.mark_line(opacity=0.75, strokeWidth=2).encode(
        detail="run:N", color=alt.Color("value:Q", scale=colours, legend=None)
    )
    marks = alt.Chart(frame.drop_duplicates(["axis", "text"])).encode(
        x=x, y=alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[-0.08, 1.08]))
    )
    texts = marks.mark_text(align="center", dy=-9, color=palette()["text"], fontSize=11).encode(text="text:N")
    return alt.layer(
        drawn, marks.mark_point(filled=True, size=30, color=palette()["soft"]), texts
    ).properties(height=340, padding=TIGHT)


def matrix(pairs: Sequence[Pair], names: Mapping[str, str]) -> AnyChart:
    """The gap of every pair, the better one as the row; a mark where it is distinguishable."""
    cells: dict[tuple[str, str], tuple[float, str]] = {}
    for pair in pairs:
        mark = " ●" if pair.holds else " ◐" if pair.distinguishable else ""
        cells[names[pair.left], names[pair.right]] = (pair.difference, f"{pair.difference:+.2f}{mark}")
    return heat(cells, "Gap")


def is_dark() -> bool:
    """Whether the reader has chosen the dark theme."""
    return palette()["text"] == "#E7E9ED"
