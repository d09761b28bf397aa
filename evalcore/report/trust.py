"""How often a call of a grade is right, from a simulation of grids whose truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalcore.report.grade import Grade

FIELDS = 2_000


@dataclass(frozen=True, slots=True)
class Trust:
    """`right` of `calls` were; of `equal` grids without a difference `false_calls` got one anyway."""

    right: int
    calls: int
    false_calls: int
    equal: int

    def sentence(self) -> str:
        """Return it in words."""
        return (
            f"In a simulation of {FIELDS:,} grids {self.right:,} of {self.calls:,} such calls were right, "
            f"and of {self.equal:,} grids without any difference {self.false_calls:,} got one."
        )


# `python benchmarks/winners.py`, printed in docs/verdict.md.
TRUST: Mapping[tuple[str, Grade], Trust] = {
    ("recall_at_k", Grade.CLEAR): Trust(298, 313, 36, 1_000),
    ("recall_at_k", Grade.PROVEN): Trust(175, 175, 3, 1_000),
    ("balanced", Grade.CLEAR): Trust(358, 374, 40, 1_000),
    ("balanced", Grade.PROVEN): Trust(243, 245, 8, 1_000),
}


def trust_of(metric: str, grade: Grade) -> Trust | None:
    """Return what is known of such calls; None for an open verdict. MRR and hit rate go by recall's."""
    return TRUST.get((metric if metric == "balanced" else "recall_at_k", grade))
