"""The Grid page's form over all axes: values of each as rows, with their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from evalcore.chunking.names import chunker_text, is_known
from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.parsers import PARSERS
from evalcore.embedding.registry import EMBEDDERS, TRANSFORMER, embedder_spec
from evalcore.errors import SettingsError
from evalcore.grid import NONE
from evalcore.retrieval.registry import RETRIEVERS
from evalcore.retrieval.rerank import RERANKERS, reranker_spec
from evalcore.run.search import CUT_OFFS
from evalcore.scoring.headline import HEADLINES
from evalcore.settings import GridSettings, RetrievalSettings, Settings
from evalcore.specs import Registry, Spec
from ui import gridform
from ui.text import plain

MODES = {
    "factorial": ("Everything", "every combination of all values"),
    "ofat": ("One at a time", "the first value of every axis, then one change at a time"),
    "staged": ("Staged", "the best value of one axis is kept before the next is varied"),
}
CANDIDATES = [10, 20, 50, 100, 200]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis as the form draws it. `none` is what stands for no method at all, None where one is needed."""

    key: str
    title: str
    line: str
    registry: Registry[Any]
    parse: Callable[[str], Spec]
    none: str | None = None


AXES = (
    Axis("parser", "Parsers", "How files become text.", PARSERS, PARSERS.parse),
    Axis(
        "chunker",
        "Chunkers",
        "How text is cut. Sizes in tokens: words and signs (regex) unless a tokenizer is named.",
        CHUNKERS,
        CHUNKERS.parse,
    ),
    Axis("embedder", "Embedders", "How texts become vectors.", EMBEDDERS, embedder_spec, "no embedder"),
    Axis("index", "Indexes", "How chunks are found.", RETRIEVERS, RETRIEVERS.parse),
    Axis(
        "reranker",
        "Rerankers",
        "How what was found is ordered anew.",
        RERANKERS,
        reranker_spec,
        "no reranker",
    ),
)


def from_strategies(settings: Settings) -> Settings:
    """Say settings of strategies and retrievers as axes: the same grid, sizes still in cl100k_base tokens."""
    chunkers = []
    for strategy in settings.strategies:
        spec = Spec(strategy.name, strategy.params)
        known = CHUNKERS.get(spec.name).parameters if is_known(spec) else ()
        if any(p.name == "tokenizer" for p in known):
            spec = CHUNKERS.spec(spec.name, {"tokenizer": "cl100k_base", **spec.values})
        chunkers.append(chunker_text(spec))
    grid = GridSettings(
        parser=("auto",),
        chunker=tuple(chunkers),
        embedder=(settings.embedding.model,),
        index=settings.retrieval.compare or (settings.retrieval.mode,),
        reranker=(None,),
        mode="factorial",
        k=settings.retrieval.top_k,
    )
    return Settings(
        embedding=settings.embedding, eval=settings.eval, grid=grid, budget_seconds=settings.budget_seconds
    )


def to_strategies(settings: Settings) -> Settings:
    """Return the default strategies with what both forms share."""
    k = settings.top_k
    return Settings(
        embedding=settings.embedding,
        retrieval=RetrievalSettings(top_k=k),
        eval=settings.eval,
        budget_seconds=settings.budget_seconds,
    )


def draw(project: str, saved: Settings) -> Settings:
    """Draw the form over the axes and return what it says."""
    grid = saved.grid or GridSettings()
    prefix = f"axes.{project}.{gridform.revision()}"
    values: dict[str, Any] = {}
    for axis in AXES:
        given = [_text(value) for value in getattr(grid, axis.key)] or _first(axis, saved)
        values[axis.key] = tuple(_axis(axis, given, f"{prefix}.{axis.key}"))
    values["reranker"] = tuple(None if value == NONE else value for value in values["reranker"])
    with st.container(border=True, key="axes-how"):
        values |= _how(saved, grid, prefix, has_reranker=any(values["reranker"]))
    budget = values.pop("budget_seconds")
    model = next((value for value in values["embedder"] if value != NONE), saved.embedding.model)
    with st.expander("Scoring", icon=":material/tune:", key="axes-scoring"):
        _, scoring = gridform.scoring(saved, prefix, with_k=False)
    return saved.model_copy(
        update={
            "grid": GridSettings.model_validate(values),
            "embedding": saved.embedding.model_copy(update={"model": model}),
            "eval": scoring,
            "budget_seconds": budget,
        }
    )


def _text(value: str | None) -> str:
    return NONE if value is None else value


def _first(axis: Axis, saved: Settings) -> list[str]:
    """What an axis holds that the settings do not name."""
    known: dict[str, list[str]] = {
        "parser": ["auto"],
        "chunker": ["recursive:512"],
        "embedder": [saved.embedding.model],
        "index": [saved.retrieval.mode],
        "reranker": [NONE],
    }
    return known[axis.key]


def _axis(axis: Axis, given: Sequence[str], key: str) -> list[str]:
    kept: list[str] = []
    with st.container(border=True, key=f"axis-{axis.key}"):
        st.markdown(f"**{axis.title}** :small[:gray[{axis.line}]]")
        for place, value in enumerate(given):
            row = _value(axis, value, f"{key}.{place}", is_first=place == 0, is_last=len(given) == 1)
            kept = [*row.values, *kept] if row.to_front else [*kept, *row.values]
        added = _add(axis, key)
        if added is not None and added not in kept:
            kept.append(added)
    distinct = list(dict.fromkeys(kept))
    if len(distinct) != len(given):
        gridform.renew()
    return distinct


@dataclass(frozen=True, slots=True)
class _Row:
    """What a value's row says: the value, edited; with its copy; or nothing when it was taken out."""

    values: tuple[str, ...] = ()
    to_front: bool = False


