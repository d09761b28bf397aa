"""What a grid will take before it runs: configurations, tokens to index, time and memory on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from evalcore.errors import WorkspaceError
from evalcore.grid import Axes, Grid

QUESTIONS = 100
"""How many questions are reckoned with when none are given."""
AXES = ("parsers", "chunkers", "embedders", "indexes", "rerankers", "candidates")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A grid in figures. `shape` gives the number of values by axis, in the order of a label's parts.

    `configurations` run; of a staged grid they are all that may. `folded` combinations are the same as
    another, `impossible` ones cannot run. `chunks` and `tokens` (cl100k_base) are what the indexes take in,
    each way of cutting counted once. `stages` holds seconds (chunk, embed, search) and `memory` bytes at the
    highest, predicted from trials on a part of the documents as if no vectors were kept from earlier;
    `unknown` says in sentences what could not be tried and is left out.
    """

    configurations: int
    shape: Mapping[str, int]
    folded: int
    impossible: int
    documents: int
    questions: int
    chunks: int
    tokens: int
    stages: Mapping[str, float]
    memory: int
    unknown: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """The predicted time for all stages."""
        return sum(self.stages.values())

    def sentence(self) -> str:
        """Return the estimate in words."""
        shape = " × ".join(f"{n} {name if n != 1 else _one(name)}" for name, n in self.shape.items())
        cells = f"{self.configurations:,} configuration{'s' if self.configurations != 1 else ''}"
        told = (
            f"{cells} ({shape}) over {self.documents:,} documents: about {rounded(self.tokens):,} tokens in "
            f"{rounded(self.chunks):,} chunks to index. On this machine about {duration(self.seconds)} and "
            f"{size(self.memory)} of memory for {self.questions:,} questions."
        )
        return " ".join([told, *self.unknown])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {**asdict(self), "shape": dict(self.shape), "stages": dict(self.stages)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Estimate:
        """Read what `as_dict` gave.

        Raises:
            WorkspaceError: it is something else.
        """
        try:
            return cls(**{**data, "unknown": tuple(data["unknown"])})
        except (KeyError, TypeError) as error:
            raise WorkspaceError(f"a kept estimate cannot be read: {error}") from None


def shape_of(axes: Axes) -> dict[str, int]:
    """Return how many values each axis has; candidates count only where something is reranked."""
    numbers = {name: len(getattr(axes, name)) for name in AXES}
    return numbers if any(axes.rerankers) else {**numbers, "candidates": 1}


def counted(grid: Grid) -> int:
    """Return how many configurations may run, those of later stages included."""
    return len(grid.configurations) + grid.later


def duration(seconds: float) -> str:
    """Return a time as a person says it: `under a second`, `40 s`, `3 min`, `2.5 h`."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"{rounded(seconds):g} s"
    if seconds < 90 * 60:
        return f"{rounded(seconds / 60):g} min"
    return f"{round(seconds / 3600, 1):g} h"


def size(count: float) -> str:
    """Return bytes as MB, or GB from 1,000 MB on."""
    megabytes = count / 1e6
    return f"{rounded(megabytes):,.0f} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"


def rounded(value: float) -> int:
    """Round to two significant figures: a prediction knows no more."""
    return int(float(f"{value:.2g}"))


def _one(name: str) -> str:
    return {"indexes": "index", "candidates": "number of candidates"}.get(name, name.removesuffix("s"))
