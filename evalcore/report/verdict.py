"""The decision on each axis, as data: who leads, how surely, who is out, what would settle it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evalcore.models import AxisVerdict, ByDocument, Margin, Verdict
from evalcore.scoring.table import Floats, Row, Weights, balanced, per_question, ranked
from evalcore.stats import (
    Score,
    bootstrap_interval,
    clustered_interval,
    clustered_probability_best,
    probability_best,
    questions_to_separate,
    share_at_least_as_good,
)

DECIDED_AT = 0.90
IN_PLAY_SHARE = 0.95
RULED_OUT_BELOW = 0.025
RULED_OUT_RESAMPLES = 100_000

Axis = Literal["chunking", "retrieval"]


@dataclass(frozen=True, slots=True)
class Resampling:
    """Number of resamples for intervals and chances, and the seed of every generator."""

    resamples: int
    seed: int


def judge(
    rows: Sequence[Row], weights: Weights, resampling: Resampling, documents: Sequence[str] = ()
) -> Verdict:
    """Judge the chunking axis and, when retrievers were compared, the retrieval axis.

    Each is judged with the other held at its value with the best mean recall over the table, ties by name.
    `rows` is the whole table in any order, at least one row. `documents` names the document of each
    question's gold: where several questions share one, the leader is measured by document too.
    """
    table = _Table(rows, weights, resampling, documents)
    retrievers = _values(rows, "retrieval")
    held = _best_value(rows, "retrieval") if len(retrievers) > 1 else None
    same = [r for r in rows if r.retriever == (held or retrievers[0])]
    chunking = _judge_axis("chunking", same, held, table)
    if held is None:
        return Verdict(chunking=chunking)
    strategy = _best_value(rows, "chunking")
    beside = [r for r in rows if r.strategy == strategy]
    return Verdict(chunking=chunking, retrieval=_judge_axis("retrieval", beside, strategy, table))


@dataclass(frozen=True, slots=True)
class _Table:
    """All rows of a run and how they are judged."""

    rows: Sequence[Row]
    weights: Weights
    resampling: Resampling
    documents: Sequence[str]


def name_on(axis: Axis, row: Row) -> str:
    """Return the row's value on an axis."""
    return row.strategy if axis == "chunking" else row.retriever


def _values(rows: Sequence[Row], axis: Axis) -> list[str]:
    return list(dict.fromkeys(name_on(axis, row) for row in rows))


def _best_value(rows: Sequence[Row], axis: Axis) -> str:
    means = {
        value: float(np.mean([r.recall.mean() for r in rows if name_on(axis, r) == value]))
        for value in _values(rows, axis)
    }
    return min(means, key=lambda value: (-means[value], value))


def _judge_axis(axis: Axis, candidates: Sequence[Row], held: str | None, table: _Table) -> AxisVerdict:
    weights, resampling = table.weights, table.resampling
    order = (
        ranked(candidates, weights)
        if weights.metric != "balanced"
        else _ranked_in(candidates, table.rows, weights)
    )
    names = [name_on(axis, row) for row in order]
    questions = len(order[0].recall)
    score = _score(order, table.rows, weights)
    chances = probability_best(score, questions, len(order), resampling.resamples, resampling.seed)
    decided = len(order) == 1 or bool(chances[0] >= DECIDED_AT)
    ruled_out = _ruled_out(score, chances, questions, resampling.seed)
    margin, needed = _margin(order, names, decided, resampling)
    return AxisVerdict(
        axis=axis,
        decided=decided,
        winner=names[0] if decided else None,
        leader=names[0],
        probability_best={name: float(chance) for name, chance in zip(names, chances, strict=True)},
        in_play=[name for i, name in enumerate(names) if i not in ruled_out],
        ruled_out=[name for i, name in enumerate(names) if i in ruled_out],
        margin=margin,
        questions_to_separate=needed,
        held=held,
        by_document=_by_document(order, score, table),
    )


def _by_document(order: Sequence[Row], score: Score, table: _Table) -> ByDocument | None:
    """Measure the leader by document; None where each question has a document of its own, or all have one."""
    documents, resampling = table.documents, table.resampling
    distinct = len(set(documents))
    if len(order) < 2 or not 2 <= distinct < len(documents):
        return None
    chances = clustered_probability_best(score, documents, len(order), resampling.resamples, resampling.seed)
    interval = clustered_interval(order[0].recall - order[1].recall, documents, resampling.seed)
    if interval is None:
        return None
    return ByDocument(documents=distinct, probability_best=float(chances[0]), ci95=interval)


def _ranked_in(candidates: Sequence[Row], table: Sequence[Row], weights: Weights) -> list[Row]:
    """Order candidates as the whole table does: the balanced score depends on the cheapest row of all."""
    kept = {row.key for row in candidates}
    return [row for row in ranked(table, weights) if row.key in kept]


def _score(candidates: Sequence[Row], table: Sequence[Row], weights: Weights) -> Score:
    """Return the function from resampled counts to the candidates' scores on the ranking metric."""
    if weights.metric != "balanced":
        values = np.stack([per_question(row, weights.metric) for row in candidates], axis=1)
        return lambda counts: np.asarray(counts @ values / counts.shape[1], dtype=np.float64)
    recall = np.stack([row.recall for row in candidates], axis=1)
    tokens = np.stack([row.tokens for row in candidates], axis=1)
    everywhere = np.stack([row.tokens for row in table], axis=1)

    def score(counts: Floats) -> Floats:
        n = counts.shape[1]
        means = counts @ everywhere / n
        cheapest = np.where(means > 0, means, np.inf).min(axis=1, keepdims=True)
        cheapest = np.where(np.isfinite(cheapest), cheapest, 0.0)
        return balanced(counts @ recall / n, counts @ tokens / n, cheapest, weights.balanced_lambda)

    return score


def _ruled_out(score: Score, chances: Floats, questions: int, seed: int) -> set[int]:
    """Return positions outside the fewest candidates that reach 95 % and with evidence against them.

    Position 0 leads and is never ruled out.
    """
    likely: set[int] = set()
    reached = 0.0
    for position in np.argsort(-chances, kind="stable"):
        if reached >= IN_PLAY_SHARE - 1e-12:
            break
        likely.add(int(position))
        reached += float(chances[position])
    outside = set(range(1, len(chances))) - likely
    if not outside:
        return set()
    as_good = share_at_least_as_good(score, questions, 0, len(chances), RULED_OUT_RESAMPLES, seed)
    return {position for position in outside if as_good[position] < RULED_OUT_BELOW}


def _margin(
    order: Sequence[Row], names: Sequence[str], decided: bool, resampling: Resampling
) -> tuple[Margin | None, int | None]:
    if len(order) < 2:
        return None, None
    differences = order[0].recall - order[1].recall
    difference = float(order[0].recall.mean() - order[1].recall.mean())
    interval = bootstrap_interval(differences, resampling.resamples, resampling.seed)
    needed = None if decided else questions_to_separate(len(differences), difference, interval)
    return Margin(runner_up=names[1], difference=difference, ci95=interval), needed
