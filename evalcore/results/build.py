"""A run's record to Results: the report's rankings, measured by the chunks that hold the evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evalcore.models import EvalReport
from evalcore.results.noticed import noticed
from evalcore.results.results import FailedRow, Results
from evalcore.results.run_result import Cost, RunResult, Timings
from evalcore.results.warnings import WarningLog
from evalcore.run.gauge import Gauge
from evalcore.run.partial import partial_words
from evalcore.run.record import CellResult, RunRecord
from evalcore.scoring.cell import CellScores


def build_results(record: RunRecord, make_report: Callable[[], EvalReport] | None = None) -> Results:
    """Measure every finished cell of a run, finished or not; `make_report` gives the same run's report.

    Raises:
        SettingsError: a parser needs files that are not at hand.
        DocumentError: a file cannot be read by its parser any more.
    """
    gauge = Gauge(record.inputs)
    items = record.inputs.evalset.items
    scored = [
        (cell, gauge.score(cell, record.chunk_sets[cell.configuration.strategy])) for cell in record.cells
    ]
    clusters = gauge.clusters
    runs = tuple(_run(cell, scores, gauge.headline(cell), record, clusters) for cell, scores in scored)
    return Results(
        runs=runs,
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


def _run(
    cell: CellResult, scores: CellScores, headline: int, record: RunRecord, clusters: Mapping[str, str]
) -> RunResult:
    measures = cell.measures
    return RunResult(
        configuration=cell.configuration,
        cell=scores,
        headline=headline,
        chunks=len(record.chunk_sets[cell.configuration.strategy]),
        cost=Cost(measures.usd_per_1k if measures is not None else 0.0),
        timings=None if measures is None else Timings.of(measures.build_ms, measures.query_ms),
        index_bytes=None if measures is None else measures.index_bytes or None,
        embedding_quality=None if measures is None else measures.embedding_quality,
        seed=record.inputs.settings.eval.seed,
        clusters=clusters,
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
