"""A check: a name, why it matters, and what runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from evalcore.errors import EvalgridError

Make = Callable[..., Any]
"""Makes what is checked: what a plug-in's `make` returns, or a method of our own."""


class ConformanceError(EvalgridError, AssertionError):
    """A check that failed; the message says which, what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class Check:
    """One law of a protocol. `run` takes the function that makes what is checked.

    `run` raises ConformanceError where the law is broken; `why` says what goes wrong in a run without it.
    """

    name: str
    why: str
    law: Callable[[Make], None]

    @property
    def __name__(self) -> str:
        """The name, by which pytest calls a case."""
        return self.name

    def run(self, make: Make) -> None:
        """Check what `make` makes.

        Raises:
            ConformanceError: it breaks this law, or raised something.
        """
        try:
            self.law(make)
        except ConformanceError as error:
            raise ConformanceError(f"{self.name}: {error} ({self.why})") from None
        except Exception as error:
            said = " ".join(str(error).split())
            raise ConformanceError(
                f"{self.name}: raised {type(error).__name__}: {said} ({self.why})"
            ) from error


def run_all(checks: Iterable[Check], make: Make) -> None:
    """Run every check.

    Raises:
        ConformanceError: one line per check that failed.
    """
    failed: list[str] = []
    for check in checks:
        try:
            check.run(make)
        except ConformanceError as error:
            failed.append(str(error))
    if failed:
        raise ConformanceError("\n".join(failed))


def expect(holds: object, found: str) -> None:
    """Go on where `holds` is true.

    Raises:
        ConformanceError: it is not; `found` says what was found and what was expected.
    """
    if not holds:
        raise ConformanceError(found)
