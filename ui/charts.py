"""Charts. Each says in `..._alt` what it shows; colours hold in light and dark and for the colour-blind."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from evalcore.models import AxisVerdict, ChunkHealth, StrategyResult
from ui.text import count, score, share, with_interval

ROW = 26
AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart
TIGHT = {"left": 6, "top": 4, "right": 8, "bottom": 6}


def palette() -> dict[str, str]:
    """Colours by role, for the theme the reader has chosen."""
    if is_dark():
        return {
            "lead": "#6F8DFF",
            "play": "#6A7A99",
            "out": "#3A414D",
            "text": "#E7E9ED",
            "soft": "#A6ADBA",
            "page": "#0F1115",
        }
    return {
        "lead": "#3B5BDB",
        "play": "#93A5CF",
        "out": "#D3D8E2",
        "text": "#1B1F27",
        "soft": "#5A6272",
        "page": "#FFFFFF",
    }


def is_dark() -> bool:
    """Whether the reader has chosen the dark theme."""
    return st.context.theme.type == "dark"


def series() -> list[str]:
    """Colours that stay apart under each kind of colour blindness; the last one, grey, is for the rest."""
    if is_dark():
        return ["#3F7DB5", "#F5C02E", "#2DB27A", "#C4481A", "#DC6CD0", "#95DCFC", "#9AA1AA"]
    return ["#14508F", "#BE8A0E", "#06805D", "#98380A", "#D2509A", "#3695F0", "#6B7280"]


def names_axis(values: Sequence[str]) -> alt.Y:
    """A category axis that keeps the given order and shows whole names."""
    axis = alt.Axis(
        title=None,
        labelLimit=260,
        ticks=False,
        domain=False,
        labelPadding=8,
        labelOverlap=False,
        labelFlush=False,
        labelBound=False,
    )
    return alt.Y("name:N", sort=list(values), axis=axis, scale=alt.Scale(type="band"))


def chances(axis: AxisVerdict) -> AnyChart:
    """The chance of being best of each candidate, as bars that share one scale from 0 to 1."""
    colours = palette()
    rows = pd.DataFrame(
        [{"name": n, "chance": c, "label": score(c), "place": _place(axis, n)} for n, c in _by_chance(axis)]
    )
    scale = alt.Scale(
        domain=["leads", "in play", "ruled out"], range=[colours["lead"], colours["play"], colours["out"]]
    )
    base = alt.Chart(rows).encode(y=names_axis([n for n, _ in _by_chance(axis)]))
    bars = base.mark_bar(height=12, cornerRadiusEnd=3).encode(
        x=alt.X("chance:Q", scale=alt.Scale(domain=[0, 1.12]), axis=None),
        color=alt.Color("place:N", scale=scale, legend=None),
        tooltip=[
            alt.Tooltip("name:N", title="Candidate"),
            alt.Tooltip("label:N", title="Chance"),
            alt.Tooltip("place:N", title="Place"),
        ],
    )
    labels = base.mark_text(align="left", dx=6, color=colours["text"]).encode(x="chance:Q", text="label:N")
    return alt.layer(bars, labels).properties(height=ROW * len(rows) + 8, padding=TIGHT)


def chances_alt(axis: AxisVerdict) -> str:
    """What `chances` shows."""
    return "Chance of being best: " + "; ".join(
        f"{n} {score(c)}, {_place(axis, n)}" for n, c in _by_chance(axis)
    )


def _by_chance(axis: AxisVerdict) -> list[tuple[str, float]]:
    return sorted(axis.probability_best.items(), key=lambda pair: (-pair[1], pair[0] != axis.leader, pair[0]))


def _place(axis: AxisVerdict, name: str) -> str:
    if name == axis.leader:
        return "leads"
    return "ruled out" if name in axis.ruled_out else "in play"


def intervals(
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    places: Sequence[str],
    known: tuple[str, str],
    title: str,
) -> AnyChart:
    """A dot per name with its 95 % interval, in the given order; values are (mean, low, high).

    `places` says of each which of the two `known` it is: a filled circle in the leading colour, or a diamond.
    """
    colours = palette()
    rows = pd.DataFrame(values, columns=["mean", "low", "high"]).assign(
        name=list(names), place=list(places), label=[with_interval(m, (low, high)) for m, low, high in values]
    )
    scale = alt.Scale(domain=list(known), range=[colours["lead"], colours["soft"]])
    base = alt.Chart(rows).encode(
        y=names_axis(names),
        color=alt.Color("place:N", scale=scale, legend=None),
        tooltip=[
            alt.Tooltip("name:N", title="Configuration"),
            alt.Tooltip("label:N", title=title),
            alt.Tooltip("place:N", title="Place"),
        ],
    )
    x = alt.Scale(domain=domain(rows))
    axis = alt.Axis(title=f"{title}, with its 95 % interval", format=".2f", tickCount=6)
    bars = base.mark_rule(strokeWidth=2, opacity=0.55).encode(
        x=alt.X("low:Q", scale=x, axis=axis), x2="high:Q"
    )
    shape = alt.Scale(domain=list(known), range=["circle", "diamond"])
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=alt.X("mean:Q", scale=x), shape=alt.Shape("place:N", scale=shape, legend=None)
    )
    return alt.layer(bars, dots).properties(height=ROW * len(rows) + 60, padding=TIGHT)


def recall(results: Sequence[StrategyResult], names: Sequence[str], out: Sequence[bool]) -> AnyChart:
    """Recall of every row as a dot with its 95 % interval, in the table's order."""
    values = [(r.recall_at_k, *(r.ci95 or (r.recall_at_k, r.recall_at_k))) for r in results]
    places = ["ruled out" if is_out else "in play" for is_out in out]
    return intervals(names, values, places, ("in play", "ruled out"), "Recall")


