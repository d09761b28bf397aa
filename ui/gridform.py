"""The form of the Grid page: settings in, settings out."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evalcore.chunking.base import Chunker
from evalcore.chunking.names import chunker_text
from evalcore.chunking.registry import CHUNKERS
from evalcore.settings import DEFAULT_MODEL, EvalSettings, RetrievalSettings, Settings, Strategy
from evalcore.specs import Method, Parameter, Spec, Value
from evalcore.text.tokens import CL100K
from ui.text import plain
from ui.words import RANKING_METRICS, RETRIEVERS

REVISION = "grid.revision"
OTHER = "other"
RELEVANCE = {
    "coverage": ("Coverage", "share of the passage that the chunk holds"),
    "iou": ("Overlap", "what passage and chunk share, of both together"),
    "containment": ("Containment", "share of the chunk that is passage"),
}
MODELS = {
    DEFAULT_MODEL: "all-MiniLM-L6-v2: small English model, on this machine",
    "tfidf": "TF-IDF: weighted words, no model",
    "hash": "Hash: random vectors, a floor to compare with",
    OTHER: "Another model, by name or folder",
}


def revision() -> int:
    """How often the form was made anew; part of its fields' keys."""
    return int(st.session_state.setdefault(REVISION, 0))


def renew() -> None:
    """Make the form read the saved settings again on the next drawing."""
    st.session_state[REVISION] = revision() + 1


def spec_text(spec: Spec) -> str:
    """A chunker's spec string."""
    return chunker_text(spec)


def draw(project: str, saved: Settings) -> Settings:
    """Draw the form and return what it says."""
    prefix = f"grid.{project}.{revision()}"
    strategies = _strategies(saved, prefix)
    with st.container(border=True, key="grid-search"):
        st.markdown("**Ways of searching**")
        compare = _retrievers(saved, prefix)
        model = _model(saved, prefix)
    with st.expander("Scoring", icon=":material/tune:", key="grid-scoring"):
        top_k, scored = scoring(saved, prefix)
    mode = compare[0] if len(compare) == 1 else saved.retrieval.mode
    retrieval = RetrievalSettings.model_validate(
        {"mode": mode, "top_k": top_k, "compare": compare if len(compare) > 1 else ()}
    )
    return saved.model_copy(
        update={
            "strategies": strategies,
            "retrieval": retrieval,
            "eval": scored,
            "embedding": saved.embedding.model_copy(update={"model": model}),
        }
    )


def _strategies(saved: Settings, prefix: str) -> tuple[Strategy, ...]:
    with st.container(border=True, key="grid-cutting"):
        st.markdown("**Ways of cutting**")
        st.caption("Add the same one twice to compare its sizes.")
        kept: list[Strategy] = []
        for place, strategy in enumerate(saved.strategies):
            edited = _strategy(
                strategy, f"{prefix}.{place}.{strategy.name}", is_last=len(saved.strategies) == 1
            )
            if edited is None:
                renew()
            else:
                kept.append(edited)
        added = _add(prefix)
        if added is not None:
            renew()
            kept.append(added)
    return tuple(kept)


def _strategy(strategy: Strategy, key: str, *, is_last: bool) -> Strategy | None:
    """Draw one chunker as a row whose parameters open; None when it was taken out."""
    method = next((m for m in CHUNKERS if m.name == strategy.name), None)
    name = key.replace(".", "-").replace(":", "-")
    with st.container(border=True, horizontal=True, vertical_alignment="center", wrap=False, key=name):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{plain(strategy.name)}** :small[:gray[{_said(method, strategy)}]]")
            st.caption(method.summary if method else "This program does not know it.")
        values = dict(strategy.values)
        if method is not None and method.parameters:
            with st.popover("Edit", icon=":material/tune:", width="content", key=f"{name}-edit"):
                values = parameters(method.parameters, strategy.values, key)
        help_text = "One way of cutting must stay." if is_last else "Take it out of the grid"
        if st.button(":material/close:", key=f"{key}.out", disabled=is_last, type="tertiary", help=help_text):
            return None
    return Strategy.model_validate({"name": strategy.name, "params": values})


def _said(method: Method[Chunker] | None, strategy: Strategy) -> str:
    """The parameters a chunker runs with, on one line."""
    given = strategy.values
    parts = [
        f"{_label(p)} {given.get(p.name, p.default)}"
        for p in (method.parameters if method else ())
        if p.type is not str and given.get(p.name, p.default) is not None
    ]
    return plain(" · ".join([*parts, str(given.get("tokenizer", CL100K))]).lower())


def _label(parameter: Parameter) -> str:
    return parameter.name.replace("_", " ").capitalize()


def parameters(parameters: tuple[Parameter, ...], given: Mapping[str, Value], key: str) -> dict[str, Value]:
    """Draw a field per parameter; returns those that were given or differ from the default."""
    found: dict[str, Value] = {}
    with st.grid(3, min_column_width=125, gap="small") as cells:
        for parameter in parameters:
            with cells.cell():
                value = _field(
                    parameter, given.get(parameter.name, parameter.default), f"{key}.{parameter.name}"
                )
            if value is not None and (parameter.name in given or value != parameter.default):
                found[parameter.name] = value
    return found


