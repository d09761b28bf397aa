"""How firm a verdict is: open, clear, or proven against every other candidate."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from evalcore.models import AxisVerdict, EvalReport
from evalcore.report.rows import row_of
from evalcore.report.verdict import Axis, name_on
from evalcore.run.record import RunRecord
from evalcore.scoring.table import Floats, Row, Weights, cheapest_tokens, per_question
from evalcore.stats import TIE, holm, mean_interval, sign_flip_p

ALPHA = 0.05


class Grade(StrEnum):
    """Open: nobody is best in 0.90 of resamples. Clear: one is. Proven: clear and told apart from all."""

    OPEN = "open"
    CLEAR = "clear"
    PROVEN = "proven"


def grade_of(
    verdict: AxisVerdict, candidates: Sequence[Row], table: Sequence[Row], weights: Weights, seed: int
) -> Grade:
    """Grade a verdict. `candidates` are the rows it judged, `table` all rows of the run.

    Proven: against each other candidate the paired interval of the ranking metric lies above zero and the
    sign-flip p, adjusted for their number (Holm), is below 0.05 (spec/results.md §6). For `balanced` a
    question counts with its recall less λ times its tokens over the cheapest row's mean.
    """
    if not verdict.decided or len(candidates) < 2:
        return Grade.CLEAR if verdict.decided else Grade.OPEN
    base = cheapest_tokens(table)
    values = {name_on(verdict.axis, row): _values(row, weights, base) for row in candidates}
    leader = values.pop(verdict.leader)
    differences = [leader - other for other in values.values()]
    above = all(mean_interval(difference, seed).low > TIE for difference in differences)
    ps = holm([sign_flip_p(difference, seed) for difference in differences])
    return Grade.PROVEN if above and max(ps) < ALPHA else Grade.CLEAR


def _values(row: Row, weights: Weights, base: float) -> Floats:
    if weights.metric != "balanced" or base <= 0:
        return per_question(row, weights.metric)
    return np.asarray(row.recall - weights.balanced_lambda * row.tokens / base, dtype=np.float64)


def grades(record: RunRecord, report: EvalReport) -> dict[Axis, Grade]:
    """Grade the verdicts of a run's report."""
    if report.verdict is None:
        return {}
    settings = record.inputs.settings.eval
    health = {(r.strategy, r.retriever): r.chunk_health for r in report.strategy_results}
    rows = [
        row_of(cell, health[cell.configuration.strategy, cell.configuration.retriever])
        for cell in record.cells
    ]
    weights = Weights(settings.ranking_metric, settings.balanced_lambda)
    found: dict[Axis, Grade] = {}
    for verdict in (report.verdict.chunking, report.verdict.retrieval):
        if verdict is not None:
            found[verdict.axis] = grade_of(verdict, _judged(verdict, rows), rows, weights, settings.seed)
    return found


def _judged(verdict: AxisVerdict, rows: Sequence[Row]) -> list[Row]:
    """Return the rows among which a verdict chose: those with the held value on the other axis."""
    other: Axis = "retrieval" if verdict.axis == "chunking" else "chunking"
    return [row for row in rows if verdict.held is None or name_on(other, row) == verdict.held]
