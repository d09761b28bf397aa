"""The verdict in English: a winner with its margin, or what is in play and what would settle it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalcore.models import AxisVerdict, StrategyResult, Verdict
from evalcore.report.verdict import DECIDED_AT
from evalcore.stats import TIE

METRIC_NAMES: Mapping[str, str] = {
    "recall_at_k": "recall@{k}",
    "mrr": "MRR",
    "hit_rate_at_k": "hit rate@{k}",
    "balanced": "balanced score",
}
FRAGMENT_TRAP = 0.30
_OTHER_AXIS = {"chunking": "retrievers", "retrieval": "strategies"}


def metric_name(metric: str, k: int) -> str:
    """Return a ranking metric's name for a person."""
    return METRIC_NAMES.get(metric, metric).format(k=k)


def share(value: float) -> str:
    """Return a chance as a percentage that never rounds up to certainty or down to none."""
    if 0 < value < 0.005:
        return "under 1 %"
    if 0.995 <= value < 1:
        return "over 99 %"
    return f"{value * 100:.0f} %"


@dataclass(frozen=True, slots=True)
class Scoring:
    """What the table was ranked by: the metric, its cut-off and the number of scored questions.

    `splits` counts, by (strategy, retriever), the questions whose answer was cut apart; `partial` is a
    sentence that says how far a run got that is not whole.
    """

    metric: str
    k: int
    questions: int
    splits: Mapping[tuple[str, str], int] = field(default_factory=dict)
    partial: str = ""


def recommendation(verdict: Verdict, results: Sequence[StrategyResult], scoring: Scoring) -> str:
    """Return the verdict as text, one paragraph per axis; `results` is the ranked table.

    The verdict on a partial run begins with a paragraph that says so.
    """
    axes = [verdict.chunking, *([verdict.retrieval] if verdict.retrieval is not None else [])]
    words = [f"{axis.axis.capitalize()}: {axis_words(axis, results, scoring)}" for axis in axes]
    if scoring.partial:
        words.insert(0, f"{scoring.partial} The verdict covers only these and may change.")
    return "\n\n".join(words)


def axis_words(axis: AxisVerdict, results: Sequence[StrategyResult], scoring: Scoring) -> str:
    """Return one axis's verdict as a paragraph."""
    candidates = judged_rows(axis, results)
    if len(candidates) == 1:
        tried = f"only {axis.leader} was tried, so there is nothing to compare."
        return f"{tried} {_scored(candidates[axis.leader], scoring)}"
    body = _decided if axis.decided else _undecided
    by_document = by_document_words(axis)
    caution = [by_document] if by_document else []
    return " ".join([*body(axis, candidates, scoring), *caution, *_held(axis, results)])


def by_document_words(axis: AxisVerdict) -> str:
    """Say what drawing documents instead of questions changes; nothing when the conclusion stays."""
    found, margin = axis.by_document, axis.margin
    if found is None or margin is None:
        return ""
    drawn = f"drawn by document ({found.documents:,} of them)"
    why = "But several questions ask about one document:"
    changes = []
    if axis.decided and found.probability_best < DECIDED_AT:
        changes.append(f"it comes out best in only {share(found.probability_best)}")
    if _leaves_out_zero(margin.ci95) and not _leaves_out_zero(found.ci95):
        low, high = found.ci95
        changes.append(f"the interval of the gap is {low:+.3f} to {high:+.3f}, which holds zero")
    if not changes:
        return ""
    return f"{why} {drawn}, {' and '.join(changes)}, so other documents may well decide otherwise."


def _leaves_out_zero(interval: tuple[float, float]) -> bool:
    return interval[0] > TIE or interval[1] < -TIE


def judged_rows(axis: AxisVerdict, results: Sequence[StrategyResult]) -> dict[str, StrategyResult]:
    """Return the rows that were judged, by their value on the axis, in the verdict's order."""
    rows = {}
    for row in results:
        names = (row.strategy, row.retriever)
        value, other = names if axis.axis == "chunking" else names[::-1]
        if axis.held is None or other == axis.held:
            rows[value] = row
    return {name: rows[name] for name in axis.probability_best}


def _scored(row: StrategyResult, scoring: Scoring) -> str:
    values = {"recall_at_k": row.recall_at_k, "mrr": row.mrr, "hit_rate_at_k": row.hit_rate_at_k}
    value = values.get(scoring.metric, row.balanced_score)
    name = metric_name(scoring.metric, scoring.k)
    return f"It scored {value:.2f} on {name} over {_questions(scoring.questions)}."


