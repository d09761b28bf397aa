"""Spec strings (`recursive:512,overlap=64`), the methods they name and the parameters these take."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from evalcore.errors import SettingsError, one_of

Value = str | int | float
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method: its name, type, default, bounds (inclusive) and a sentence of help.

    `default` None means that the method derives it (the help says how); `main` marks the one that a bare
    value sets (`recursive:512`); `aliases` are other names it answers to.
    """

    name: str
    type: type[int] | type[float] | type[str]
    default: Value | None
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    main: bool = False
    aliases: tuple[str, ...] = ()

    def convert(self, value: object, where: str) -> Value:
        """Return `value` in this parameter's type.

        Raises:
            SettingsError: when it is of another type or out of bounds; `where` names the method.
        """
        label = f"{where}: {self.name}"
        try:
            converted = self._typed(value)
        except (TypeError, ValueError):
            raise SettingsError(f"{label} is {value!r}; expected {self._expected()}") from None
        if self.choices and converted not in self.choices:
            raise SettingsError(f"{label} is {value!r}; expected {self._expected()}")
        if isinstance(converted, int | float) and not self._in_bounds(converted):
            raise SettingsError(f"{label} is {value!r}; expected {self._expected()}")
        return converted

    def _typed(self, value: object) -> Value:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise TypeError
        if self.type is int:
            if isinstance(value, float) and not value.is_integer():
                raise ValueError
            return int(value)
        return self.type(value)

    def _in_bounds(self, value: float) -> bool:
        above = self.low is None or value >= self.low
        return above and (self.high is None or value <= self.high)

    def _expected(self) -> str:
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun = {int: "a whole number", float: "a number", str: "a text"}[self.type]
        if self.low is not None and self.high is not None:
            return f"{noun} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{noun} of at least {self.low:g}"
        return noun


