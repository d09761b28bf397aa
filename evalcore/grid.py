"""Axes to configurations: what is combined with what, what cannot run, what is the same, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeVar

from evalcore.chunking.base import Chunker
from evalcore.chunking.names import chunker_text, complete, effective, is_known, strategy_names
from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.parsers import AUTO, PARSERS
from evalcore.embedding.registry import embedder_name, embedder_spec
from evalcore.errors import SettingsError, one_of
from evalcore.retrieval.registry import RETRIEVERS, needs_vectors
from evalcore.retrieval.rerank import reranker_name
from evalcore.settings import GridSettings, Settings, Strategy
from evalcore.specs import Spec
from evalcore.text.tokens import CL100K

__all__ = [
    "Axes",
    "Configuration",
    "Grid",
    "Stages",
    "axes_of",
    "build_chunker",
    "complete",
    "expand",
    "grid_of",
    "strategy_names",
]

MODES = ("factorial", "ofat", "staged")
NONE = "none"
CANDIDATES = 50
_REGEX = "regex"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One cell of the grid. `embedder` is None when the index uses no vectors.

    `strategy` and `retriever` are its names in the report; the pair is unique in a grid. `candidates` is what
    the index hands to the reranker, None without one. `unsaid_tokenizer` goes without saying in the label.
    """

    parser: str
    chunker: Spec
    embedder: str | None
    index: str
    reranker: str | None
    candidates: int | None
    strategy: str
    retriever: str
    unsaid_tokenizer: str = CL100K

    @property
    def key(self) -> str:
        """`strategy · retriever`, unique in the grid and stable between runs."""
        return f"{self.strategy} · {self.retriever}"

    @property
    def label(self) -> str:
        """All parts, joined with ` · ` (views page)."""
        parts = [self.parser, self.chunker_text]
        parts += [self.embedder] if self.embedder is not None else []
        parts.append(self.index)
        if self.reranker is not None:
            parts.append(f"{self.reranker}@{self.candidates}")
        return " · ".join(parts)

    @property
    def chunker_text(self) -> str:
        """The chunker's spec string, without a tokenizer that goes without saying."""
        values = self.chunker.values
        if values.get("tokenizer") == self.unsaid_tokenizer:
            del values["tokenizer"]
        return chunker_text(Spec(self.chunker.name, tuple(values.items())))


@dataclass(frozen=True, slots=True)
class Axes:
    """The values chosen on each axis, in order; the first of each is the baseline.

    An embedder may be `none`. `k` is the run's cut-off: a reranker gets no fewer candidates. `problems` says
    which values cannot be used, and why; their cells fail, the others run.
    """

    parsers: tuple[str, ...]
    chunkers: tuple[Spec, ...]
    embedders: tuple[str, ...]
    indexes: tuple[str, ...]
    rerankers: tuple[str | None, ...] = (None,)
    candidates: tuple[int, ...] = (CANDIDATES,)
    k: int = 1
    unsaid_tokenizer: str = CL100K
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """Configurations in run order, and how many combinations were the same or could not run.

    Of a staged grid only the first stage's are known beforehand; `later` is how many may follow.
    """

    configurations: tuple[Configuration, ...]
    combinations: int
    folded: int
    impossible: int
    later: int = 0


def axes_of(settings: Settings, *, known: bool = True) -> Axes:
    """Read the axes of a settings file: `grid` when it is given, else `strategies` and `retrieval`.

    Without `known`, for a run of the past, values that cannot be used (any more) stand as they were given.

    Raises:
        SettingsError: an unknown strategy or parameter, the same one twice, or an axis of `grid` without any
            value that can be used (one that cannot, beside others that can, is noted in `problems`).
    """
    compared: Sequence[str] = settings.retrieval.compare or (settings.retrieval.mode,)
    if settings.grid is not None:
        return _axes_of_grid(settings, settings.grid, compared, known)
    chunkers = _strategies(settings, known)
    axes = Axes((AUTO,), chunkers, (_embedder(settings.embedding.model),), tuple(compared), k=settings.top_k)
    _refuse_repeats(axes)
    return axes


def _strategies(settings: Settings, known: bool) -> tuple[Spec, ...]:
    return tuple(_strategy(strategy, known) for strategy in settings.strategies)


def _strategy(strategy: Strategy, known: bool) -> Spec:
    try:
        spec = CHUNKERS.spec(strategy.name, strategy.values)
        CHUNKERS.build(spec)
    except SettingsError:
        if known:
            raise
        return Spec(strategy.name, strategy.params)
    return spec


