"""A run's record to Results: the report's rankings, measured by the chunks that hold the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.models import EvalReport
from evalcore.results.noticed import noticed
from evalcore.results.results import FailedRow, Results
from evalcore.results.run_result import Cost, RunResult, Timings
from evalcore.results.warnings import WarningLog
from evalcore.run.gauge import Gauge
from evalcore.run.partial import partial_words
from evalcore.run.record import CellResult, RunRecord


def build_results(record: RunRecord, make_report: Callable[[], EvalReport] | None = None) -> Results:
    """Measure every finished cell of a run, finished or not; `make_report` gives the same run's report."""
    gauge = Gauge(record.inputs)
    items = record.inputs.evalset.items
    runs = tuple(_run(cell, gauge, record) for cell in record.cells)
    clusters = gauge.clusters
    return Results(
        runs=tuple(runs),
        qtypes={item.id: item.qtype for item in items},
        questions={item.id: item.question for item in items},
        clusters=clusters,
        failed=tuple(FailedRow(f.configuration.label, f.reason) for f in record.failed),
        warnings=WarningLog(tuple(noticed(record, runs))),
        cache_summary=str(lookups(record)),
        seed=record.inputs.settings.eval.seed,
        partial=partial_words(record),
        make_report=make_report,
    )


def _run(cell: CellResult, gauge: Gauge, record: RunRecord) -> RunResult:
    configuration, measures = cell.configuration, cell.measures
    chunk_set = record.chunk_sets[configuration.strategy]
    return RunResult(
        configuration=configuration,
        cell=gauge.score(cell, chunk_set),
        headline=gauge.headline(cell),
        chunks=len(chunk_set),
        cost=Cost(measures.usd_per_1k if measures is not None else 0.0),
        timings=None if measures is None else Timings.of(measures.build_ms, measures.query_ms),
        index_bytes=None if measures is None else measures.index_bytes or None,
        embedding_quality=None if measures is None else measures.embedding_quality,
        seed=record.inputs.settings.eval.seed,
        clusters=gauge.clusters,
    )


@dataclass(frozen=True, slots=True)
class Lookups:
    """How often each stage was asked for, and how often what another configuration had made served again."""

    asked: dict[str, int]
    reused: dict[str, int]

    def __str__(self) -> str:
        asked, reused = sum(self.asked.values()), sum(self.reused.values())
        share = round(100 * reused / asked) if asked else 0
        parts = [f"{stage} {self.reused[stage]}/{self.asked[stage]}" for stage in sorted(self.asked)]
        return f"{reused} of {asked} lookups reused ({share}%), {', '.join(parts)}"


def lookups(record: RunRecord) -> Lookups:
    """Count look-ups (spec/results.md §6), whatever way the engine shares the work.

    Parse and chunk: one per document and configuration; embed: one per configuration with vectors.
    """
    configurations = [cell.configuration for cell in record.cells]
    documents = len(record.inputs.corpus)
    embedding = [c for c in configurations if c.embedder is not None]
    asked = {
        "parse": documents * len(configurations),
        "chunk": documents * len(configurations),
        "embed": len(embedding),
    }
    made = {
        "parse": documents * len({c.parser for c in configurations}),
        "chunk": documents * len({c.strategy for c in configurations}),
        "embed": len({(c.strategy, c.embedder) for c in embedding}),
    }
    return Lookups(asked, {stage: asked[stage] - made[stage] for stage in asked})
