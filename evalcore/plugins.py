"""Methods of other people as values of a grid: registered by name, or published under entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evalcore.chunking.plugged import chunker_method
from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import EMBEDDERS, embedder_method
from evalcore.grid import Axes, Configuration
from evalcore.plugged import IN_PROCESS, Plugin
from evalcore.retrieval.registry import RETRIEVERS, index_method
from evalcore.retrieval.rerank import RERANKERS, reranker_method
from evalcore.specs import Method, Parameter, Registry

__all__ = [
    "Parameter",
    "Plugin",
    "problems",
    "register_chunker",
    "register_embedder",
    "register_index",
    "register_reranker",
]

_REGISTRIES: Mapping[str, Registry[Any]] = {
    "chunker": CHUNKERS,
    "embedder": EMBEDDERS,
    "index": RETRIEVERS,
    "reranker": RERANKERS,
}
Factory = Callable[..., object]
Parameters = tuple[Parameter, ...] | None
Version = str | int | None


def register_chunker(
    name: str,
    factory: Factory,
    *,
    summary: str = "",
    parameters: Parameters = None,
    version: Version = None,
    replace: bool = False,
) -> None:
    """Make `name` a chunker of this process.

    `factory(**parameters)` returns an object with `cut(document)` or a function from a text; both give ranges
    (start, end) of characters. Without `parameters` those of its signature with a default are taken, without
    `summary` the first line of its docstring. `version` changes when the output for equal parameters does.
    `replace` takes the place of a plug-in of that name, never of a method of this program.

    Raises:
        SettingsError: the name is taken or cannot be used, or the parameters do not fit the factory.
    """
    plugin = Plugin(factory, summary, parameters, version)
    CHUNKERS.register(chunker_method(name, plugin, IN_PROCESS), replace=replace)


def register_embedder(
    name: str,
    factory: Factory,
    *,
    summary: str = "",
    parameters: Parameters = None,
    version: Version = None,
    replace: bool = False,
) -> None:
    """Make `name` an embedder of this process; the rest as `register_chunker`.

    `factory(**parameters)` returns an object with `encode(texts, role)`, or such a function; role is `query`
    or `passage`, the result one row of numbers per text, of any length but 0. Each distinct text is asked for
    once per run and role; with a `version`, vectors are kept for the next run.

    Raises:
        SettingsError: as `register_chunker`.
    """
    plugin = Plugin(factory, summary, parameters, version)
    EMBEDDERS.register(embedder_method(name, plugin, IN_PROCESS), replace=replace)


def register_index(
    name: str,
    factory: Factory,
    *,
    needs_vectors: bool = False,
    summary: str = "",
    parameters: Parameters = None,
    version: Version = None,
    replace: bool = False,
) -> None:
    """Make `name` an index of this process; the rest as `register_chunker`.

    `factory(texts, space, **parameters)` returns an object with `search(queries, k)`, which gives a `Ranking`
    of places in `texts` per query; `space` holds the texts' unit rows, or is None unless `needs_vectors`.

    Raises:
        SettingsError: as `register_chunker`.
    """
    plugin = Plugin(factory, summary, parameters, version, needs_vectors)
    RETRIEVERS.register(index_method(name, plugin, IN_PROCESS), replace=replace)


def register_reranker(
    name: str,
    factory: Factory,
    *,
    summary: str = "",
    parameters: Parameters = None,
    version: Version = None,
    replace: bool = False,
) -> None:
    """Make `name` a reranker of this process; the rest as `register_chunker`.

    `factory(**parameters)` returns an object with `rerank(query, candidates, texts, k)`, which gives a
    `Ranking` of at most k candidates, or a function from a query and a text to a score.

    Raises:
        SettingsError: as `register_chunker`.
    """
    plugin = Plugin(factory, summary, parameters, version)
    RERANKERS.register(reranker_method(name, plugin, IN_PROCESS), replace=replace)


def problems() -> tuple[str, ...]:
    """Return why published plug-ins cannot be used, one line each."""
    return tuple(line for registry in _REGISTRIES.values() for line in registry.problems)


def identities(axes: Axes) -> dict[str, str]:
    """Return the plug-ins among the values of axes, as `chunker NAME`, with their source and version."""
    return {
        f"{kind} {method.name}": _identity(method)
        for kind, registry, names in _values(axes)
        for name in names
        if registry.knows(name) and (method := registry.get(name)).source
    }


def obstacles(planned: Mapping[str, str]) -> dict[str, str]:
    """Return which plug-ins of a run are not here as they were planned, and why, in one line each.

    `planned` is what `identities` gave in the process that planned the run; it may have known other plug-ins.
    """
    found = {}
    for plugin, identity in planned.items():
        kind, _, name = plugin.partition(" ")
        registry = _REGISTRIES[kind]
        here = _identity(registry.get(name)) if name in registry else None
        if here is None:
            remedy = "; ".join(registry.reasons_against(name)) or _remedy(identity)
            found[plugin] = f"{plugin} ({identity}) is not known to this process; {remedy}"
        elif here != identity:
            found[plugin] = f"{plugin} was {identity} when this run began and is {here} now; start a new run"
    return found


def uses(configuration: Configuration, plugin: str) -> bool:
    """Return whether a configuration has a value of `plugin`, as `identities` names it."""
    kind, _, name = plugin.partition(" ")
    value = {
        "chunker": configuration.chunker.name,
        "embedder": configuration.embedder,
        "index": configuration.index,
        "reranker": configuration.reranker,
    }[kind]
    return value is not None and (value == name or value.startswith(f"{name}:"))


def _values(axes: Axes) -> list[tuple[str, Registry[Any], list[str]]]:
    """Return the names of methods that the values of each axis begin with, as far as they are known."""
    named: dict[str, Iterable[str]] = {
        "chunker": [spec.name for spec in axes.chunkers],
        "embedder": axes.embedders,
        "index": axes.indexes,
        "reranker": [value for value in axes.rerankers if value is not None],
    }
    return [
        (kind, _REGISTRIES[kind], [_REGISTRIES[kind].name_in(value) for value in values])
        for kind, values in named.items()
    ]


def _identity(method: Method[Any]) -> str:
    return method.source if method.version is None else f"{method.source}, version {method.version}"


def _remedy(identity: str) -> str:
    if identity.startswith(IN_PROCESS):
        return "a run in the background finds entry points only: publish it (docs/plugins.md)"
    return "install it again"