def _axes_of_grid(settings: Settings, grid: GridSettings, compared: Sequence[str], known: bool) -> Axes:
    problems: list[str] = []

    def usable(values: Iterable[str], read: Callable[[str], T], unread: Callable[[str], T]) -> tuple[T, ...]:
        found, wrong = _read_each(values, read, unread)
        if known and wrong and len(wrong) == len(found):
            raise wrong[0]
        problems.extend(str(error) for error in wrong)
        return found

    chunkers = usable(grid.chunker, _chunker, Spec) if grid.chunker else _strategies(settings, known)
    return Axes(
        parsers=usable(grid.parser or (AUTO,), _parser, str),
        chunkers=chunkers,
        embedders=usable(grid.embedder or (settings.embedding.model,), _embedder, str),
        indexes=usable(grid.index or compared, _index, str),
        rerankers=usable([r or NONE for r in grid.reranker] or [NONE], _reranker, str),
        candidates=grid.candidates or (CANDIDATES,),
        k=settings.top_k,
        unsaid_tokenizer=_REGEX if grid.chunker else CL100K,
        problems=tuple(problems),
    )


def _read_each(
    values: Iterable[str], read: Callable[[str], T], unread: Callable[[str], T]
) -> tuple[tuple[T, ...], list[SettingsError]]:
    """Read the values of an axis; one that cannot be used stays as given, with an error that says why."""
    found: list[T] = []
    wrong: list[SettingsError] = []
    for value in values:
        try:
            found.append(read(value))
        except SettingsError as error:
            found.append(unread(value))
            wrong.append(error)
    return tuple(found), wrong


def _chunker(text: str) -> Spec:
    spec = _in_regex_tokens(CHUNKERS.parse(text))
    CHUNKERS.build(spec)
    return spec


def _parser(text: str) -> str:
    return PARSERS.format(PARSERS.parse(text))


def _embedder(text: str) -> str:
    return NONE if text == NONE else embedder_name(embedder_spec(text))


def _index(text: str) -> str:
    return RETRIEVERS.format(RETRIEVERS.parse(text))


def _reranker(text: str) -> str | None:
    return None if text == NONE else reranker_name(text)


def grid_of(settings: Settings, *, known: bool = True) -> Grid:
    """Return the grid of a settings file: every combination of `strategies`, or the `grid` in its mode.

    `known` as for `axes_of`.

    Raises:
        SettingsError: as `axes_of` and `expand`.
    """
    return expand(axes_of(settings, known=known), mode_of(settings))


def mode_of(settings: Settings) -> str:
    """Return how the axes of a settings file are combined."""
    return settings.grid.mode if settings.grid is not None else "factorial"


def expand(axes: Axes, mode: str = "factorial") -> Grid:
    """Combine the axes. `factorial`: every combination; `ofat`: the baseline and one change at a time;
    `staged`: as `ofat`, but from the best value so far, so that only the first stage is known (see `Stages`).

    Raises:
        SettingsError: an unknown mode, or an empty axis.
    """
    if mode not in MODES:
        raise SettingsError(one_of(mode, MODES, "mode"))
    if not all(_values(axes).values()):
        raise SettingsError("the grid needs at least one chunker, one embedder and one retriever")
    points = _everything(axes) if mode == "factorial" else _one_at_a_time(axes)
    cells = _Cells(axes)
    for point in points:
        cells.add(point)
    found = tuple(cells.found.values())
    if mode != "staged":
        return Grid(found, len(points), cells.folded, cells.impossible)
    first = Stages(axes).next() or ()
    return Grid(first, len(points), cells.folded, cells.impossible, len(found) - len(first))


@dataclass(frozen=True, slots=True)
class _Point:
    """One value of each axis, in the order in which a staged grid settles them."""

    parser: str
    chunker: Spec
    embedder: str
    index: str
    reranker: str | None
    candidates: int


def _values(axes: Axes) -> dict[str, tuple[object, ...]]:
    return {
        "parser": axes.parsers,
        "chunker": axes.chunkers,
        "embedder": axes.embedders,
        "index": axes.indexes,
        "reranker": axes.rerankers,
        "candidates": axes.candidates,
    }


def _everything(axes: Axes) -> list[_Point]:
    return [
        _Point(*values)
        for values in product(
            axes.parsers, axes.chunkers, axes.embedders, axes.indexes, axes.rerankers, axes.candidates
        )
    ]


def _one_at_a_time(axes: Axes) -> list[_Point]:
    first = _baseline(axes)
    return [first, *(p for axis, values in _values(axes).items() for p in _varied(first, axis, values[1:]))]


def _baseline(axes: Axes) -> _Point:
    return _Point(
        axes.parsers[0],
        axes.chunkers[0],
        axes.embedders[0],
        axes.indexes[0],
        axes.rerankers[0],
        axes.candidates[0],
    )


