"""Charts of configurations with their intervals. Each has a sentence for those who do not see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from evalcore.results.comparison import Comparison
from evalcore.results.tables import Effect, Spread
from ui.charts import ROW, TIGHT, AnyChart, domain, names_axis, palette, series
from ui.colours import OTHERS, Colours
from ui.text import interval, with_interval

BEST = {"best group", "on the frontier"}
DASHES = [3, 3]
LARGE = 100_000


@dataclass(frozen=True, slots=True)
class Dot:
    """A configuration: its intervals, what it is coloured by, its place, how strongly it is drawn."""

    name: str
    spread: Spread
    group: str
    place: str
    strength: float

    @property
    def is_best(self) -> bool:
        """Whether nothing is known to be better."""
        return self.place in BEST

    def row(self) -> dict[str, Any]:
        """What a chart needs."""
        low, high = self.spread.low, self.spread.high
        wide = self.spread.clustered or (low, high)
        return {
            "name": self.name,
            "mean": self.spread.mean,
            "low": low,
            "high": high,
            "wide_low": wide[0],
            "wide_high": wide[1],
            "label": with_interval(self.spread.mean, (low, high)),
            "document": interval(self.spread.clustered) or "not wider",
            "group": self.group,
            "place": self.place,
            "strength": self.strength,
        }


@dataclass(frozen=True, slots=True)
class Point(Dot):
    """The same with a cost, and the cost as it is written."""

    cost: float
    written: str

    def row(self) -> dict[str, Any]:
        """What a chart needs."""
        return {**Dot.row(self), "cost": self.cost, "written": self.written}


def colour(colours: Colours, symbol: str = "square") -> alt.Color:
    """The colour of a configuration, with its legend when there is more than one."""
    range_ = [series()[-1] if value == OTHERS else series()[i] for i, value in enumerate(colours.values)]
    several = len(colours.values) > 1
    legend = alt.Legend(
        title=None,
        orient="top",
        labelLimit=260,
        symbolType=symbol,
        symbolOpacity=1,
        symbolStrokeWidth=2,
        columns=3,
        offset=6,
    )
    return alt.Color(
        "group:N",
        scale=alt.Scale(domain=list(colours.values), range=range_),
        legend=legend if several else None,
    )


def _shape(places: tuple[str, str]) -> alt.Shape:
    return alt.Shape(
        "place:N", scale=alt.Scale(domain=list(places), range=["circle", "diamond"]), legend=None
    )


_STRENGTH = alt.Opacity("strength:Q", scale=None, legend=None)


def dots(found: Sequence[Dot], colours: Colours, title: str) -> AnyChart:
    """A dot per configuration with its 95 % interval, in the given order; dashed the one by document."""
    rows = pd.DataFrame([dot.row() for dot in found])
    base = alt.Chart(rows).encode(
        y=names_axis([dot.name for dot in found]),
        color=colour(colours),
        opacity=_STRENGTH,
        tooltip=[
            alt.Tooltip("name:N", title="Configuration"),
            alt.Tooltip("label:N", title=title),
            alt.Tooltip("document:N", title="By document"),
            alt.Tooltip("place:N", title="Place"),
        ],
    )
    x = alt.Scale(domain=domain(rows.assign(low=rows["wide_low"], high=rows["wide_high"])))
    axis = alt.Axis(title=f"{title}, with its 95 % interval", format=".2f", tickCount=6)
    dashed = base.mark_rule(strokeWidth=1.5, strokeDash=DASHES).encode(
        x=alt.X("wide_low:Q", scale=x, axis=axis), x2="wide_high:Q"
    )
    bars = base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q")
    points = base.mark_point(filled=True, size=95).encode(
        x=alt.X("mean:Q", scale=x), shape=_shape(("best group", "behind it"))
    )
    return alt.layer(dashed, bars, points).properties(height=ROW * len(rows) + 90, padding=TIGHT)


def scatter(found: Sequence[Point], colours: Colours, titles: tuple[str, str]) -> AnyChart:
    """Quality against cost with intervals; those that nothing beats on both are joined by a dashed line.

    `titles`: of the quality and of the cost, the latter with its unit.
    """
    quality, cost = titles
    rows = pd.DataFrame([point.row() for point in found])
    y = alt.Scale(domain=domain(rows))
    large = float(rows["cost"].max()) >= LARGE
    ticks = alt.Axis(tickCount=6, labelExpr=f"format(datum.value, '{'~s' if large else ',~f'}')")
    base = alt.Chart(rows).encode(
        x=alt.X("cost:Q", title=cost, scale=alt.Scale(zero=True, nice=True), axis=ticks),
        color=colour(colours),
        opacity=_STRENGTH,
        tooltip=[
            alt.Tooltip("name:N", title="Configuration"),
            alt.Tooltip("label:N", title=quality),
            alt.Tooltip("written:N", title=cost),
            alt.Tooltip("place:N", title="Place"),
        ],
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(
        y=alt.Y("low:Q", scale=y, title=quality, axis=alt.Axis(format=".2f")), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=110).encode(
        y=alt.Y("mean:Q", scale=y), shape=_shape(("on the frontier", "beaten"))
    )
    line = (
        alt.Chart(rows[rows["place"] == "on the frontier"])
        .mark_line(color=palette()["soft"], strokeDash=[5, 3], interpolate="step-after")
        .encode(x="cost:Q", y=alt.Y("mean:Q", scale=y))
    )
    return alt.layer(line, bars, points).properties(height=400, padding=TIGHT)


def effects(found: Sequence[Effect], names: Sequence[str], colours: Colours | None, title: str) -> AnyChart:
    """Each value's mean over its configurations as a dot, from the least to the greatest as a line."""
    rows = pd.DataFrame(
        {
            "name": list(names),
            "group": [n if colours and n in colours.values else OTHERS for n in names],
            "mean": [e.mean for e in found],
            "low": [e.low for e in found],
            "high": [e.high for e in found],
            "runs": [e.runs for e in found],
        }
    )
    x = alt.Scale(domain=domain(rows))
    drawn = alt.value(palette()["lead"]) if colours is None else colour(colours).legend(None)
    base = alt.Chart(rows).encode(
        y=names_axis(names),
        color=drawn,
        tooltip=[
            alt.Tooltip("name:N", title="Value"),
            alt.Tooltip("mean:Q", title=title, format=".2f"),
            alt.Tooltip("low:Q", title="Least", format=".2f"),
            alt.Tooltip("high:Q", title="Greatest", format=".2f"),
            alt.Tooltip("runs:Q", title="Configurations"),
        ],
    )
    axis = alt.Axis(title=f"{title}: mean, least and greatest", format=".2f", tickCount=6)
    bars = base.mark_rule(strokeWidth=3, opacity=0.6).encode(
        x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=95, opacity=1).encode(x=alt.X("mean:Q", scale=x))
    return alt.layer(bars, points).properties(height=ROW * len(rows) + 60, padding=TIGHT)