def _field(parameter: Parameter, value: Value | None, key: str) -> Value | None:
    label = _label(parameter)
    if parameter.choices:
        options = list(parameter.choices)
        index = options.index(str(value)) if value in options else 0
        return st.selectbox(label, options, index=index, key=key, help=parameter.help)
    if parameter.type is str:
        return st.text_input(label, value=str(value or ""), key=key, help=parameter.help) or None
    kind = int if parameter.type is int else float
    return st.number_input(
        label,
        min_value=None if parameter.low is None else kind(parameter.low),
        max_value=None if parameter.high is None else kind(parameter.high),
        value=None if value is None else kind(value),
        step=kind(1) if kind is int or (parameter.high or 0) > 1 else 0.05,
        key=key,
        help=parameter.help,
        placeholder="automatic",
    )


def _add(prefix: str) -> Strategy | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = list(CHUNKERS.names())
        name = st.selectbox(
            "Add a way of cutting",
            names,
            index=None,
            placeholder="Choose one",
            key=f"{prefix}.add",
            format_func=lambda n: f"{n}: {CHUNKERS.get(n).summary}",
        )
        pressed = st.button("Add", icon=":material/add:", disabled=name is None, key=f"{prefix}.add.go")
    return Strategy(name=name) if pressed and name is not None else None


def _retrievers(saved: Settings, prefix: str) -> tuple[str, ...]:
    default = saved.retrieval.compare or (saved.retrieval.mode,)
    chosen = st.pills(
        "Retrievers",
        list(RETRIEVERS),
        selection_mode="multi",
        default=list(default),
        format_func=lambda name: RETRIEVERS[name],
        key=f"{prefix}.retrievers",
        label_visibility="collapsed",
    )
    if not chosen:
        st.caption(f":orange[Choose at least one; {RETRIEVERS[default[0]]} stays.]")
        return (default[0],)
    return tuple(name for name in RETRIEVERS if name in chosen)


def _model(saved: Settings, prefix: str) -> str:
    current = saved.embedding.model
    options = list(MODELS)
    index = options.index(current) if current in options else options.index(OTHER)
    chosen = st.selectbox(
        "Model for vectors",
        options,
        index=index,
        format_func=lambda name: MODELS[name],
        key=f"{prefix}.model",
        help="Makes the vectors that dense and hybrid search by and semantic cutting compares sentences by.",
    )
    if chosen != OTHER:
        return chosen
    typed = st.text_input(
        "Name or folder",
        value="" if current in options else current,
        key=f"{prefix}.model.other",
        placeholder="intfloat/e5-small-v2 or /models/my-model",
        help="A sentence-transformers model that is on this machine or that it can reach.",
    ).strip()
    return typed or current


def scoring(saved: Settings, prefix: str, *, with_k: bool = True) -> tuple[int, EvalSettings]:
    """Draw how questions are scored; returns k and the settings."""
    with st.grid(3, min_column_width=140, gap="small"):
        top_k = saved.top_k
        if with_k:
            top_k = st.number_input(
                "Chunks per question (k)",
                1,
                100,
                saved.retrieval.top_k,
                key=f"{prefix}.k",
                help="How many chunks a question brings back. All numbers are about these.",
            )
        metric = st.selectbox(
            "Rank by",
            list(RANKING_METRICS),
            index=list(RANKING_METRICS).index(saved.eval.ranking_metric),
            format_func=lambda m: RANKING_METRICS[m][0],
            key=f"{prefix}.metric",
            help="What decides the order and the verdict."
            + "".join(f"\n\n**{name}**: {line}" for name, line in RANKING_METRICS.values()),
        )
        penalty = st.number_input(
            "λ, charge for text",
            0.0,
            1.0,
            saved.eval.balanced_lambda,
            0.01,
            key=f"{prefix}.lambda",
            help="What the balanced score takes off for reading more text than the thriftiest configuration.",
        )
        fuzzy = st.number_input(
            "Match from likeness",
            0.5,
            1.0,
            saved.eval.fuzzy_threshold,
            0.01,
            key=f"{prefix}.fuzzy",
            help="A passage counts as found from this likeness on; its numbers must agree in any case.",
        )
        floor = st.number_input(
            "Tiny below (tokens)",
            0,
            2_000,
            saved.eval.min_floor_tokens,
            10,
            key=f"{prefix}.floor",
            help="Chunks below this size count as tiny.",
        )
        seed = st.number_input(
            "Seed",
            0,
            None,
            saved.eval.seed,
            key=f"{prefix}.seed",
            help="The same seed gives the same intervals.",
        )
        relevance = st.selectbox(
            "A chunk is relevant by",
            list(RELEVANCE),
            index=list(RELEVANCE).index(saved.eval.relevance),
            format_func=lambda name: RELEVANCE[name][0],
            key=f"{prefix}.relevance",
            help="For the views.\n\n"
            + "\n\n".join(f"**{name}**: {line}" for name, line in RELEVANCE.values()),
        )
        threshold = st.number_input(
            "Relevant from",
            0.05,
            1.0,
            saved.eval.relevance_threshold,
            0.05,
            key=f"{prefix}.threshold",
            help="The least share from which a chunk counts as relevant.",
        )
    changed = {
        "relevance": relevance,
        "relevance_threshold": float(threshold),
        "ranking_metric": metric,
        "balanced_lambda": float(penalty),
        "fuzzy_threshold": float(fuzzy),
        "min_floor_tokens": int(floor),
        "seed": int(seed),
    }
    return int(top_k), EvalSettings.model_validate({**saved.eval.model_dump(), **changed})
