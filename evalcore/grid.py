"""Axes to configurations: what is combined with what, what cannot run, what is the same, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import embedder_name, embedder_spec
from evalcore.errors import SettingsError, one_of
from evalcore.retrieval.registry import RETRIEVERS, needs_vectors
from evalcore.settings import GridSettings, Settings
from evalcore.specs import Spec, Value
from evalcore.text.tokens import CL100K

MODES = ("factorial", "ofat")


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
    if grid is not None:
        _refuse_unknown_axes(grid)
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
    combinations = _one_at_a_time(axes) if mode == "ofat" else _everything(axes)
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


def _everything(axes: Axes) -> list[_Point]:
    return [_Point(*values) for values in product(axes.parsers, axes.chunkers, axes.embedders, axes.indexes)]


def _one_at_a_time(axes: Axes) -> list[_Point]:
    first = _Point(axes.parsers[0], axes.chunkers[0], axes.embedders[0], axes.indexes[0])
    return [
        first,
        *(replace(first, parser=parser) for parser in axes.parsers[1:]),
        *(replace(first, chunker=chunker) for chunker in axes.chunkers[1:]),
        *(replace(first, embedder=embedder) for embedder in axes.embedders[1:]),
        *(replace(first, index=index) for index in axes.indexes[1:]),
    ]


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
    return {
        spec: spec.name if variants[spec.name] == 1 else _telling_name(spec, chunkers) for spec in chunkers
    }


def _telling_name(spec: Spec, chunkers: Sequence[Spec]) -> str:
    """Return the main parameter and what else differs, without what follows (an overlap from its size)."""
    mine = _effective(spec)
    others = [_effective(other) for other in chunkers if other.name == spec.name]
    main = CHUNKERS.get(spec.name).main
    told = {}
    for name, value in mine.items():
        is_main = main is not None and name == main.name
        without = CHUNKERS.spec(spec.name, {k: v for k, v in mine.items() if k != name})
        follows = not is_main and _effective(without)[name] == value
        if is_main or (not follows and any(other[name] != value for other in others)):
            told[name] = value
    return CHUNKERS.format(CHUNKERS.spec(spec.name, told))


def _effective(chunker: Spec) -> dict[str, Value]:
    built = CHUNKERS.build(chunker)
    return {p.name: getattr(built, p.name) for p in CHUNKERS.get(chunker.name).parameters}


def complete(chunker: Spec) -> dict[str, Value]:
    """Return a chunker's parameters as it runs, defaults filled in; cl100k_base goes without saying."""
    found = _effective(chunker)
    if found.get("tokenizer") == CL100K:
        del found["tokenizer"]
    return found


def grid_of(settings: Settings) -> Grid:
    """Return the grid of a settings file: every combination of `strategies`, or the `grid` in its mode.

    Raises:
        SettingsError: as `axes_of` and `expand`.
    """
    return expand(axes_of(settings), settings.grid.mode if settings.grid is not None else "factorial")


def _refuse_unknown_axes(grid: GridSettings) -> None:
    """Refuse what this version cannot vary, rather than leave it out of the run in silence."""
    if any(parser != "auto" for parser in grid.parser):
        raise SettingsError(
            f"grid.parser is {', '.join(grid.parser)}; this version reads files with auto only"
        )
    if any(reranker is not None for reranker in grid.reranker):
        raise SettingsError("grid.reranker is given; this version has no rerankers, leave it out")
    if grid.mode == "staged":
        raise SettingsError("grid.mode is staged; this version runs factorial and ofat")


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
