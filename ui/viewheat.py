"""Charts over two or more axes: heat maps, the matrix of pairs, parallel coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd

from evalcore.results.pairs import Pair
from ui.charts import ROW, TIGHT, AnyChart, is_dark, palette
from ui.colours import Colours
from ui.text import score
from ui.viewcharts import colour

HEAT = {"light": ["#F3F5FB", "#3B5BDB"], "dark": ["#232936", "#8FA5FF"]}
SLANTED = 3
LONG = 14


def heat(cells: Mapping[tuple[str, str], tuple[float, str]], title: str) -> AnyChart:
    """A value for each (row, column) with its text in the cell; colour goes with the value."""
    rows = pd.DataFrame([{"row": r, "column": c, "value": v, "text": t} for (r, c), (v, t) in cells.items()])
    down = list(dict.fromkeys(r for r, _ in cells))
    across = list(dict.fromkeys(c for _, c in cells))
    low, high = float(rows["value"].min()), float(rows["value"].max())
    middle = low + (0.6 if is_dark() else 0.8) * (high - low)
    slanted = len(across) > SLANTED and max(len(name) for name in across) > LONG
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
        range=HEAT["dark" if is_dark() else "light"], domain=[low, high if high > low else low + 1]
    )
    boxes = base.mark_rect(cornerRadius=2).encode(color=alt.Color("value:Q", scale=colours, legend=None))
    over, under = ("#10141C", "#E7E9ED") if is_dark() else ("#FFFFFF", "#1B1F27")
    texts = base.mark_text(fontSize=12).encode(
        text="text:N",
        color=alt.condition(alt.datum["value"] > middle, alt.value(over), alt.value(under)),
    )
    return alt.layer(boxes, texts).properties(height=max(2, len(down)) * (ROW + 4) + 70, padding=TIGHT)


@dataclass(frozen=True, slots=True)
class Line:
    """A configuration: its values by axis, its score, what it is coloured by, how strongly it is drawn."""

    values: Mapping[str, str]
    score: float
    group: str
    strength: float


def parallel(lines: Sequence[Line], axes: Sequence[str], colours: Colours, title: str) -> AnyChart:
    """Every configuration as a line over the axes, ending at its score."""
    frame = pd.DataFrame(_places(lines, axes, title))
    x = alt.X(
        "axis:N",
        sort=[*axes, title],
        axis=alt.Axis(title=None, labelAngle=0, labelLimit=220),
        scale=alt.Scale(padding=0.3),
    )
    y = alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[-0.08, 1.08]))
    drawn = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=y,
            detail="run:N",
            color=colour(colours, "stroke"),
            opacity=alt.Opacity("strength:Q", scale=None, legend=None),
        )
    )
    marks = alt.Chart(frame[frame["shown"]].drop_duplicates(["axis", "text"])).encode(x=x, y=y)
    halo, text = palette()["page"], palette()["text"]
    behind = marks.mark_text(dy=-10, fontSize=11, stroke=halo, strokeWidth=4).encode(text="text:N")
    texts = marks.mark_text(dy=-10, fontSize=11, color=text).encode(text="text:N")
    points = marks.mark_point(filled=True, size=30, color=palette()["soft"])
    return alt.layer(drawn, points, behind, texts).properties(height=360, padding=TIGHT)


def _places(lines: Sequence[Line], axes: Sequence[str], title: str) -> list[dict[str, object]]:
    """Return where each line meets each axis, 0..1, the best line's values on top.

    Of the scores only those far enough apart are written.
    """
    order = {axis: list(dict.fromkeys(line.values[axis] for line in lines)) for axis in axes}
    low, high = min(line.score for line in lines), max(line.score for line in lines)
    rows: list[dict[str, object]] = []
    written: list[float] = []
    for number, line in enumerate(lines):
        common = {"run": number, "group": line.group, "strength": line.strength}
        for axis in axes:
            known = order[axis]
            place = 1 - known.index(line.values[axis]) / (len(known) - 1) if len(known) > 1 else 0.5
            rows.append({**common, "axis": axis, "place": place, "text": line.values[axis], "shown": True})
        place = (line.score - low) / ((high - low) or 1.0)
        apart = all(abs(place - other) > 0.06 for other in written)
        if apart:
            written.append(place)
        rows.append({**common, "axis": title, "place": place, "text": score(line.score), "shown": apart})
    return rows


def matrix(pairs: Sequence[Pair], names: Mapping[str, str]) -> AnyChart:
    """The gap of every pair, the better one as the row; a mark where it is distinguishable."""
    cells: dict[tuple[str, str], tuple[float, str]] = {}
    for pair in pairs:
        mark = " ●" if pair.holds else " ◐" if pair.distinguishable else ""
        cells[names[pair.left], names[pair.right]] = (pair.difference, f"{pair.difference:+.2f}{mark}")
    return heat(cells, "Gap")