def _varied(point: _Point, axis: str, values: Iterable[object]) -> list[_Point]:
    return [replace(point, **{axis: value}) for value in values]  # type: ignore[arg-type]


class Stages:
    """A staged grid as it unfolds: `next` gives a stage's cells, `settle` freezes its axis at the best value.

    Axes with one value are no stage of their own; ties go to the value given first.
    """

    def __init__(self, axes: Axes) -> None:
        self._cells = _Cells(axes)
        self._best = _baseline(axes)
        several = [(axis, values) for axis, values in _values(axes).items() if len(values) > 1]
        self._waiting = several or [("chunker", axes.chunkers)]
        self._stage: list[tuple[_Point, Configuration]] = []

    @property
    def is_last(self) -> bool:
        """Whether no stage follows the one given last."""
        return not self._waiting

    def next(self) -> tuple[Configuration, ...] | None:
        """Return the cells of the next stage, those of former stages among them; None after the last."""
        if not self._waiting:
            return None
        axis, values = self._waiting.pop(0)
        added = [(point, self._cells.add(point)) for point in _varied(self._best, axis, values)]
        self._stage = [(point, cell) for point, cell in added if cell is not None]
        return tuple({cell.key: cell for _, cell in self._stage}.values())

    def settle(self, scores: Mapping[str, float]) -> None:
        """Freeze the best of the stage's values; `scores` by configuration key, without failed cells."""
        scored = [(scores[cell.key], point) for point, cell in self._stage if cell.key in scores]
        if scored:
            self._best = max(scored, key=lambda pair: pair[0])[1]


class _Cells:
    """Combinations as configurations, each computation once."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        self._names = strategy_names(axes.chunkers)
        self.found: dict[tuple[object, ...], Configuration] = {}
        self.folded = 0
        self.impossible = 0

    def add(self, point: _Point) -> Configuration | None:
        """Return the combination's configuration, None when it cannot run."""
        uses_vectors = _uses_vectors(point.index)
        if uses_vectors and point.embedder == NONE:
            self.impossible += 1
            return None
        made = self._configuration(point, point.embedder if uses_vectors else None)
        computation = (
            _reading(made.parser),
            _identity(made.chunker),
            made.embedder,
            made.index,
            made.reranker,
            made.candidates,
        )
        if computation in self.found:
            self.folded += 1
        return self.found.setdefault(computation, made)

    def _configuration(self, point: _Point, embedder: str | None) -> Configuration:
        """Name a combination: the first parser and embedder go without saying, others are added."""
        axes = self._axes
        other = f"+{point.parser}" if _reading(point.parser) != _reading(axes.parsers[0]) else ""
        retriever = point.index
        retriever += f"+{embedder}" if embedder is not None and embedder != axes.embedders[0] else ""
        candidates = None if point.reranker is None else max(point.candidates, axes.k)
        retriever += "" if point.reranker is None else f"+{point.reranker}@{candidates}"
        return Configuration(
            parser=point.parser,
            chunker=point.chunker,
            embedder=embedder,
            index=point.index,
            reranker=point.reranker,
            candidates=candidates,
            strategy=self._names[point.chunker] + other,
            retriever=retriever,
            unsaid_tokenizer=axes.unsaid_tokenizer,
        )


def _uses_vectors(index: str) -> bool:
    try:
        return needs_vectors(index)
    except SettingsError:
        return False  # its cell fails with the reason


def _reading(parser: str) -> str:
    """Return what a parser is the same as: some are what `auto` does anyway."""
    try:
        return AUTO if PARSERS.build(PARSERS.parse(parser)).is_auto else parser
    except SettingsError:
        return parser


def _identity(chunker: Spec) -> tuple[object, ...]:
    return (chunker.name, *sorted(effective(chunker).items()))


def build_chunker(chunker: Spec) -> Chunker:
    """Make a configuration's chunker.

    Raises:
        SettingsError: why a value of the grid that could not be used cannot be.
    """
    return CHUNKERS.build(chunker if is_known(chunker) else _chunker(chunker.name))


def _in_regex_tokens(spec: Spec) -> Spec:
    """Sizes of spec strings count `regex` tokens unless they name a tokenizer."""
    takes = any(p.name == "tokenizer" for p in CHUNKERS.get(spec.name).parameters)
    if not takes or "tokenizer" in spec.values:
        return spec
    return CHUNKERS.spec(spec.name, {**spec.values, "tokenizer": _REGEX})


def _refuse_repeats(axes: Axes) -> None:
    chunkers = [chunker_text(Spec(s.name, tuple(sorted(complete(s).items())))) for s in axes.chunkers]
    for value, times in Counter(chunkers).items():
        if times > 1:
            raise SettingsError(f"chunker {value!r} stands {times} times in the grid; keep one")
