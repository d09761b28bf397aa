"""All configurations of a run, and the views that make them readable."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evalcore.errors import InputError, one_of
from evalcore.models import EvalReport
from evalcore.results.comparison import ALPHA, Comparison, compare_scores
from evalcore.results.composite import Composite
from evalcore.results.run_result import RunResult
from evalcore.results.warnings import WarningLog
from evalcore.stats import TIE

METRIC = "recall@5"
AXES = ("parser", "chunker", "embedder", "index", "reranker", "candidates")
UNTYPED = "(no type)"
_CUT_OFF = re.compile(r"@(\d+)$")
_LESS_IS_BETTER = re.compile(r"_ms$|_per_1k$|^index_bytes$|^chunks$|^tokens@\d+$")


@dataclass(frozen=True, slots=True)
class FailedRow:
    """A configuration that could not be computed, and why, in one line."""

    label: str
    reason: str


@dataclass(frozen=True, repr=False)
class Results:
    """A list-like container of one RunResult per configuration, in run order.

    Every view takes the name of a metric: one over questions with its cut-off (`recall@5`, see
    `metric_names`), or a measure of the whole configuration: `p95_ms`, `p50_ms`, `build_ms`, `index_bytes`,
    `chunks`, `cost_per_1k`, `context_usd_per_1k`, `evidence_resolvable`, `embedding_quality`.

    `qtypes` and `questions` are by question id, `clusters` names the document of each question's gold.
    `partial` is one sentence when cells of the grid are neither finished nor failed, else "".
    """

    runs: tuple[RunResult, ...]
    qtypes: Mapping[str, str | None] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    clusters: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[FailedRow, ...] = ()
    warnings: WarningLog = field(default_factory=WarningLog)
    cache_summary: str = ""
    seed: int = 0
    partial: str = ""
    make_report: Callable[[], EvalReport] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        state = "" if self.complete else ", partial"
        sizes = f"{_count(len(self), 'configuration')}, {_count(len(self.questions), 'question')}"
        return f"<Results: {sizes}{state}>"

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[RunResult]:
        return iter(self.runs)

    @property
    def complete(self) -> bool:
        """Whether every configuration of the grid is finished or failed."""
        return not self.partial

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The metrics over questions that any run has, as `recall@5`, in order of measuring."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.cell.values))

    @property
    def cut_offs(self) -> tuple[int, ...]:
        """The cut-offs of the ranking metrics, smallest first."""
        found = {
            int(m.group(1))
            for n in self.metric_names
            if n.startswith("recall@") and (m := _CUT_OFF.search(n))
        }
        return tuple(sorted(found))

    def ranking(self, metric: str = METRIC) -> list[RunResult]:
        """Return the runs that have a metric, best first; equal ones keep run order.

        The best is the largest value, of times, sizes and costs the smallest.
        """
        have = [(value, run) for run in self.runs if (value := run.metric(metric)) is not None]
        sign = 1.0 if less_is_better(metric) else -1.0
        return [run for _, run in sorted(have, key=lambda pair: sign * pair[0])]

    def leaderboard(self, metric: str = METRIC, extra: Sequence[str] = ()) -> list[dict[str, Any]]:
        """Return a row per configuration, best first; those without the metric come last, in run order.

        A row is `RunResult.row` of the metric and those in `extra`: what was not measured is absent.
        """
        more = [extra] if isinstance(extra, str) else list(extra)
        rest = [run for run in self.runs if run.metric(metric) is None]
        return [run.row([metric, *more]) for run in [*self.ranking(metric), *rest]]

    def best(self, metric: str = METRIC) -> RunResult | None:
        """Return the top run; None when no run has the metric."""
        return next(iter(self.ranking(metric)), None)

    def get(self, label: str) -> RunResult | None:
        """Return the run with this label; None when there is none."""
        return next((run for run in self.runs if run.label == label), None)

    def compare(self, left: str, right: str, metric: str = METRIC) -> dict[str, Any]:
        """Return two configurations' scores, their gap (left - right), and the questions that differ.

        Only questions that count under both are compared; `differences` is left - right by question id.

        Raises:
            KeyError: a label that no run has; names the nearest one.
            InputError: a metric that is over no question, or no question was scored under both.
        """
        found = self.significance(left, right, metric)
        ours, theirs = self._named(left).scores(metric), self._named(right).scores(metric)
        gaps = {i: ours[i] - theirs[i] for i in ours if i in theirs}
        return {
            "left": left,
            "right": right,
            "metric": metric,
            "left_score": found.left_score,
            "right_score": found.right_score,
            "difference": found.left_score - found.right_score,
            "queries_compared": found.n,
            "queries_disagreed": found.wins + found.losses,
            "left_wins": found.wins,
            "right_wins": found.losses,
            "differences": {i: gap for i, gap in gaps.items() if abs(gap) > TIE},
        }

    def significance(
        self, left: str, right: str, metric: str = METRIC, *, alpha: float = ALPHA, seed: int | None = None
    ) -> Comparison:
        """Compare two configurations, question by question.

        A 95 % percentile bootstrap of the mean difference and a two-sided sign-flip test with `alpha`, each
        from 2000 draws of `seed` (default: the run's); beside them an interval that draws whole documents
        when questions share them. See `Comparison` and `evalcore.stats` for the formulas.

        Raises:
            KeyError, InputError: as `compare`.
        """
        pair = [self._named(left), self._named(right)]
        if metric not in self.metric_names:
            raise InputError(one_of(metric, self.metric_names, "metric over questions"))
        return compare_scores(
            left,
            right,
            metric,
            *(run.scores(metric) for run in pair),
            alpha=alpha,
            seed=self.seed if seed is None else seed,
            clusters=self.clusters,
        )

    def is_the_winner_real(
        self, metric: str = METRIC, *, alpha: float = ALPHA, seed: int | None = None
    ) -> Comparison | None:
        """Compare the two top rows of the leaderboard as `significance` does.

        None with fewer than two rows, or when no question counts under both.
        """
        top = self.ranking(metric)[:2]
        if len(top) < 2 or not top[0].scores(metric).keys() & top[1].scores(metric).keys():
            return None
        return self.significance(top[0].label, top[1].label, metric, alpha=alpha, seed=seed)

    def summary(self, metric: str = METRIC) -> str:
        """Return the whole result as one paragraph; a partial run says so first.

        The leader, its score and over how many questions, what `is_the_winner_real` says, price and p95.
        """
        winner = self.best(metric)
        if winner is None:
            told = [self.partial, f"No configuration has a value for {metric}."]
        else:
            told = [
                self.partial,
                self._leads(winner, metric),
                self._told_apart(metric),
                _price_and_time(winner),
            ]
        if self.failed:
            told.append(f"Not computed: {len(self.failed):,}, see the warnings.")
        return " ".join(filter(None, told))

    def _leads(self, winner: RunResult, metric: str) -> str:
        asked = len(winner.scores(metric))
        over = f", scored on {_count(asked, 'question')}" if asked else ""
        score = f"{winner.metric(metric):,.3f}, across {_count(len(self), 'configuration')}"
        return f"{winner.label} scored best on {metric} at {score}{over}."

    def _told_apart(self, metric: str) -> str:
        verdict = self.is_the_winner_real(metric)
        if verdict is not None:
            return verdict.verdict()
        if len(self.ranking(metric)) < 2:
            return "There is nothing to compare it with."
        if metric not in self.metric_names:
            return "That is one value per configuration, so no test tells it from chance."
        return "No question counts under both it and the next, so they cannot be compared."

    def composite(self, metric: str = METRIC, *, k: int | None = None) -> Composite | None:
        """Return the leading run's `RunResult.composite`; None when no run has the metric."""
        winner = self.best(metric)
        return winner.composite(k) if winner is not None else None

    def pareto(self, quality: str = METRIC, cost: str = "cost_per_1k") -> list[RunResult]:
        """Return the runs that no other beats on both quality and cost, cheapest first.

        Sorted by cost, then by quality downwards; a run stays when its quality is above all before it. `cost`
        is any metric of which less is better; runs without one of the two are left out.
        """
        both = [(run.metric(cost), run.metric(quality), run) for run in self.runs]
        known = [(c, -q, run) for c, q, run in both if c is not None and q is not None]
        frontier: list[RunResult] = []
        best = -np.inf
        for _, negative, run in sorted(known, key=lambda entry: entry[:2]):
            if -negative > best:
                best = -negative
                frontier.append(run)
        return frontier

    def axis_effect(self, axis: str, metric: str = METRIC) -> dict[str, float]:
        """Return the mean of a metric for each value on an axis, over the runs that used it, sorted by value.

        `axis`: parser, chunker, embedder, index, reranker or candidates; `None` is the value of runs without
        one. Runs without the metric do not count.

        Raises:
            InputError: an unknown axis.
        """
        return {
            value: math.fsum(found) / len(found) for value, found in self.axis_values(axis, metric).items()
        }

    def axis_values(self, axis: str, metric: str = METRIC) -> dict[str, list[float]]:
        """Return the metric of every run by its value on an axis, sorted by value.

        Raises:
            InputError: an unknown axis.
        """
        grouped: dict[str, list[float]] = {}
        for run in self.runs:
            value = run.metric(metric)
            if value is not None:
                grouped.setdefault(axis_value(run, axis), []).append(value)
        return {name: grouped[name] for name in sorted(grouped)}

    def by_type(self, metric: str = METRIC) -> dict[str, dict[str, float]]:
        """Return each configuration's mean by type of question, types sorted; `(no type)` without one."""
        return {run.label: self._by_type(run.scores(metric)) for run in self.runs}

    def type_counts(self, metric: str = METRIC) -> dict[str, dict[str, int]]:
        """Return how many questions stand behind each value of `by_type`, of which each is a mean."""
        return {
            run.label: dict(sorted(Counter(self._type(i) for i in run.scores(metric)).items()))
            for run in self.runs
        }

    def with_price(self, usd_per_million: float | None) -> Results:
        """Return these results with the price of reading the retrieved chunks at so many dollars per million
        input tokens (`cost.context_usd_per_1k`); None takes it away.
        """
        return replace(self, runs=tuple(run.with_price(usd_per_million) for run in self.runs))

    def report(self) -> EvalReport:
        """Return the report of the same run (report contract).

        Raises:
            InputError: these results do not know their run any more, or no cell of it is finished.
        """
        if self.make_report is None:
            raise InputError(
                "these results were read without their run; build the report from the run itself"
            )
        return self.make_report()

    def _by_type(self, scores: Mapping[str, float]) -> dict[str, float]:
        grouped: dict[str, list[float]] = {}
        for question, score in scores.items():
            grouped.setdefault(self._type(question), []).append(score)
        return {name: math.fsum(grouped[name]) / len(grouped[name]) for name in sorted(grouped)}

    def _type(self, question: str) -> str:
        return self.qtypes.get(question) or UNTYPED

    def _named(self, label: str) -> RunResult:
        run = self.get(label)
        if run is None:
            near = difflib.get_close_matches(label, [r.label for r in self.runs], n=1)
            raise KeyError(f"no configuration {label!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return run


def less_is_better(metric: str) -> bool:
    """Return whether smaller values of a metric are the better ones: times, sizes and costs."""
    return _LESS_IS_BETTER.search(metric) is not None


def axis_value(run: RunResult, axis: str) -> str:
    """Return a run's value on an axis as text, `None` without one.

    Raises:
        InputError: an unknown axis.
    """
    if axis not in AXES:
        raise InputError(one_of(axis, AXES, "axis"))
    if axis == "chunker":
        return run.configuration.chunker_text
    return str(getattr(run.configuration, axis))


def _price_and_time(run: RunResult) -> str:
    usd = run.cost.query_usd_per_1k
    price = "It runs locally at no cost per query" if usd == 0 else f"It costs ${usd:,.2f} per 1,000 queries"
    if run.timings is None:
        return f"{price}."
    p95 = run.timings.p95_ms
    return f"{price}, answering at {'under 1' if p95 < 1 else f'{p95:,.0f}'} ms p95."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
