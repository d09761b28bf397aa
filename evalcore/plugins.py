"""Methods of other people as values of a grid: registered by name, or published under entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evalcore.chunking.plugged import chunker_method
from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import EMBEDDERS, embedder_method, embedder_spec
from evalcore.errors import SettingsError
from evalcore.grid import Configuration
from evalcore.plugged import IN_PROCESS, Plugin
from evalcore.retrieval.registry import RETRIEVERS, index_method
from evalcore.retrieval.rerank import RERANKERS, reranker_method, reranker_spec
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

REGISTRIES: tuple[Registry[Any], ...] = (CHUNKERS, EMBEDDERS, RETRIEVERS, RERANKERS)
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
    return tuple(line for registry in REGISTRIES for line in registry.problems)


def identities(configurations: Iterable[Configuration]) -> dict[str, str]:
    """Return the plug-ins that configurations use, as `chunker NAME`, with their source and version."""
    return {
        f"{kind} {method.name}": _identity(method)
        for configuration in configurations
        for kind, method in _methods(configuration)
        if method.source
    }


def obstacle(configuration: Configuration, planned: Mapping[str, str]) -> str:
    """Return why a configuration cannot be computed here as it was planned, in one line, or "".

    `planned` is what `identities` gave in the process that planned the run; it may have known other plug-ins.
    """
    here = {f"{kind} {method.name}": _identity(method) for kind, method in _methods(configuration)}
    for plugin, identity in planned.items():
        kind, _, name = plugin.partition(" ")
        if not _names(configuration, kind, name):
            continue
        if plugin not in here:
            return f"{plugin} ({identity}) is not known to this process; {_remedy(kind, name, identity)}"
        if here[plugin] != identity:
            return f"{plugin} was {identity} when this run began and is {here[plugin]} now; start a new run"
    return ""


def _remedy(kind: str, name: str, identity: str) -> str:
    if identity.startswith(IN_PROCESS):
        return "a run in the background finds entry points only: publish it (docs/plugins.md)"
    registry = next(registry for registry in REGISTRIES if _kind(registry) == kind)
    broken = [line for line in registry.problems if f" {name} = " in line]
    return "; ".join(broken) or "install it again"


def _kind(registry: Registry[Any]) -> str:
    return "index" if registry is RETRIEVERS else registry.kind


def _identity(method: Method[Any]) -> str:
    return method.source if method.version is None else f"{method.source}, version {method.version}"


def _methods(configuration: Configuration) -> list[tuple[str, Method[Any]]]:
    """Return the known methods of a configuration's axes, with their kinds."""
    read: list[tuple[Registry[Any], Callable[[], str]]] = [
        (CHUNKERS, lambda: configuration.chunker.name),
        (EMBEDDERS, lambda: embedder_spec(configuration.embedder or "").name),
        (RETRIEVERS, lambda: RETRIEVERS.parse(configuration.index).name),
        (RERANKERS, lambda: reranker_spec(configuration.reranker or "").name),
    ]
    found = []
    for registry, name_of in read:
        try:
            found.append((_kind(registry), registry.get(name_of())))
        except SettingsError:
            continue
    return found


def _names(configuration: Configuration, kind: str, name: str) -> bool:
    """Return whether a configuration's value on the axis is this method, known or not."""
    value = {
        "chunker": configuration.chunker.name,
        "embedder": configuration.embedder,
        "index": configuration.index,
        "reranker": configuration.reranker,
    }[kind]
    return value is not None and (value == name or value.startswith(f"{name}:"))
