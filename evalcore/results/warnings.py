"""What a run noticed along the way that is no score, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a warning matters, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class RunWarning:
    """One thing noticed.

    `code` is stable, for programs; `stage` says where in a run it arose; `subject` is the document, question
    or configuration that it is about ("" for the whole run); `message` is one sentence.
    """

    code: str
    severity: Severity
    stage: str
    subject: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"


@dataclass(frozen=True, slots=True)
class WarningLog:
    """Warnings in the order in which they arose."""

    entries: tuple[RunWarning, ...] = ()

    def __iter__(self) -> Iterator[RunWarning]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: int) -> RunWarning:
        return self.entries[index]

    def __str__(self) -> str:
        return "\n".join(str(entry) for entry in self.entries) or "no warnings"

    def by_severity(self) -> dict[Severity, tuple[RunWarning, ...]]:
        """Return the warnings of each severity that has any, the worst first."""
        grouped = {
            severity: tuple(e for e in self.entries if e.severity is severity) for severity in Severity
        }
        return {severity: entries for severity, entries in grouped.items() if entries}

    def about(self, subject: str) -> tuple[RunWarning, ...]:
        """Return the warnings about one document, question or configuration."""
        return tuple(entry for entry in self.entries if entry.subject == subject)

    def with_code(self, code: str) -> tuple[RunWarning, ...]:
        """Return the warnings of one code."""
        return tuple(entry for entry in self.entries if entry.code == code)

    def plus(self, entries: Iterable[RunWarning]) -> WarningLog:
        """Return a log with more entries behind these."""
        return WarningLog((*self.entries, *entries))
