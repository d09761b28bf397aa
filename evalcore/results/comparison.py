"""Two configurations, question by question: how large the gap is, how sure, and what that means in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evalcore.errors import InputError
from evalcore.stats import (
    TIE,
    Interval,
    clustered_interval,
    mean_interval,
    questions_for_gap,
    sign_flip_p,
)

ALPHA = 0.05
MOST_QUESTIONS = 100_000
WIDER = 1.1
"""A clustered interval is worth telling when it is more than a tenth wider than the plain one."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left` less `right` on the questions that both answered.

    `difference` is the mean of the `n` paired differences, `ci_low..ci_high` its 95 % bootstrap interval,
    `p_value` that of a two-sided sign-flip test. `clustered` is the interval that draws whole documents
    instead of questions, None unless it is more than a tenth wider; `clusters` counts the documents.
    """

    left: str
    right: str
    metric: str
    n: int
    left_score: float
    right_score: float
    difference: float
    ci_low: float
    ci_high: float
    p_value: float
    wins: int
    losses: int
    ties: int
    alpha: float = ALPHA
    clustered: Interval | None = None
    clusters: int = 0

    @property
    def distinguishable(self) -> bool:
        """Whether the interval leaves out zero and p is below alpha."""
        return self.excludes_zero and self.p_value < self.alpha

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of zero."""
        return self.ci_low > TIE or self.ci_high < -TIE

    @property
    def identical(self) -> bool:
        """Whether both scored the same on every question."""
        return self.ties == self.n

    @property
    def winner(self) -> str | None:
        """The better one when they are distinguishable."""
        if not self.distinguishable:
            return None
        return self.left if self.difference > 0 else self.right

    @property
    def survives_clustering(self) -> bool:
        """Whether the conclusion stays the same when whole documents are drawn."""
        if self.clustered is None or not self.distinguishable:
            return True
        return self.clustered.low > TIE or self.clustered.high < -TIE

    def verdict(self) -> str:
        """Return the outcome as sentences with n, the gap, its interval and what would settle it."""
        parts = [self._settled() if self.distinguishable else self._open()]
        if not self.survives_clustering and self.clustered is not None:
            parts.append(
                f"But several questions ask about one document: drawn by document ({self.clusters:,} of "
                "them) the "
                f"interval is {_signed(self.clustered.low)} to {_signed(self.clustered.high)}, which holds "
                "zero, "
                "so another set of documents may well show no difference."
            )
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        plain = asdict(self)
        plain["clustered"] = list(self.clustered) if self.clustered is not None else None
        return {**plain, "distinguishable": self.distinguishable, "winner": self.winner}

    def _settled(self) -> str:
        better, worse = (self.left, self.right) if self.difference > 0 else (self.right, self.left)
        won, lost = (self.wins, self.losses) if self.difference > 0 else (self.losses, self.wins)
        return (
            f"{better} is better than {worse} on {self.metric}: they are distinguishable on this eval set "
            f"(n={self.n}). The gap is {self._gap()}, with a confidence interval of {self._interval()} "
            f"and p = {self.p_value:.4f}, below alpha {self.alpha:g}. It wins {won:,} questions, loses "
            f"{lost:,} "
            f"and ties {self.ties:,}."
        )

    def _open(self) -> str:
        told = f"{self.left} and {self.right} are not distinguishable on this eval set (n={self.n}). "
        gap = f"The gap of {self._gap()} on {self.metric} "
        if self.excludes_zero:
            told += (
                f"{gap}has a confidence interval of {self._interval()}, which leaves out zero, but a "
                "sign-flip "
                f"test gives p = {self.p_value:.4f}, which is not below alpha {self.alpha:g}; both would "
                "have to agree."
            )
        else:
            told += f"{gap}lies inside its confidence interval {self._interval()}, "
            told += "which allows for no difference at all."
        if self.identical:
            return (
                f"{told} They scored identically on every single question: this is no close race, they do "
                "the "
                "same thing here."
            )
        return f"{told} {self._needed()}"

    def _needed(self) -> str:
        needed = questions_for_gap(self.difference)
        if needed is None:
            return "Their means are equal, so no number of questions of this kind would separate them."
        if needed > MOST_QUESTIONS:
            return "A gap this small would take more than 100,000 questions: no realistic number settles it."
        if needed <= self.n:
            return (
                f"A gap of this size needs roughly {needed:,} questions and there are {self.n:,}, so it is "
                "not their "
                "number but the spread of the scores from question to question that hides the gap."
            )
        return (
            f"To settle a gap of this size takes at least roughly {needed:,} questions (two-sided test, "
            "alpha 0.05, "
            "80% power). That is an order of magnitude, not a count, and a lower bound: it is worked out "
            "for an "
            "unpaired test while this one is paired, and the more the two disagree question by question, "
            "the more "
            "are needed."
        )

    def _gap(self) -> str:
        return _signed(abs(self.difference) if self.distinguishable else self.difference)

    def _interval(self) -> str:
        low, high = self.ci_low, self.ci_high
        if self.distinguishable and self.difference < 0:
            low, high = -high, -low
        return f"{_signed(low)} to {_signed(high)}"


def compare_scores(
    left: str,
    right: str,
    metric: str,
    left_scores: Mapping[str, float],
    right_scores: Mapping[str, float],
    *,
    alpha: float = ALPHA,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare two configurations' scores by question id on the questions that both have, sorted by id.

    `clusters` names the document of each question's gold.

    Raises:
        InputError: no question was scored under both.
    """
    ids = sorted(left_scores.keys() & right_scores.keys())
    if not ids:
        raise InputError(
            f"no question has {metric} under both {left} and {right}; choose two that answered the same ones"
        )
    ours = np.array([left_scores[i] for i in ids])
    theirs = np.array([right_scores[i] for i in ids])
    differences = ours - theirs
    interval = mean_interval(differences, seed)
    documents = [clusters.get(i, i) for i in ids] if clusters else []
    return Comparison(
        left=left,
        right=right,
        metric=metric,
        n=len(ids),
        left_score=float(ours.mean()),
        right_score=float(theirs.mean()),
        difference=float(differences.mean()),
        ci_low=interval.low,
        ci_high=interval.high,
        p_value=sign_flip_p(differences, seed),
        wins=int((differences > TIE).sum()),
        losses=int((differences < -TIE).sum()),
        ties=int((np.abs(differences) <= TIE).sum()),
        alpha=alpha,
        clustered=wider_interval(differences, documents, interval, seed),
        clusters=len(set(documents)),
    )


def wider_interval(
    values: np.typing.NDArray[np.float64], clusters: list[str], plain: Interval, seed: int
) -> Interval | None:
    """Return the clustered interval when it is more than a tenth wider than the plain one."""
    if not clusters or len(set(clusters)) == len(clusters):
        return None
    clustered = clustered_interval(values, clusters, seed)
    if clustered is None or clustered.high - clustered.low <= WIDER * (plain.high - plain.low) + TIE:
        return None
    return clustered


def _signed(value: float) -> str:
    return f"{value + 0.0:+.3f}".replace("-0.000", "+0.000")