def _decided(axis: AxisVerdict, candidates: Mapping[str, StrategyResult], scoring: Scoring) -> list[str]:
    chance = share(axis.probability_best[axis.leader])
    winner = candidates[axis.leader]
    sentences = [
        f"use {axis.leader}{_settings(axis, winner)}.",
        _scored(winner, scoring),
        f"It came out best in {chance} of the paired resamples; {_margin(axis)}.",
        *_out(axis),
    ]
    others = [name for name in axis.in_play if name != axis.leader]
    if others:
        sentences.append(f"Not ruled out: {', '.join(others)}.")
    if axis.axis == "chunking":
        sentences += _reasons(winner, list(candidates.values())[-1], scoring)
    return sentences


def _undecided(axis: AxisVerdict, candidates: Mapping[str, StrategyResult], scoring: Scoring) -> list[str]:
    chance = share(axis.probability_best[axis.leader])
    name = metric_name(scoring.metric, scoring.k)
    return [
        f"no clear winner. {axis.leader} leads on {name}, but came out best in only {chance} of the paired "
        f"resamples over {_questions(scoring.questions)}; {_margin(axis)}.",
        f"Still in play: {', '.join(axis.in_play)}.",
        *_out(axis),
        settled_by(axis, candidates, scoring.questions),
    ]


def settled_by(axis: AxisVerdict, candidates: Mapping[str, StrategyResult], questions: int) -> str:
    """Say what would settle an open axis: more questions, or else the cost."""
    if axis.questions_to_separate is not None:
        return (
            f"About {_about(axis.questions_to_separate):,} scored questions (now {questions:,}) would "
            "separate the first two if the gap stayed as it is."
        )
    hopeless = "No realistic number of questions would separate the first two"
    costs = {name: candidates[name].retrieved_tokens_at_k for name in axis.in_play}
    cheapest, dearest = min(costs, key=costs.__getitem__), max(costs, key=costs.__getitem__)
    if round(costs[dearest]) <= round(costs[cheapest]):
        return f"{hopeless}, and nothing measured here tells them apart."
    return (
        f"{hopeless}, so choose by cost: {cheapest} hands over {costs[cheapest]:,.0f} tokens per question, "
        f"{dearest} {costs[dearest]:,.0f}."
    )


def _reasons(winner: StrategyResult, worst: StrategyResult, scoring: Scoring) -> list[str]:
    """Say why chunking matters here: fragments, answers cut apart, chunks the model cannot read."""
    reasons = []
    tiny = worst.chunk_health.pct_tiny
    if worst is not winner and tiny >= FRAGMENT_TRAP:
        reasons.append(
            f"{worst.strategy} came last: {share(tiny)} of its chunks are tiny (the fragment trap)."
        )
    split = scoring.splits.get((winner.strategy, winner.retriever), 0)
    if split:
        reasons.append(
            f"{winner.strategy} still cut the answer apart in {split} of {_questions(scoring.questions)}; "
            "more overlap, or cutting at headings, may help."
        )
    oversized = winner.chunk_health.pct_oversized
    if oversized > 0:
        reasons.append(
            f"{share(oversized)} of its chunks are longer than the model reads; vectors miss what is beyond."
        )
    return reasons


def _settings(axis: AxisVerdict, winner: StrategyResult) -> str:
    if axis.axis != "chunking" or not winner.config:
        return ""
    return f" ({', '.join(f'{key} {value}' for key, value in winner.config.items())})"


def _margin(axis: AxisVerdict) -> str:
    margin = axis.margin
    if margin is None:
        return "there is nothing to compare it with"
    low, high = margin.ci95
    gap = f"{abs(margin.difference):.3f} {'above' if margin.difference > 0 else 'below'}"
    lead = f"is {gap} that of" if abs(margin.difference) >= 0.0005 else "equals that of"
    return f"its recall {lead} {margin.runner_up} (95 % interval of the gap {low:+.3f} to {high:+.3f})"


def _out(axis: AxisVerdict) -> list[str]:
    return [f"Ruled out: {', '.join(axis.ruled_out)}."] if axis.ruled_out else []


def _held(axis: AxisVerdict, results: Sequence[StrategyResult]) -> list[str]:
    if axis.held is None:
        return []
    others = {row.retriever if axis.axis == "chunking" else row.strategy for row in results}
    if len(others) == 1:
        return []
    kind = _OTHER_AXIS[axis.axis]
    return [
        f"Measured with {axis.held}, on average the best of {len(others)} {kind}, chosen from these data."
    ]


def _about(n: int) -> int:
    """Round to two significant figures: more would claim to be known."""
    return int(float(f"{n:.2g}"))


def _questions(n: int) -> str:
    return f"{n:,} question{'' if n == 1 else 's'}"
