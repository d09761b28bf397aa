"""From a run's record to the rows of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from evalcore.models import ChunkHealth
from evalcore.run.record import CellResult, QuestionOutcome
from evalcore.scoring.table import Floats, Row


def row_of(cell: CellResult, health: ChunkHealth) -> Row:
    """Collect a cell's per-question scores; at least one question."""
    outcomes = cell.outcomes
    return Row(
        strategy=cell.configuration.strategy,
        retriever=cell.configuration.retriever,
        recall=_array(outcomes, lambda o: o.recall),
        hit=_array(outcomes, lambda o: float(o.hit)),
        reciprocal_rank=_array(outcomes, lambda o: 1.0 / o.first_hit_rank if o.first_hit_rank else 0.0),
        precision=_array(outcomes, lambda o: sum(o.is_hit) / len(o.is_hit) if o.is_hit else 0.0),
        efficiency=_array(outcomes, lambda o: min(1.0, o.found_tokens / o.tokens) if o.tokens else 0.0),
        tokens=_array(outcomes, lambda o: float(o.tokens)),
        pct_tiny=health.pct_tiny,
    )


def _array(outcomes: Sequence[QuestionOutcome], value: Callable[[QuestionOutcome], float]) -> Floats:
    return np.array([value(outcome) for outcome in outcomes], dtype=np.float64)
