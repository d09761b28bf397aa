"""A run's record to Results: the report's rankings, measured by the chunks that hold the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalcore.evalset.items import EvalItem
from evalcore.grid import Configuration
from evalcore.models import EvalReport
from evalcore.results.noticed import noticed
from evalcore.results.results import FailedRow, Results
from evalcore.results.run_result import Cost, RunResult, Timings
from evalcore.results.warnings import WarningLog
from evalcore.run.partial import partial_words
from evalcore.run.record import CellResult, RunInputs, RunRecord
from evalcore.run.search import CUT_OFFS, headline_cut_off
from evalcore.scoring.cell import CellScores, Evidence, JudgedChunks, Ranked, score_cell
from evalcore.scoring.matching import Matcher


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


class Gauge:
    """What cells are measured with, each part made once: evidence by parser, judgements by chunk set."""

    def __init__(self, inputs: RunInputs) -> None:
        self._inputs = inputs
        self._evidence: dict[str, Evidence] = {}
        self._chunks: dict[str, JudgedChunks] = {}
        self._matcher = Matcher(inputs.settings.eval.fuzzy_threshold)

    def score(self, cell: CellResult, chunks: JudgedChunks) -> CellScores:
        """Return every metric of a cell, question by question."""
        settings = self._inputs.settings
        deep = cell.measures is not None
        headline = headline_cut_off(settings)
        known = max(headline, settings.top_k, *CUT_OFFS) if deep else settings.top_k
        return score_cell(
            list(self._ranked(cell)),
            chunks,
            self._matcher,
            cut_offs=[k for k in (*CUT_OFFS, settings.top_k) if k <= known],
            headline=min(headline, known),
            top_k=settings.top_k,
        )

    def chunks(self, configuration: Configuration, record: RunRecord) -> JudgedChunks:
        """Return the judgements of the chunks that a configuration searches."""
        strategy = configuration.strategy
        if strategy not in self._chunks:
            scoring = self._inputs.settings.eval
            self._chunks[strategy] = JudgedChunks(
                record.chunk_sets[strategy],
                self.evidence(configuration.parser),
                scoring.relevance,
                scoring.relevance_threshold,
            )
        return self._chunks[strategy]

    def evidence(self, parser: str) -> Evidence:
        """Return where the questions' gold stands in the documents as a parser reads them."""
        if parser not in self._evidence:
            corpus = self._inputs.corpus_under(parser)
            self._evidence[parser] = Evidence(self._inputs.evalset.scored, corpus)
        return self._evidence[parser]

    @property
    def clusters(self) -> dict[str, str]:
        """The documents of each question's gold: questions with the same ones belong together."""
        found: dict[str, str] = {}
        for evidence in self._evidence.values():
            for question, located in evidence.located.items():
                if located is not None:
                    documents = {slot[0].span.doc_id for slot in located}
                    found.setdefault(question, " & ".join(sorted(documents)))
        return found

    def _ranked(self, cell: CellResult) -> Iterator[Ranked]:
        items: dict[str, EvalItem] = {item.id: item for item in self._inputs.evalset.scored}
        for outcome, ranking in zip(cell.outcomes, cell.rankings, strict=True):
            hits = tuple(p for p, hit in zip(outcome.chunks, outcome.is_hit, strict=True) if hit)
            yield Ranked(items[outcome.question_id], ranking, hits, len(outcome.found))


def _run(cell: CellResult, gauge: Gauge, record: RunRecord) -> RunResult:
    configuration, measures = cell.configuration, cell.measures
    chunks = gauge.chunks(configuration, record)
    settings = record.inputs.settings
    return RunResult(
        configuration=configuration,
        cell=gauge.score(cell, chunks),
        headline=headline_cut_off(settings),
        chunks=len(chunks.chunk_set),
        cost=Cost(measures.usd_per_1k if measures is not None else 0.0),
        timings=None if measures is None else Timings.of(measures.build_ms, measures.query_ms),
        index_bytes=None if measures is None else measures.index_bytes or None,
        embedding_quality=None if measures is None else measures.embedding_quality,
        seed=settings.eval.seed,
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
