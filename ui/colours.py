"""What colours stand for in the views: configurations, or the values of one axis; the same in every view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalcore.results.names import Names
from evalcore.results.results import axis_value
from evalcore.results.run_result import RunResult

CONFIGURATION = "configuration"
OTHERS = "others"
MOST = 6
"""Colours that can be told apart under each kind of colour blindness; the grey after them is for the rest."""


@dataclass(frozen=True, slots=True)
class Colours:
    """`of` names what each label is coloured by; `values` are these names in the order of the colours."""

    by: str
    values: tuple[str, ...]
    of: Mapping[str, str]

    def group(self, label: str) -> str:
        """What a configuration is coloured by."""
        return self.of.get(label, OTHERS)


def choices(runs: Sequence[RunResult], names: Names) -> list[str]:
    """Return what colours can stand for, the most telling first: few configurations, else axes that vary."""
    few = [CONFIGURATION] if len(runs) <= MOST else []
    values = {axis: len({axis_value(run, axis) for run in runs}) for axis in names.varying}
    axes = sorted(values, key=lambda axis: (values[axis] > MOST, -values[axis]))
    return [*few, *axes] or [CONFIGURATION]


def colours(runs: Sequence[RunResult], names: Names, by: str) -> Colours:
    """Give the first values in run order a colour each; the rest share the last one."""
    if by == CONFIGURATION:
        found = {run.label: names.short.get(run.label, run.label) for run in runs}
    else:
        found = {run.label: value_name(axis_value(run, by), by) for run in runs}
    values = list(dict.fromkeys(found.values()))
    if len(values) > MOST:
        values = [*values[:MOST], OTHERS]
    kept = set(values)
    return Colours(by, tuple(values), {k: v if v in kept else OTHERS for k, v in found.items()})


def value_name(value: str, axis: str) -> str:
    """An axis value as it is called on screen."""
    return f"no {axis}" if value == "None" else value
