"""A run's record to the report contract's EvalReport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from evalcore import __version__
from evalcore.chunking.base import Chunk, ChunkSet
from evalcore.chunking.names import chunker_text
from evalcore.corpus.document import Document
from evalcore.embedding.models import ModelInfo
from evalcore.errors import EvalgridError, InputError
from evalcore.grid import complete, grid_of
from evalcore.models import (
    ChunkHealth,
    ChunkModel,
    CorpusSummary,
    EvalReport,
    FailedCell,
    Parts,
    PerQuestion,
    RetrievedChunk,
    StrategyResult,
    Viz,
)
from evalcore.report.rows import row_of
from evalcore.report.verdict import Resampling, judge
from evalcore.report.viz import sample_document
from evalcore.report.warnings import run_warnings
from evalcore.report.words import Scoring, recommendation
from evalcore.run.model import main_model
from evalcore.run.partial import partial_words
from evalcore.run.record import CellResult, QuestionOutcome, RunRecord
from evalcore.scoring.health import chunk_health
from evalcore.scoring.relevance import locate
from evalcore.scoring.table import Row, Weights, balanced_scores, ranked
from evalcore.stats import Interval, bootstrap_interval

PROGRAM = "evalgrid"


def program_version() -> str:
    """Return this program's name and version, as reports carry it."""
    return f"{PROGRAM} {__version__}"


def build_report(
    record: RunRecord, generated_at: datetime | None = None, *, details: bool = True
) -> EvalReport:
    """Build the report of a run, finished or not; equal records give equal reports but for `generated_at`.

    Without `details` every `per_question` is empty and all else the same, in a fraction of the memory.

    Raises:
        InputError: no cell of the run is finished.
    """
    if not record.cells:
        reasons = {cell.reason for cell in record.failed}
        raise InputError(
            "nothing to report: no cell is finished" + "".join(f"; {r}" for r in sorted(reasons))
        )
    settings = record.inputs.settings
    model = main_model(record.inputs.settings)
    health = _health(record, model)
    rows = [row_of(cell, health[cell.configuration.strategy]) for cell in record.cells]
    weights = Weights(settings.eval.ranking_metric, settings.eval.balanced_lambda)
    resampling = Resampling(settings.eval.bootstrap_resamples, settings.eval.seed)
    results = _results(record, rows, weights, resampling, health, details)
    verdict = judge(rows, weights, resampling, _documents(record))
    n = len(record.inputs.evalset.scored)
    scoring = Scoring(weights.metric, settings.top_k, n, _splits(record), partial_words(record))
    return EvalReport(
        corpus_summary=_summary(record, model),
        strategy_results=results,
        recommendation=recommendation(verdict, results, scoring),
        verdict=verdict,
        warnings=run_warnings(record),
        generated_at=(generated_at or datetime.now(UTC)).isoformat(),
        viz=_viz(record),
        failed=[
            FailedCell(
                strategy=f.configuration.strategy, retriever=f.configuration.retriever, reason=f.reason
            )
            for f in record.failed
        ],
        complete=record.complete,
        program=PROGRAM,
    )


def _health(record: RunRecord, model: ModelInfo | None) -> dict[str, ChunkHealth]:
    """Measure each strategy's chunks against the smaller of its own limit and the model's input."""
    settings, found = record.inputs.settings, {}
    for cell in record.cells:
        strategy = cell.configuration.strategy
        if strategy not in found:
            own = complete(cell.configuration.chunker).get("max_tokens")
            limits = [int(own)] if isinstance(own, int) else []
            limits += [model.max_tokens] if model is not None and model.max_tokens else []
            found[strategy] = chunk_health(
                record.inputs.corpus_under(cell.configuration.parser),
                record.chunk_sets[strategy],
                settings.eval.min_floor_tokens,
                min(limits, default=None),
            )
    return found


def _results(
    record: RunRecord,
    rows: Sequence[Row],
    weights: Weights,
    resampling: Resampling,
    health: Mapping[str, ChunkHealth],
    details: bool,
) -> list[StrategyResult]:
    cells = {row.key: cell for row, cell in zip(rows, record.cells, strict=True)}
    scores = {
        row.key: score
        for row, score in zip(rows, balanced_scores(rows, weights.balanced_lambda), strict=True)
    }
    found = []
    for row in ranked(rows, weights):
        cell, chunk_set = cells[row.key], record.chunk_sets[row.strategy]
        questions = _per_questions(cell, chunk_set) if details else []
        interval = bootstrap_interval(row.recall, resampling.resamples, resampling.seed)
        found.append(_result(row, cell, scores[row.key], interval, health[row.strategy], questions))
    return found


def _result(
    row: Row,
    cell: CellResult,
    balanced_score: float,
    interval: Interval,
    health: ChunkHealth,
    questions: list[PerQuestion],
) -> StrategyResult:
    configuration = cell.configuration
    return StrategyResult(
        strategy=row.strategy,
        retriever=row.retriever,
        config=complete(configuration.chunker),
        recall_at_k=float(row.recall.mean()),
        hit_rate_at_k=float(row.hit.mean()),
        mrr=float(row.reciprocal_rank.mean()),
        precision_at_k=float(row.precision.mean()),
        retrieved_tokens_at_k=float(row.tokens.mean()),
        context_efficiency=float(row.efficiency.mean()),
        balanced_score=balanced_score,
        ci95=interval,
        chunk_health=health,
        per_question=questions,
        parts=Parts(
            parser=configuration.parser,
            chunker=chunker_text(configuration.chunker),
            embedder=configuration.embedder,
            index=configuration.index,
            reranker=configuration.reranker,
            candidates=configuration.candidates,
        ),
    )


