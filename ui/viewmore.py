"""What a configuration costs, what mattered, kinds of questions, quality in one number, and warnings."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from evalcore.results.results import axis_value
from evalcore.results.run_result import RunResult
from evalcore.results.tables import Kind, axis_table, embedded, hardest, two_axes
from evalcore.results.tables import kinds as table_of_kinds
from evalcore.results.warnings import Severity
from ui import setup, viewcharts
from ui.metricwords import COSTS
from ui.text import count, plain, score

if TYPE_CHECKING:
    from ui.views import Shown

MOST_LINES = 60
MOST_KINDS = 24
HARDEST = 8
BADGES = {
    Severity.ERROR: ("Error", ":material/error:", "red"),
    Severity.WARNING: ("Warning", ":material/warning:", "orange"),
    Severity.INFO: ("Note", ":material/info:", "blue"),
}
DIMENSIONS = {
    "parse": "evidence that stands in the documents as they were read",
    "chunk": "passage text that came back",
    "embed": "how well the vectors spread the chunks",
    "retrieval": "recall and nDCG",
    "generation": "answers of a model; not measured here",
}


def trade_offs(shown: Shown) -> None:
    """Draw quality against a cost that the reader chooses, and what nothing beats on both."""
    results = shown.results
    tokens = f"tokens@{results.runs[0].headline}"
    names = {"tokens": tokens, **{name: name for name in COSTS if name != "tokens"}}
    known = [key for key, name in names.items() if any(run.metric(name) is not None for run in results)]
    if not known:
        st.info("Nothing that costs was measured in this run.", icon=":material/savings:")
        return
    key = st.segmented_control(
        "Cost",
        known,
        default=known[0],
        required=True,
        format_func=lambda name: COSTS[name].name,
        key="views.cost",
        persist_state="page",
    )
    cost, measure, spreads = names[str(key)], COSTS[str(key)], shown.spreads()
    runs = [r for r in results.ranking(shown.metric) if r.metric(cost) is not None and r.label in spreads]
    frontier = {run.label for run in results.pareto(shown.metric, cost)}
    costs = [float(run.metric(cost) or 0.0) for run in runs]
    written = [measure.write(value) for value in costs]
    shorts = [shown.name(run.label) for run in runs]
    line = shown.context if cost == "context_usd_per_1k" else measure.line
    st.caption(f"{line} Nothing beats a configuration on the frontier on both.")
    chart = viewcharts.scatter(
        shorts,
        costs,
        written,
        [spreads[run.label] for run in runs],
        [run.label in frontier for run in runs],
        (shown.title, measure.name),
    )
    best = [run for run in runs if run.label in frontier]
    told = "; ".join(f"{shown.name(r.label)} {score(r.metric(shown.metric))}" for r in best)
    st.altair_chart(chart, alt=f"{shown.title} against {measure.name}. On the frontier: {told}")
    with st.expander("Table"):
        rows = [
            {
                "configuration": short,
                "score": run.metric(shown.metric),
                "cost": text,
                "frontier": "on the frontier" if run.label in frontier else "beaten",
            }
            for run, short, text in zip(runs, shorts, written, strict=True)
        ]
        number = st.column_config.NumberColumn(shown.title, format="%.2f")
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            alt=f"{len(rows)} configurations with {measure.name}",
            column_config={"configuration": "Configuration", "score": number, "cost": measure.name},
        )


def what_mattered(shown: Shown) -> None:
    """Draw the effect of one axis, two axes against each other, and all axes at once."""
    axes = list(shown.names.varying)
    if not axes:
        st.info("Nothing varies in this run, so nothing can have mattered.", icon=":material/tune:")
        return
    axis = st.segmented_control(
        "Axis",
        axes,
        default=axes[0],
        required=True,
        format_func=str.capitalize,
        key="views.axis",
        persist_state="page",
    )
    effects = axis_table(shown.results, str(axis), shown.metric)
    st.caption(
        "Mean over all configurations with a value; the line goes from the least to the greatest of them. "
        "An average "
        "can hide opposite effects: see Kinds of questions."
    )
    told = "; ".join(f"{e.value} {e.mean:.2f} over {e.runs}" for e in effects)
    st.altair_chart(viewcharts.effects(effects, shown.title), alt=f"{shown.title} by {axis}: {told}")
    if len(axes) > 1:
        _two(shown, axes)
        _all_axes(shown, axes)


def _two(shown: Shown, axes: list[str]) -> None:
    st.markdown("**Two axes against each other**")
    pairs = {f"{a.capitalize()} × {b}": (a, b) for a, b in combinations(axes, 2)}
    chosen = st.segmented_control(
        "Axes",
        list(pairs),
        default=next(iter(pairs)),
        required=True,
        key="views.axes",
        persist_state="page",
        label_visibility="collapsed",
    )
    down, across = pairs[str(chosen)]
    means = two_axes(shown.results, down, across, shown.metric)
    cells = {place: (mean, score(mean)) for place, mean in sorted(means.items())}
    told = "; ".join(f"{a} with {b} {score(mean)}" for (a, b), mean in sorted(means.items())[:20])
    st.altair_chart(viewcharts.heat(cells, shown.title), alt=f"Mean {shown.title}: {told}")


def _all_axes(shown: Shown, axes: list[str]) -> None:
    runs = shown.results.ranking(shown.metric)[:MOST_LINES]
    rows = [{axis: _shown_value(run, axis) for axis in axes} for run in runs]
    values = [float(run.metric(shown.metric) or 0.0) for run in runs]
    st.markdown("**All axes at once**")
    st.caption(f"A line is a configuration; on the right it ends at its {shown.title}.")
    best = ", ".join(rows[0].values())
    chart = viewcharts.parallel(rows, values, axes, shown.title)
    st.altair_chart(chart, alt=f"{len(rows)} configurations over {', '.join(axes)}; the best: {best}")


def _shown_value(run: RunResult, axis: str) -> str:
    value = axis_value(run, axis)
    return f"no {axis}" if value == "None" else value


def kinds(shown: Shown) -> None:
    """Draw configurations against types of question, and name the hardest questions."""
    labels = [run.label for run in shown.results.ranking(shown.metric)][:MOST_KINDS]
    drawn = [kind for kind in table_of_kinds(shown.results, shown.metric) if kind.label in labels]
    if len({kind.kind for kind in drawn}) < 2:
        st.info(
            "All questions are of one type. The first tag of a question is its type.", icon=":material/label:"
        )
    else:
        cells = {(shown.name(k.label), k.kind): (k.mean, f"{k.mean:.2f} (n={k.questions})") for k in drawn}
        st.caption(
            "Mean by type of question; n is how many questions stand behind it. Few questions say little."
        )
        extremes = (
            f"Best: {_kind(shown, max(drawn, key=_mean))}. Worst: {_kind(shown, min(drawn, key=_mean))}."
        )
        st.altair_chart(
            viewcharts.heat(cells, shown.title), alt=f"{shown.title} by type of question. {extremes}"
        )
        st.markdown(plain(extremes))
    _hardest(shown)


def _mean(kind: Kind) -> float:
    return kind.mean


def _kind(shown: Shown, kind: Kind) -> str:
    return f"{kind.kind} under {shown.name(kind.label)}, {kind.mean:.2f} (n={kind.questions})"


def _hardest(shown: Shown) -> None:
    found = hardest(shown.results, shown.metric, HARDEST)
    if not found:
        return
    st.markdown("**Hardest questions**")
    st.caption("Lowest mean over all configurations.")
    for row in found:
        st.page_link(
            setup.path_of("questions"),
            label=f"{row.mean:.2f} · {plain(row.id)}: {plain(row.question)}",
            help=f"Nothing found by {row.failed:,} of {count(row.runs, 'configuration')}",
            query_params={**shown.here.link.params, "questions.find": row.id},
        )


def quality(shown: Shown) -> None:
    """Draw the one number over all stages, and how well the vectors spread."""
    winner = shown.results.best(shown.metric)
    found = shown.results.composite(shown.metric)
    if winner is None or found is None:
        st.info("No configuration has this metric.", icon=":material/speed:")
        return
    st.caption(
        f"Of {plain(shown.name(winner.label))}, which leads on {shown.title}. The harmonic mean of what "
        "was measured, "
        "from 0 to 100: one weak stage pulls it down."
    )
    with st.grid(5, min_column_width=120, gap="small"):
        st.metric("Composite", "–" if found.score is None else f"{found.score:.1f}", border=True)
        for name, value in found.parts.items():
            st.metric(name.capitalize(), f"{value:.3f}", border=True, help=DIMENSIONS[name])
    for name, reason in found.missing.items():
        st.caption(f"{name.capitalize()} is missing: {plain(reason)}.")
    _embeddings(shown)


def _embeddings(shown: Shown) -> None:
    rows = [
        {
            "embedder": run.configuration.embedder,
            "chunker": run.configuration.chunker_text,
            "quality": known.score,
            "anisotropy": known.anisotropy,
            "separation": known.separation,
            "effective": known.effective_dimensions,
            "collapsed": 100 * known.collapsed,
        }
        for run in embedded(shown.results)
        if (known := run.embedding_quality) is not None
    ]
    if not rows:
        return
    st.markdown("**Embedding quality**")
    st.caption("What the vectors of the chunks say without any question: do they keep different texts apart?")
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        placeholder="–",
        alt=f"Embedding quality of {len(rows)} ways of cutting and embedding",
        column_config={
            "embedder": "Embedder",
            "chunker": "Chunker",
            "quality": number(
                "Quality", format="%.2f", help="0 to 1 over the four beside it; higher is better."
            ),
            "anisotropy": number(
                "Anisotropy",
                format="%.2f",
                help="Mean cosine of chunks of different documents; lower is better.",
            ),
            "separation": number(
                "Separation", format="%.2f", help="Neighbouring chunks' mean cosine, less anisotropy."
            ),
            "effective": number(
                "Dimensions", format="%.0f", help="Effective dimensions (participation ratio)."
            ),
            "collapsed": number(
                "Collapsed", format="%.0f %%", help="Chunks that share a vector with other words."
            ),
        },
    )


def warnings(shown: Shown) -> None:
    """List what the run noticed, the worst first, each with a way to what it is about."""
    log = shown.results.warnings
    if not len(log):
        st.info("The run noticed nothing that may harm its numbers.", icon=":material/check_circle:")
    known = set(shown.results.questions)
    for severity, entries in log.by_severity().items():
        name, icon, color = BADGES[severity]
        st.badge(f"{name} · {len(entries):,}", icon=icon, color=color)  # type: ignore[arg-type]
        for entry in entries:
            st.text(entry.message, width="stretch")
            if entry.subject in known:
                st.page_link(
                    setup.path_of("questions"),
                    label=f"Question {plain(entry.subject)}",
                    query_params={**shown.here.link.params, "questions.find": entry.subject},
                )
            elif entry.stage == "parse" and entry.subject:
                st.page_link(setup.path_of("corpus"), label="Corpus", query_params=shown.here.link.params)
    st.caption(f"Shared work: {shown.results.cache_summary}.")