def gap(found: Comparison) -> AnyChart:
    """The difference of two configurations with its interval, the one by document below it, and zero."""
    colours = palette()
    intervals = {"by question": (found.ci_low, found.ci_high)}
    if found.clustered is not None:
        intervals["by document"] = (found.clustered.low, found.clustered.high)
    rows = pd.DataFrame(
        [
            {"name": name, "gap": found.difference, "low": low, "high": high}
            for name, (low, high) in intervals.items()
        ]
    )
    reach = max(rows["low"].abs().max(), rows["high"].abs().max(), abs(found.difference), 0.01) * 1.15
    x = alt.Scale(domain=[-reach, reach])
    axis = alt.Axis(title="Gap (left − right), with its 95 % interval", format="+.2f", tickCount=5)
    zero = alt.Chart(pd.DataFrame({"zero": [0.0]})).mark_rule(color=colours["soft"], strokeDash=[4, 3])
    base = alt.Chart(rows).encode(
        y=names_axis(list(intervals)),
        tooltip=[
            alt.Tooltip("name:N", title="Interval"),
            alt.Tooltip("gap:Q", title="Gap", format="+.3f"),
            alt.Tooltip("low:Q", title="From", format="+.3f"),
            alt.Tooltip("high:Q", title="To", format="+.3f"),
        ],
    )
    dash = alt.StrokeDash(
        "name:N",
        scale=alt.Scale(domain=["by question", "by document"], range=[[1, 0], DASHES]),
        legend=None,
    )
    bar = base.mark_rule(strokeWidth=3, color=colours["lead"], opacity=0.7)
    point = base.mark_point(filled=True, size=110, opacity=1, color=colours["lead"])
    return alt.layer(
        zero.encode(x=alt.X("zero:Q", scale=x, axis=axis)),
        bar.encode(x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q", strokeDash=dash),
        point.encode(x=alt.X("gap:Q", scale=x)),
    ).properties(height=ROW * len(rows) + 60, padding=TIGHT)