def _value(axis: Axis, value: str, key: str, *, is_first: bool, is_last: bool) -> _Row:
    edited = value
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key=key.replace(".", "-")):
        words = st.container(gap=None, width="stretch")
        spec = _spec(axis, value)
        if isinstance(spec, Spec) and axis.registry.get(spec.name).parameters:
            with st.popover("Edit", icon=":material/tune:", width="content", key=f"{key}.edit"):
                edited = _edited(axis, spec, key)
            if st.button(":material/content_copy:", key=f"{key}.copy", type="tertiary", help="Add a variant"):
                gridform.renew()
                return _Row((edited, _variant(axis, spec, edited)))
        with words:
            shown = axis.none if edited == NONE and axis.none else edited
            first = " :small[:gray[first: the baseline]]" if is_first and not is_last else ""
            st.markdown(f"{plain(shown)}{first}")
            if isinstance(spec, str):
                st.caption(f":orange[{plain(spec)}]")
        if not is_last and st.button(
            ":material/vertical_align_top:",
            key=f"{key}.first",
            disabled=is_first,
            type="tertiary",
            help="Make it the baseline",
        ):
            gridform.renew()
            return _Row((edited,), to_front=True)
        if st.button(
            ":material/close:", key=f"{key}.out", disabled=is_last, type="tertiary", help="Take it out"
        ):
            return _Row()
    return _Row((edited,))


def _spec(axis: Axis, value: str) -> Spec | str | None:
    """Read a value; None for none at all, a line when it cannot be used."""
    if value == NONE:
        return None
    try:
        spec = axis.parse(value)
        if spec.name != TRANSFORMER:
            axis.registry.build(spec)
    except SettingsError as error:
        return str(error)
    return spec


def _edited(axis: Axis, spec: Spec, key: str) -> str:
    method = axis.registry.get(spec.name)
    st.caption(method.summary)
    values = gridform.parameters(method.parameters, spec.values, key)
    return _format(axis, spec.name, values) or axis.registry.format(spec)


def _format(axis: Axis, name: str, values: Mapping[str, Any]) -> str | None:
    """Write a method with its parameters as a spec string; None, and a line, when they do not fit."""
    try:
        return axis.registry.format(axis.registry.spec(name, values))
    except SettingsError as error:
        st.caption(f":orange[{plain(str(error))}]")
        return None


def _variant(axis: Axis, spec: Spec, value: str) -> str:
    """A copy with half the main parameter, or the value itself where there is none to halve."""
    main = axis.registry.get(spec.name).main
    size = spec.values.get(main.name, main.default) if main is not None else None
    if main is None or not isinstance(size, int) or size < 2:
        return value
    kept = {k: v for k, v in spec.values.items() if k != "overlap"}
    return _format(axis, spec.name, {**kept, main.name: size // 2}) or value


def _add(axis: Axis, key: str) -> str | None:
    names = [NONE] if axis.none else []
    names += list(axis.registry.names())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            f"Add to {axis.title.lower()}",
            names,
            index=None,
            placeholder="Add a value",
            key=f"{key}.add",
            format_func=lambda n: str(axis.none) if n == NONE else f"{n}: {axis.registry.get(n).summary}",
            label_visibility="collapsed",
        )
        typed = ""
        if name is not None and _needs_text(axis, name):
            typed = st.text_input("Model", key=f"{key}.add.model", placeholder="name or folder").strip()
        ready = name is not None and (bool(typed) or not _needs_text(axis, name))
        pressed = st.button("Add", icon=":material/add:", disabled=not ready, key=f"{key}.add.go")
    if not pressed or name is None:
        return None
    gridform.renew()
    if typed:
        return typed if name == TRANSFORMER else f"{name}:{typed}"
    return name


def _needs_text(axis: Axis, name: str) -> bool:
    if name == NONE:
        return False
    main = axis.registry.get(name).main
    return main is not None and main.type is str and not main.default


def _how(saved: Settings, grid: GridSettings, prefix: str, *, has_reranker: bool) -> dict[str, Any]:
    mode = st.segmented_control(
        "Combine",
        list(MODES),
        default=grid.mode,
        required=True,
        format_func=lambda name: MODES[name][0],
        key=f"{prefix}.mode",
        help="\n\n".join(f"**{name}**: {line}" for name, line in MODES.values()),
    )
    st.caption(f"{MODES[str(mode)][1].capitalize()}.")
    with st.grid(3, min_column_width=150, gap="small"):
        k = st.number_input(
            "Chunks per question (k)", 1, 100, saved.top_k, key=f"{prefix}.k", help="What the report counts."
        )
        options = [f"{name}@{cut_off}" for name in HEADLINES for cut_off in CUT_OFFS]
        current = grid.headline if grid.headline in options else None
        headline = st.selectbox(
            "Headline metric",
            options,
            index=options.index(current) if current else options.index("recall@5"),
            key=f"{prefix}.headline",
            help="What a staged grid goes by, and the cut-off of text and token metrics.",
        )
        budget = st.number_input(
            "Time budget (s)",
            min_value=1.0,
            value=saved.budget_seconds,
            step=60.0,
            key=f"{prefix}.budget",
            placeholder="none",
            help="After this time no further configuration begins, and the results say so.",
        )
        candidates = list(grid.candidates) or [50]
        if has_reranker:
            chosen = st.multiselect(
                "Candidates for rerankers",
                sorted({*CANDIDATES, *candidates}),
                candidates,
                key=f"{prefix}.candidates",
                help="How many chunks the index hands to the reranker.",
            )
            candidates = [int(value) for value in chosen] or candidates
    return {
        "mode": mode,
        "k": int(k),
        "headline": headline,
        "budget_seconds": budget,
        "candidates": tuple(candidates),
    }
