"""Quality in one number over all stages, and how well the vectors spread."""

from __future__ import annotations

import streamlit as st

from evalcore.results.tables import embedded
from ui import viewtables
from ui.shown import Shown
from ui.text import plain

DIMENSIONS = {
    "parse": "evidence that stands in the documents as they were read",
    "chunk": "passage text that came back",
    "embed": "how well the vectors spread the chunks",
    "retrieval": "recall and nDCG",
    "generation": "answers of a model; not measured here",
}
COMPOSITE = "Harmonic mean of the parts beside it, 0 to 100; higher is better."


def quality(shown: Shown) -> None:
    """Draw the one number over all stages, and how well the vectors spread."""
    winner = shown.results.best(shown.metric)
    found = shown.results.composite(shown.metric)
    if winner is None or found is None:
        st.info("No configuration has this metric.", icon=":material/speed:")
        return
    st.caption(
        f"Of {plain(shown.name(winner.label))}, which leads on {shown.title}. The harmonic mean of what was "
        f"measured at k = {found.k}, from 0 to 100: one weak stage pulls it down. The parts go from 0 to 1."
    )
    with st.grid(5, min_column_width=120, gap="small"):
        score = "–" if found.score is None else f"{found.score:.1f}"
        st.metric("Composite", score, border=True, help=COMPOSITE)
        for name, value in found.parts.items():
            meaning = f"0 to 1: {DIMENSIONS[name]}."
            st.metric(name.capitalize(), f"{value:.3f}", border=True, help=meaning)
    for name, reason in found.missing.items():
        st.caption(f"{name.capitalize()} ({DIMENSIONS[name]}) is missing: {plain(reason)}.")
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
    number, text = viewtables.number, viewtables.text
    viewtables.draw(
        rows,
        {
            "embedder": text("Embedder"),
            "chunker": text("Chunker"),
            "quality": number("Quality", "0 to 1 over the four beside it; higher is better."),
            "anisotropy": number(
                "Anisotropy", "Mean cosine of chunks of different documents; lower is better."
            ),
            "separation": number(
                "Separation", "Neighbouring chunks' mean cosine, less anisotropy; higher is better."
            ),
            "effective": number(
                "Dimensions", "Effective dimensions (participation ratio); more is better.", "%.0f"
            ),
            "collapsed": number(
                "Collapsed", "Chunks that share a vector with other words; fewer is better.", "%.0f %%"
            ),
        },
        f"Embedding quality of {len(rows)} ways of cutting and embedding",
    )
