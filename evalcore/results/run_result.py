"""One configuration's results: its metrics, what it cost, and how sure its scores are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evalcore.embedding.quality import EmbeddingQuality
from evalcore.grid import Configuration
from evalcore.results.comparison import wider_interval
from evalcore.results.composite import Composite, common_cut_off, composite
from evalcore.results.prices import context_usd_per_1k
from evalcore.scoring.cell import CellScores, Floats
from evalcore.stats import Interval, mean_interval


@dataclass(frozen=True, slots=True)
class Cost:
    """US dollars per 1,000 questions: `query_usd_per_1k` for calls to priced models (0 locally),
    `context_usd_per_1k` for what an answering model would charge to read the chunks, None without a price.
    """

    query_usd_per_1k: float = 0.0
    context_usd_per_1k: float | None = None


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds, as measured on the machine that ran: `build_ms` for chunks, vectors and index; `p50_ms`,
    `p95_ms` per question, search and reranking together.
    """

    build_ms: float
    p50_ms: float
    p95_ms: float

    @classmethod
    def of(cls, build_ms: float, query_ms: Sequence[float]) -> Timings:
        """Take the percentiles of the times per question, at least one."""
        p50, p95 = np.percentile(np.asarray(query_ms, dtype=np.float64), [50, 95])
        return cls(build_ms, float(p50), float(p95))


@dataclass(frozen=True, repr=False)
class RunResult:
    """One configuration. `timings`, `index_bytes` and `embedding_quality` are None where not measured.

    `cell` holds the scores by question, `headline` is the cut-off of the metrics measured at one only
    (`char_recall`, `char_precision`, `token_iou`, `tokens`). `chunks` were searched; `seed` starts the draws
    of intervals; `clusters` names the document of each question's gold.
    """

    configuration: Configuration
    cell: CellScores
    headline: int
    chunks: int
    cost: Cost = Cost()
    timings: Timings | None = None
    index_bytes: int | None = None
    embedding_quality: EmbeddingQuality | None = None
    seed: int = 0
    clusters: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<RunResult: {self.label}, {self.scored_queries:,} scored>"

    @property
    def label(self) -> str:
        """The configuration's label, unique in a run."""
        return self.configuration.label

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Ids of questions whose evidence stands in no document."""
        return self.cell.unresolved

    @property
    def unreachable(self) -> tuple[str, ...]:
        """Ids of questions whose evidence no chunk of this configuration holds."""
        return self.cell.unreachable

    @property
    def split(self) -> tuple[str, ...]:
        """Ids of questions with a passage that only several chunks hold together."""
        return self.cell.split

    @property
    def unresolved_gold(self) -> int:
        """How many questions were not scored because their evidence stands in no document."""
        return len(self.unresolved)

    @property
    def scored_queries(self) -> int:
        """How many questions count for the ranking metrics."""
        return len(self.cell.question_ids) - len(self.unresolved) - len(self.unreachable)

    def metric(self, name: str) -> float | None:
        """Return a metric's mean over its questions (`recall@5`), or a measure; None when not measured.

        The measures: `p95_ms`, `p50_ms`, `build_ms`, `index_bytes`, `chunks`, `cost_per_1k` and
        `context_usd_per_1k` (US dollars per 1,000 questions), `evidence_resolvable` and `embedding_quality`
        (0..1). Ranking metrics are means over the questions with a relevant chunk.
        """
        mean = self.cell.mean(name)
        return mean if mean is not None else self._measure(name)

    def scores(self, metric: str) -> dict[str, float]:
        """Return a metric by question id, for the questions that count."""
        values = self.cell.values.get(metric)
        if values is None:
            return {}
        pairs = zip(self.cell.question_ids, values.tolist(), strict=True)
        return {question: value for question, value in pairs if not math.isnan(value)}

    @property
    def metrics(self) -> dict[str, float]:
        """All means of metrics over questions, by name."""
        return {name: mean for name in self.cell.values if (mean := self.cell.mean(name)) is not None}

    def interval(self, metric: str) -> Interval | None:
        """Return the 95 % bootstrap interval of a metric's mean; None when it is not over questions.

        Percentiles of 2000 resampled means (`evalcore.stats.mean_interval`).
        """
        values = self._counted(metric)
        return mean_interval(values, self.seed) if len(values) else None

    def clustered(self, metric: str) -> Interval | None:
        """Return the interval that draws whole documents, when it is more than a tenth wider; else None.

        See `evalcore.stats.clustered_interval`.
        """
        plain = self.interval(metric)
        if plain is None:
            return None
        ids = list(self.scores(metric))
        return wider_interval(self._counted(metric), [self.clusters.get(i, i) for i in ids], plain, self.seed)

    def row(self, metrics: Sequence[str]) -> dict[str, Any]:
        """Return a leaderboard row: the metrics, p95, cost, chunks, and the first metric's interval.

        The keys: `config`, the metrics, `p95_ms`, `cost_per_1k`, `chunks`, `ci_low`, `ci_high`; what was not
        measured is absent.
        """
        values: dict[str, Any] = {"config": self.label}
        for name in [*metrics, "p95_ms", "cost_per_1k", "chunks"]:
            value = self.chunks if name == "chunks" else self.metric(name)
            if value is not None:
                values[name] = value
        interval = self.interval(metrics[0]) if metrics else None
        if interval is not None:
            values.update(ci_low=interval.low, ci_high=interval.high)
        return values

    def composite(self, k: int | None = None) -> Composite:
        """Return one number, 0..100, over the measured stages at cut-off k; see `Composite`.

        The default k is the cut-off that most metrics carry, ties to the smaller.
        """
        return composite(self.metric, k or common_cut_off(self.cell.values, self.headline))

    def with_price(self, usd_per_million: float | None) -> RunResult:
        """Return this run with the price of its context per 1,000 questions; None takes it away."""
        tokens = self.metric(f"tokens@{self.headline}")
        known = usd_per_million is not None and tokens is not None
        usd = context_usd_per_1k(tokens or 0.0, usd_per_million or 0.0) if known else None
        return replace(self, cost=Cost(self.cost.query_usd_per_1k, usd))

    def _counted(self, metric: str) -> Floats:
        return np.array(list(self.scores(metric).values()), dtype=np.float64)

    def _measure(self, name: str) -> float | None:
        timings, quality = self.timings, self.embedding_quality
        known: dict[str, float | None] = {
            "cost_per_1k": self.cost.query_usd_per_1k,
            "context_usd_per_1k": self.cost.context_usd_per_1k,
            "chunks": float(self.chunks),
            "index_bytes": None if self.index_bytes is None else float(self.index_bytes),
            "evidence_resolvable": self.cell.evidence_resolvable if self.cell.question_ids else None,
            "embedding_quality": None if quality is None else quality.score,
            "build_ms": None if timings is None else timings.build_ms,
            "p50_ms": None if timings is None else timings.p50_ms,
            "p95_ms": None if timings is None else timings.p95_ms,
        }
        return known.get(name)