def recall_alt(results: Sequence[StrategyResult], names: Sequence[str]) -> str:
    """What `recall` shows."""
    pairs = zip(names, results, strict=True)
    return "Recall with its interval: " + "; ".join(
        f"{n} {with_interval(r.recall_at_k, r.ci95)}" for n, r in pairs
    )


def domain(rows: pd.DataFrame) -> list[float]:
    """A little more than the intervals from `low` to `high` take, inside 0..1."""
    low = max(0.0, float(rows["low"].min()) - 0.05)
    high = min(1.0, float(rows["high"].max()) + 0.05)
    return [low, high]


def tokens(health: ChunkHealth, widest: int) -> AnyChart:
    """How many chunks there are of each size, in steps of 100 tokens up to `widest`."""
    rows = pd.DataFrame(
        [{"from": start, "to": start + 100, "chunks": number} for start, number in health.token_histogram],
        columns=["from", "to", "chunks"],
    )
    chart: AnyChart = (
        alt.Chart(rows)
        .mark_bar(color=palette()["lead"], binSpacing=1)
        .encode(
            x=alt.X(
                "from:Q",
                bin="binned",
                scale=alt.Scale(domain=[0, widest]),
                axis=alt.Axis(title="tokens", tickCount=4, grid=False, format=",.0f"),
            ),
            x2="to:Q",
            y=alt.Y("chunks:Q", axis=alt.Axis(title=None, tickCount=3, format="~s")),
            tooltip=[
                alt.Tooltip("from:Q", title="From tokens"),
                alt.Tooltip("to:Q", title="Below"),
                alt.Tooltip("chunks:Q", title="Chunks", format=","),
            ],
        )
        .properties(height=130, padding=TIGHT)
    )
    return chart


def tokens_alt(strategy: str, health: ChunkHealth) -> str:
    """What `tokens` shows."""
    return (
        f"Sizes of {count(health.num_chunks, 'chunk')} of {strategy}: from {health.tokens_min:,} to "
        f"{health.tokens_max:,} tokens, half of them below {health.tokens_median:,.0f}; "
        f"{share(health.pct_tiny)} tiny"
    )
