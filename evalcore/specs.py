"""Spec strings (`recursive:512,overlap=64`), the methods they name and the parameters these take."""

from __future__ import annotations

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

    `version` changes when its output for equal parameters does; it is part of every stage's identity.
    """

    name: str
    summary: str
    build: Callable[..., T]
    parameters: tuple[Parameter, ...] = ()
    version: int = 1

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


class Registry(Generic[T]):
    """The methods of one kind by name; names may contain colons (`langchain:recursive`)."""

    def __init__(self, kind: str, methods: Iterable[Method[T]] = ()) -> None:
        self.kind = kind
        self._methods: dict[str, Method[T]] = {}
        for method in methods:
            self.register(method)

    def register(self, method: Method[T]) -> None:
        """Add a method under its name.

        Raises:
            SettingsError: when the name is taken.
        """
        if method.name in self._methods:
            raise SettingsError(f"{self.kind} {method.name!r} is registered already; choose another name")
        self._methods[method.name] = method

    def __iter__(self) -> Iterator[Method[T]]:
        return iter(self._methods.values())

    def names(self) -> tuple[str, ...]:
        """Return the names, in order of registration."""
        return tuple(self._methods)

    def get(self, name: str) -> Method[T]:
        """Return the method called `name`.

        Raises:
            SettingsError: when there is none; lists the known ones.
        """
        if name not in self._methods:
            raise SettingsError(one_of(name, self.names(), self.kind))
        return self._methods[name]

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
        name = self._longest_prefix(text)
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

    def _longest_prefix(self, text: str) -> str:
        fitting = [n for n in self._methods if text == n or text.startswith(n + ":")]
        return max(fitting, key=len) if fitting else text.partition(":")[0]

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
