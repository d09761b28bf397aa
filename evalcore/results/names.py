"""Configuration labels shortened to what varies in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.results.results import AXES, axis_value
from evalcore.results.run_result import RunResult

_NONE = "None"
_OFF = ("reranker",)
"""Axes whose `None` is a value of its own; elsewhere it follows from the index or the reranker."""


@dataclass(frozen=True, slots=True)
class Names:
    """`short` by label; `constant`: the axes that do not vary, with their value; `varying`: the others."""

    short: dict[str, str]
    constant: dict[str, str]
    varying: tuple[str, ...]


def shorten(runs: Sequence[RunResult]) -> Names:
    """Name each run by the axes that vary; one whose short name would not be its own keeps its label."""
    values = {
        axis: [v for run in runs if (v := axis_value(run, axis)) != _NONE or axis in _OFF] for axis in AXES
    }
    varying = tuple(axis for axis in AXES if len(set(values[axis])) > 1)
    once = {axis: found[0] for axis, found in values.items() if found and axis not in varying}
    short = [_name(run, varying) for run in runs]
    return Names(
        {
            run.label: name if short.count(name) == 1 else run.label
            for run, name in zip(runs, short, strict=True)
        },
        {axis: value for axis, value in once.items() if value != _NONE},
        varying,
    )


def _name(run: RunResult, varying: Sequence[str]) -> str:
    parts = []
    for axis in varying:
        value = axis_value(run, axis)
        if axis == "candidates":
            continue
        if axis == "reranker":
            value = "no reranker" if value == _NONE else value
        if axis == "embedder" and value == _NONE:
            continue
        parts.append(value)
    if "candidates" in varying and run.configuration.candidates is not None:
        parts.append(f"{run.configuration.candidates} candidates")
    return " · ".join(parts) or run.label
