"""Axes to configurations: what is combined with what, what cannot run, what is the same, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import product

from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import embedder_name, embedder_spec
from evalcore.errors import SettingsError, one_of
from evalcore.retrieval.registry import RETRIEVERS, needs_vectors
from evalcore.settings import Settings
from evalcore.specs import Spec, Value
from evalcore.text.tokens import CL100K

MODES = ("factorial", "ofat", "staged")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One cell of the grid. `embedder` is None when the index uses no vectors.

    `strategy` and `retriever` are its names in the report; the pair is unique in a grid.
    """

    parser: str
    chunker: Spec
    embedder: str | None
    index: str
    reranker: str | None
    candidates: int | None
    strategy: str
    retriever: str

    @property
    def key(self) -> str:
        """`strategy · retriever`, unique in the grid and stable between runs."""
        return f"{self.strategy} · {self.retriever}"

    @property
    def label(self) -> str:
        """All parts, joined with ` · ` (views page)."""
        parts = [self.parser, CHUNKERS.format(self.chunker)]
        parts += [self.embedder] if self.embedder is not None else []
        parts.append(self.index)
        if self.reranker is not None:
            parts.append(f"{self.reranker}@{self.candidates}")
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Axes:
    """The values chosen on each axis, in order; the first of each is the baseline."""

    parsers: tuple[str, ...]
    chunkers: tuple[Spec, ...]
    embedders: tuple[str, ...]
    indexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Configurations in run order, and how many combinations were the same or could not run."""

    configurations: tuple[Configuration, ...]
    combinations: int
    folded: int
    impossible: int


def axes_of(settings: Settings) -> Axes:
    """Read the axes of a settings file: `grid` when it is given, else `strategies` and `retrieval`.

    Raises:
        SettingsError: an unknown method or parameter, or the same value twice on an axis.
    """
    grid = settings.grid
    if grid is not None and grid.chunker:
        chunkers = tuple(_in_regex_tokens(CHUNKERS.parse(text)) for text in grid.chunker)
    else:
        chunkers = tuple(CHUNKERS.spec(s.name, s.values) for s in settings.strategies)
    compared = settings.retrieval.compare or (settings.retrieval.mode,)
    indexes = tuple(grid.index) if grid is not None and grid.index else tuple(compared)
    named = tuple(grid.embedder) if grid is not None and grid.embedder else (settings.embedding.model,)
    embedders = tuple(embedder_name(embedder_spec(name)) for name in named)
    indexes = tuple(RETRIEVERS.format(RETRIEVERS.parse(index)) for index in indexes)
    for spec in chunkers:
        CHUNKERS.build(spec)
    axes = Axes(("auto",), chunkers, embedders, indexes)
    _refuse_repeats(axes)
    return axes


def expand(axes: Axes, mode: str = "factorial") -> Grid:
    """Combine the axes: `factorial` takes every combination, `ofat` the baseline and one change at a time.

    Raises:
        SettingsError: an unknown mode, or an empty axis.
    """
    if mode not in MODES:
        raise SettingsError(one_of(mode, MODES, "mode"))
    if not (axes.parsers and axes.chunkers and axes.embedders and axes.indexes):
        raise SettingsError("the grid needs at least one chunker, one embedder and one retriever")
    everything = [_Point(*values) for values in product(*_values(axes))]
    combinations = everything if mode == "factorial" else _one_at_a_time(axes)
    names = strategy_names(axes.chunkers)
    found: dict[str, Configuration] = {}
    for point in combinations:
        configuration = _configuration(point, names[point.chunker], axes.embedders[0])
        found.setdefault(configuration.key, configuration)
    return Grid(tuple(found.values()), len(combinations), len(combinations) - len(found), 0)


@dataclass(frozen=True, slots=True)
class _Point:
    """One value of each axis."""

    parser: str
    chunker: Spec
    embedder: str
    index: str


def _values(axes: Axes) -> tuple[tuple[str, ...], tuple[Spec, ...], tuple[str, ...], tuple[str, ...]]:
    return axes.parsers, axes.chunkers, axes.embedders, axes.indexes


def _one_at_a_time(axes: Axes) -> list[_Point]:
    baseline = _Point(axes.parsers[0], axes.chunkers[0], axes.embedders[0], axes.indexes[0])
    changed = [
        replace(baseline, **{axis.name: value})
        for axis, values in zip(fields(_Point), _values(axes), strict=True)
        for value in values[1:]
    ]
    return [baseline, *changed]


def _configuration(point: _Point, strategy: str, first_embedder: str) -> Configuration:
    """Name a combination; the first embedder goes without saying, another one into the retriever's name."""
    embedder = point.embedder if needs_vectors(point.index) else None
    added = f"+{embedder}" if embedder is not None and embedder != first_embedder else ""
    return Configuration(
        parser=point.parser,
        chunker=point.chunker,
        embedder=embedder,
        index=point.index,
        reranker=None,
        candidates=None,
        strategy=strategy,
        retriever=f"{point.index}{added}",
    )


def strategy_names(chunkers: Sequence[Spec]) -> dict[Spec, str]:
    """Name each chunker for the report: its own name, with what differs where there are several variants."""
    variants = Counter(spec.name for spec in chunkers)
    names: dict[Spec, str] = {}
    for spec in chunkers:
        if variants[spec.name] == 1:
            names[spec] = spec.name
            continue
        others = [complete(s) for s in chunkers if s.name == spec.name]
        mine = complete(spec)
        differing = [k for k, v in mine.items() if any(other[k] != v for other in others)]
        names[spec] = CHUNKERS.format(CHUNKERS.spec(spec.name, {k: mine[k] for k in differing}))
    return names


def complete(chunker: Spec) -> dict[str, Value]:
    """Return a chunker's parameters as it runs, defaults filled in; cl100k_base goes without saying."""
    built = CHUNKERS.build(chunker)
    found = {p.name: getattr(built, p.name) for p in CHUNKERS.get(chunker.name).parameters}
    if found.get("tokenizer") == CL100K:
        del found["tokenizer"]
    return found


def grid_of(settings: Settings) -> Grid:
    """Return the grid of a settings file: every combination of `strategies`, or the `grid` in its mode.

    Raises:
        SettingsError: as `axes_of` and `expand`.
    """
    return expand(axes_of(settings), settings.grid.mode if settings.grid is not None else "factorial")


def _in_regex_tokens(spec: Spec) -> Spec:
    """Sizes of spec strings count `regex` tokens unless they name a tokenizer."""
    takes = any(p.name == "tokenizer" for p in CHUNKERS.get(spec.name).parameters)
    if not takes or "tokenizer" in spec.values:
        return spec
    return CHUNKERS.spec(spec.name, {**spec.values, "tokenizer": "regex"})


def _refuse_repeats(axes: Axes) -> None:
    names = {
        "chunker": [CHUNKERS.format(CHUNKERS.spec(s.name, complete(s))) for s in axes.chunkers],
        "embedder": list(axes.embedders),
        "retriever": list(axes.indexes),
    }
    for axis, values in names.items():
        for value, times in Counter(values).items():
            if times > 1:
                raise SettingsError(f"{axis} {value!r} stands {times} times in the grid; keep one")