def _documents(record: RunRecord) -> list[str]:
    """Return the documents of each scored question's gold; one that is not located stands alone."""
    corpus, found = record.inputs.corpus, []
    for item in record.inputs.evalset.scored:
        located = locate(item, corpus) or ()
        found.append(" & ".join(sorted({slot[0].span.doc_id for slot in located})) or f"question {item.id}")
    return found


def _splits(record: RunRecord) -> dict[tuple[str, str], int]:
    return {
        (cell.configuration.strategy, cell.configuration.retriever): sum(o.split for o in cell.outcomes)
        for cell in record.cells
    }


def _per_questions(cell: CellResult, chunk_set: ChunkSet) -> list[PerQuestion]:
    strategy = cell.configuration.strategy
    chunks = _ChunkModels(chunk_set, strategy)
    return [_per_question(outcome, strategy, chunks) for outcome in cell.outcomes]


class _ChunkModels:
    """The contract's chunks of a chunk set, each made once."""

    def __init__(self, chunk_set: ChunkSet, strategy: str) -> None:
        self._chunks = chunk_set.chunks
        self._strategy = strategy
        self._made: dict[int, ChunkModel] = {}

    def __getitem__(self, position: int) -> ChunkModel:
        if position not in self._made:
            self._made[position] = _chunk_model(self._chunks[position], self._strategy)
        return self._made[position]


def _chunk_model(chunk: Chunk, strategy: str) -> ChunkModel:
    return ChunkModel(
        id=chunk.id,
        doc_id=chunk.span.doc_id,
        text=chunk.text,
        token_count=chunk.tokens,
        char_span=(chunk.span.start, chunk.span.end),
        strategy=strategy,
        contains_table=chunk.contains_table,
        section_path=list(chunk.section_path),
    )


def _per_question(outcome: QuestionOutcome, strategy: str, chunks: _ChunkModels) -> PerQuestion:
    retrieved = [
        RetrievedChunk(chunk=chunks[position], score=score, rank=rank, is_hit=hit)
        for rank, (position, score, hit) in enumerate(
            zip(outcome.chunks, outcome.scores, outcome.is_hit, strict=True), start=1
        )
    ]
    return PerQuestion(
        question_id=outcome.question_id,
        strategy=strategy,
        retrieved=retrieved,
        hit=outcome.hit,
        first_hit_rank=outcome.first_hit_rank,
        split_across_chunks=outcome.split,
        gold_found_count=len(outcome.found),
        gold_total=outcome.slots,
        found_gold_indices=list(outcome.found),
    )


def _summary(record: RunRecord, model: ModelInfo | None) -> CorpusSummary:
    corpus, evalset, settings = record.inputs.corpus, record.inputs.evalset, record.inputs.settings
    languages = {d.id: d.metadata["language"] for d in corpus if d.metadata.get("language")}
    return CorpusSummary(
        num_documents=len(corpus),
        num_documents_with_text=sum(d.has_text for d in corpus),
        documents=[d.id for d in corpus],
        num_questions=len(evalset),
        num_scored_questions=len(evalset.scored),
        embedding_model=settings.embedding.model,
        embedding_model_revision=model.revision if model is not None else None,
        top_k=settings.top_k,
        fuzzy_threshold=settings.eval.fuzzy_threshold,
        ranking_metric=settings.eval.ranking_metric,
        retrieval_modes=list(dict.fromkeys(c.configuration.retriever for c in record.cells)),
        seed=settings.eval.seed,
        balanced_lambda=settings.eval.balanced_lambda,
        embedding_prefixes=settings.embedding.prefixes,
        detected_languages=languages,
        queries={item.id: item.question for item in evalset.scored},
        chunklab_version=program_version(),
        corpus_sha256=corpus.fingerprint,
        questions_sha256=evalset.fingerprint,
    )


def _viz(record: RunRecord) -> Viz | None:
    first = next((d for d in record.inputs.corpus if d.has_text), None)
    if first is None:
        return None
    return sample_document(first, record.inputs.evalset, _chunk_sets_of(record, first))


def _chunk_sets_of(record: RunRecord, document: Document) -> dict[str, ChunkSet]:
    """Return the chunk sets whose parser gives the document this text: others' places mean nothing in it."""
    planned = grid_of(record.inputs.settings, known=False).configurations
    parsers = {c.strategy: c.parser for c in (*planned, *(cell.configuration for cell in record.cells))}
    texts = {parser: _text_under(record, parser, document.id) for parser in set(parsers.values())}
    return {
        s: chunks for s, chunks in record.chunk_sets.items() if texts.get(parsers.get(s, "")) == document.text
    }


def _text_under(record: RunRecord, parser: str, doc_id: str) -> str | None:
    try:
        found = record.inputs.corpus_under(parser).get(doc_id)
    except EvalgridError:
        return None
    return None if found is None else found.text
