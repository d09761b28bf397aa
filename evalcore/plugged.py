"""What a plug-in declares, where published ones are found, and how their faults become one line."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from evalcore.errors import EvalgridError, PluginError, RunCancelledError, SettingsError
from evalcore.specs import Method, Parameter, Problem, Value

IN_PROCESS = "registered in this process"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(:[A-Za-z0-9][\w.-]*)*", re.ASCII)
_RESERVED = ("none", "all-MiniLM-L6-v2")
_TYPES = (int, float, str)
_LONGEST = 300
T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plugin:
    """How a method of somebody else is made; an entry point names one, or its `make` alone.

    `make` takes the parameters by name and returns the working object; for an index it takes the chunks'
    texts and their vector space before them. Without `summary` the first line of its docstring stands;
    without `parameters` those of its signature with a number or a text as default, the first one as the main
    one. `version` changes when the output for equal parameters does; vectors are kept between runs only when
    it is given. `needs_vectors` is for an index.
    """

    make: Callable[..., object]
    summary: str = ""
    parameters: tuple[Parameter, ...] | None = None
    version: str | int | None = None
    needs_vectors: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A plug-in with its parameters.

    `title` names it in messages, `identity` is all that its output depends on.
    """

    title: str
    identity: str
    version: str | int | None
    make: Callable[..., object]


Adapt = Callable[[Made], T]
"""Turns a plug-in with its parameters into a method's working object."""


def method_of(
    kind: str, name: str, plugin: object, source: str, adapt: Adapt[T], given: int = 0
) -> Method[T]:
    """Return a plug-in as a method; `given` is how many arguments its `make` takes before the parameters.

    Raises:
        SettingsError: it declares what cannot be used; the message names it.
    """
    title = f"{kind} {name} ({source})"
    if not _NAME.fullmatch(name) or name in _RESERVED:
        raise SettingsError(
            f"{title}: this name cannot be used; expected letters, digits, dots, dashes and underscores, "
            f"parts joined by colons, and not {' or '.join(_RESERVED)}"
        )
    declared = plugin if isinstance(plugin, Plugin) else Plugin(plugin)  # type: ignore[arg-type]
    parameters = _parameters(title, declared, given)

    def build(**values: Value) -> T:
        complete = {p.name: p.default for p in parameters if p.default is not None} | values
        identity = f"{title} version={declared.version} {sorted(complete.items())}"
        return adapt(Made(title, identity, declared.version, _bound(title, declared.make, complete)))

    summary = declared.summary or (inspect.getdoc(declared.make) or "").strip().partition("\n")[0]
    return Method(name, _line(summary) or f"From {source}", build, parameters, declared.version, source)


def published(
    kind: str, group: str, adopt: Callable[[str, object, str], Method[T]]
) -> Iterator[Method[T] | Problem]:
    """Yield the methods that installed distributions publish under the entry point group, by name.

    `adopt` makes a method of a name, what was loaded and its source. One that cannot be loaded or used is a
    problem that names its distribution and entry point.
    """
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)):
        source = _source(entry)
        try:
            yield adopt(entry.name, entry.load(), source)
        except (Exception, SystemExit) as error:
            said = str(error) if isinstance(error, EvalgridError) else _said(error)
            where = f"{kind} plug-in {entry.name} = {entry.value} of {source}"
            yield Problem(entry.name, f"{where} cannot be used: {_line(said)}; mend or uninstall it")


@contextmanager
def faults(title: str, doing: str) -> Iterator[None]:
    """Turn whatever a plug-in raises into one line; its traceback goes to the log.

    Raises:
        PluginError: in place of what was raised.
        RunCancelledError: the user asked to stop.
    """
    try:
        yield
    except (RunCancelledError, PluginError):
        raise
    except EvalgridError as error:
        raise PluginError(f"{title}, {doing}: {_line(str(error))}") from error
    except (Exception, SystemExit) as error:
        log.exception("%s failed, %s", title, doing)
        raise PluginError(f"{title} failed, {doing}: {_said(error)}") from error


def _bound(title: str, make: Callable[..., object], values: Mapping[str, Value]) -> Callable[..., object]:
    def made(*given: object) -> object:
        with faults(title, "when it was made"):
            return make(*given, **values)

    return made


def _parameters(title: str, plugin: Plugin, given: int) -> tuple[Parameter, ...]:
    """Return the parameters that are declared, or those of the signature.

    Raises:
        SettingsError: `make` is no function, parameters are no good, or `make` does not take them.
    """
    if not callable(plugin.make):
        raise SettingsError(
            f"{title}: found {type(plugin.make).__name__}; expected a function, a class or a Plugin"
        )
    try:
        signature = inspect.signature(plugin.make)
    except (TypeError, ValueError):
        return _checked(title, plugin.parameters or ())
    parameters = plugin.parameters
    if parameters is None:
        parameters = _from_signature(list(signature.parameters.values())[given:])
    checked = _checked(title, parameters)
    try:
        signature.bind(*[None] * given, **{p.name: p.default for p in checked})
    except TypeError as error:
        raise SettingsError(
            f"{title}: its make cannot be called with its parameters: {error}; "
            "give each a default or declare it"
        ) from None
    return checked


def _from_signature(taken: list[inspect.Parameter]) -> tuple[Parameter, ...]:
    usable = [p for p in taken if type(p.default) in _TYPES and p.kind is not p.POSITIONAL_ONLY]
    return tuple(
        Parameter(p.name, type(p.default), p.default, "", main=place == 0) for place, p in enumerate(usable)
    )


def _checked(title: str, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    for parameter in parameters:
        if not isinstance(parameter, Parameter) or parameter.type not in _TYPES:
            raise SettingsError(f"{title}: found {parameter!r}; expected a Parameter of int, float or str")
        if parameter.default is not None:
            parameter.convert(parameter.default, title)
    names = [name for p in parameters for name in (p.name, *p.aliases)]
    if len(set(names)) < len(names) or sum(p.main for p in parameters) > 1:
        raise SettingsError(f"{title}: expected parameters with names of their own, one of them main at most")
    return tuple(parameters)


def _source(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unnamed distribution"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {_line(str(error))}".rstrip(": ")


def _line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