@dataclass(frozen=True, slots=True)
class Spec:
    """A method and the parameters given to it, sorted by name; `str` gives its spec string."""

    name: str
    params: tuple[tuple[str, Value], ...] = ()

    @property
    def values(self) -> dict[str, Value]:
        """The parameters as a dict."""
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Method(Generic[T]):
    """A named way of doing one stage. `build` takes the parameters by name and returns the working object.

    `version` changes when its output for equal parameters does; None: nobody says when that happens. `source`
    is empty for a method of this package, else who published or registered it.
    """

    name: str
    summary: str
    build: Callable[..., T]
    parameters: tuple[Parameter, ...] = ()
    version: str | int | None = 1
    source: str = ""

    @property
    def main(self) -> Parameter | None:
        """The parameter that a bare value sets."""
        return next((p for p in self.parameters if p.main), None)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of that name or alias.

        Raises:
            SettingsError: when there is none; lists the known ones.
        """
        for parameter in self.parameters:
            if name == parameter.name or name in parameter.aliases:
                return parameter
        if not self.parameters:
            raise SettingsError(f"{self.name}: takes no parameters, found {name!r}")
        known = [p.name for p in self.parameters]
        raise SettingsError(f"{self.name}: {one_of(name, known, 'parameter')}")


@dataclass(frozen=True, slots=True)
class Problem:
    """A method that was published under `name` and cannot be used, and why, in one line."""

    name: str
    reason: str


Find = Callable[[], Iterable[Method[T] | Problem]]
"""Looks for published methods."""


class Registry(Generic[T]):
    """The methods of one kind by name; names may contain colons (`langchain:recursive`).

    `find` is called once, when all names or an unknown one are first asked for; what it finds is registered.
    """

    def __init__(self, kind: str, methods: Iterable[Method[T]] = (), find: Find[T] | None = None) -> None:
        self.kind = kind
        self._methods: dict[str, Method[T]] = {}
        self._problems: list[Problem] = []
        self._find = find
        self._is_whole = find is None
        self._is_looking = False
        self._lock = threading.RLock()
        for method in methods:
            self.register(method)

    def register(self, method: Method[T], *, replace: bool = False) -> None:
        """Add a method under its name; `replace` lets it take the place of one of somebody else.

        Raises:
            SettingsError: when the name is taken, or a spec string could mean it and another method.
        """
        with self._lock:
            before = self._methods.get(method.name)
            if before is not None and not (replace and before.source):
                whose = before.source if before.source else "a part of this program"
                raise SettingsError(
                    f"{self.kind} {method.name!r} is there already, {whose}; choose another name"
                )
            for name in self._methods:
                if method.name.startswith(f"{name}:") or name.startswith(f"{method.name}:"):
                    raise SettingsError(
                        f"{self.kind} {method.name!r} reads like {name!r} with a parameter, or the other way "
                        "round; choose another name"
                    )
            self._methods[method.name] = method

    def __iter__(self) -> Iterator[Method[T]]:
        self._look()
        return iter(tuple(self._methods.values()))

    def __contains__(self, name: object) -> bool:
        if name not in self._methods:
            self._look()
        return name in self._methods

    @property
    def problems(self) -> tuple[str, ...]:
        """Why published methods cannot be used, one line each."""
        self._look()
        return tuple(problem.reason for problem in self._problems)

    def reasons_against(self, name: str) -> tuple[str, ...]:
        """Return why the method published under `name` cannot be used, one line for each that is."""
        self._look()
        return tuple(problem.reason for problem in self._problems if problem.name == name)

    def names(self) -> tuple[str, ...]:
        """Return the names, in order of registration."""
        self._look()
        return tuple(self._methods)

    def get(self, name: str) -> Method[T]:
        """Return the method called `name`.

        Raises:
            SettingsError: when there is none; lists the known ones, and says why one of that name is not.
        """
        if name not in self:
            unknown = one_of(name, self.names(), self.kind)
            raise SettingsError("; ".join([unknown, *self.reasons_against(name)]))
        return self._methods[name]

    def _look(self) -> None:
        """Register what is published; another thread waits, a plug-in that asks meanwhile does not."""
        if self._is_whole:
            return
        with self._lock:
            if self._is_whole or self._is_looking or self._find is None:
                return
            self._is_looking = True
            try:
                for found in self._find():
                    self._add(found)
                self._is_whole = True
            finally:
                self._is_looking = False

    def _add(self, found: Method[T] | Problem) -> None:
        if isinstance(found, Method):
            try:
                self.register(found)
            except SettingsError as error:
                found = Problem(found.name, f"{error} ({found.source})")
        if isinstance(found, Problem):
            self._problems.append(found)

    def knows(self, text: str) -> bool:
        """Return whether a spec string begins with the name of a method."""
        return self.name_in(text) in self._methods

    def name_in(self, text: str) -> str:
        """Return the longest known name that a spec string begins with, else what precedes its colon."""
        text = text.strip()
        if not self._prefixes(text):
            self._look()
        return max(self._prefixes(text), key=len, default=text.partition(":")[0])

    def spec(self, name: str, params: Mapping[str, object] | None = None) -> Spec:
        """Check a name and its parameters and return them as a Spec, canonical names, sorted.

        Raises:
            SettingsError: unknown name or parameter, or a value of the wrong type or out of bounds.
        """
        method = self.get(name)
        values: dict[str, Value] = {}
        for key, value in (params or {}).items():
            parameter = method.parameter(str(key))
            if parameter.name in values:
                raise SettingsError(f"{name}: {parameter.name} is given twice")
            values[parameter.name] = parameter.convert(value, name)
        return Spec(name, tuple(sorted(values.items())))

    def parse(self, text: str) -> Spec:
        """Read `name`, `name:value`, `name:value,key=value,...` or `name:key=value,...`.

        Raises:
            SettingsError: as `spec` does, and for a malformed string.
        """
        text = text.strip()
        name = self.name_in(text)
        method = self.get(name)
        params: dict[str, object] = {}
        rest = text[len(name) + 1 :]
        for position, part in enumerate(rest.split(",") if rest else []):
            key, equals, value = part.partition("=")
            if equals:
                params[key.strip()] = value.strip()
            elif position == 0 and method.main is not None:
                params[method.main.name] = part.strip()
            else:
                raise SettingsError(f"{text!r}: expected key=value, found {part!r}")
        return self.spec(name, params)

    def _prefixes(self, text: str) -> list[str]:
        return [name for name in tuple(self._methods) if text == name or text.startswith(f"{name}:")]

    def format(self, spec: Spec) -> str:
        """Return the spec string: the main parameter bare and first, then `key=value` by name."""
        main = self.get(spec.name).main
        values = spec.values
        parts = [_shown(values.pop(main.name))] if main is not None and main.name in values else []
        parts += [f"{key}={_shown(value)}" for key, value in values.items()]
        return f"{spec.name}:{','.join(parts)}" if parts else spec.name

    def build(self, spec: Spec) -> T:
        """Make the working object.

        Raises:
            SettingsError: when the parameters do not go together.
        """
        return self.get(spec.name).build(**spec.values)


def _shown(value: Value) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
