"""What a run noticed: from its record and its measured cells to warnings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from evalcore.chunking.base import ChunkSet
from evalcore.evalset.check import FEW_QUESTIONS, SHORT_GOLD_TOKENS
from evalcore.grid import grid_of
from evalcore.results.findings import (
    documents_without_headings,
    english_models,
    not_reviewed,
    other_languages,
    with_short_passages,
    without_passages,
)
from evalcore.results.run_result import RunResult
from evalcore.results.warnings import RunWarning, Severity
from evalcore.run.model import model_of
from evalcore.run.partial import partial_words, seconds
from evalcore.run.record import RunRecord

MUCH_COLLAPSED = 0.05
WEAK_EMBEDDING = 0.4
_NAMED = 5
K = TypeVar("K", bound=Hashable)


def noticed(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    """Yield the warnings of a run, in the order of its stages; `runs` are its measured cells."""
    yield from _grid(record)
    yield from _whole(record)
    yield from _documents(record)
    yield from _questions(record)
    yield from _evidence(runs)
    yield from _chunks(record, runs)
    yield from _embeddings(record, runs)


def _grid(record: RunRecord) -> Iterator[RunWarning]:
    grid = grid_of(record.inputs.settings, known=False)
    if grid.impossible:
        text = f"{_count(grid.impossible, 'combination')} cannot run: a search by vectors needs an embedder."
        yield RunWarning("impossible_combinations", Severity.WARNING, "grid", "", text)
    if grid.folded:
        text = f"{_count(grid.folded, 'combination')} would compute the same as another: one of each ran."
        yield RunWarning("folded_combinations", Severity.INFO, "grid", "", text)


def _whole(record: RunRecord) -> Iterator[RunWarning]:
    partial = partial_words(record)
    if partial:
        yield RunWarning("partial_run", Severity.WARNING, "run", "", partial)
    if partial and record.inputs.settings.budget_seconds is not None:
        text = (
            f"after {seconds(record.inputs.settings)} no further configuration begins; raise the time budget "
            "for the rest."
        )
        yield RunWarning("time_budget", Severity.INFO, "run", "", text)
    for failed in record.failed:
        label = failed.configuration.label
        text = f"{label} could not be computed: {failed.reason}"
        yield RunWarning("failed_configuration", Severity.ERROR, "run", label, text)


def _documents(record: RunRecord) -> Iterator[RunWarning]:
    for document in record.inputs.corpus:
        for text in document.warnings:
            yield RunWarning("document", Severity.WARNING, "parse", document.id, text)
        if not document.has_text and not document.warnings:
            text = f"{document.id} has no text; a scanned PDF needs OCR first."
            yield RunWarning("document_without_text", Severity.WARNING, "parse", document.id, text)
    flat = documents_without_headings(record)
    if flat:
        text = f"structure cuts documents without headings by size: {_named(flat, 'document')}."
        yield RunWarning("document_without_headings", Severity.INFO, "parse", "", text)


def _questions(record: RunRecord) -> Iterator[RunWarning]:
    evalset = record.inputs.evalset
    if len(evalset.scored) < FEW_QUESTIONS:
        text = (
            f"only {_count(len(evalset.scored), 'question')} with evidence: a difference must be large to "
            "show; aim for 50 or more."
        )
        yield RunWarning("few_questions", Severity.WARNING, "score", "", text)
    silent = [item.id for item in without_passages(evalset)]
    if silent:
        text = f"not scored, because no passage is quoted: {_named(silent)}."
        yield RunWarning("question_without_evidence", Severity.WARNING, "score", "", text)
    short = [item.id for item in with_short_passages(evalset)]
    if short:
        text = f"passages under {SHORT_GOLD_TOKENS} tokens stand in many chunks by accident: {_named(short)}."
        yield RunWarning("short_evidence", Severity.WARNING, "score", "", text)
    drafts = [item.id for item in not_reviewed(evalset)]
    if drafts:
        text = f"not reviewed by a person: {_named(drafts)}."
        yield RunWarning("question_not_reviewed", Severity.INFO, "score", "", text)
    untyped = [item.id for item in evalset.scored if not item.qtype]
    if 0 < len(untyped) < len(evalset.scored):
        text = f"without a type, and one group of their own where types are compared: {_named(untyped)}."
        yield RunWarning("question_without_type", Severity.INFO, "score", "", text)


def _evidence(runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    """Name each question whose evidence was not found, under any parser or under some."""
    parsers = {run.configuration.parser: frozenset(run.unresolved) for run in runs}
    for question in dict.fromkeys(question for run in runs for question in run.unresolved):
        lacking = [parser for parser, unresolved in parsers.items() if question in unresolved]
        under = "" if len(lacking) == len(parsers) else f" as {', '.join(lacking)} reads them"
        text = f"{question} is not scored: its evidence stands in no document{under}; check the quote."
        yield RunWarning("unresolved_gold", Severity.ERROR, "score", question, text)


def _chunks(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    for strategy, run in _first(runs, lambda run: run.configuration.strategy).items():
        name = run.configuration.chunker_text
        if run.unreachable:
            text = f"{name}: no chunk holds the evidence of {_named(run.unreachable)}; left out of its means."
            yield RunWarning("unreachable_evidence", Severity.WARNING, "chunk", run.label, text)
        if run.split:
            text = f"{name} cuts evidence of {_named(run.split)} apart: only several chunks together hold it."
            yield RunWarning("split_evidence", Severity.WARNING, "chunk", run.label, text)
        oversized = sum(chunk.oversized for chunk in record.chunk_sets[strategy].chunks)
        if oversized:
            text = f"{name}: {_count(oversized, 'chunk')} above its limit: one word, sentence or table alone."
            yield RunWarning("oversized_chunks", Severity.INFO, "chunk", run.label, text)


def _embeddings(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    limits: dict[str, int | None] = {}
    for run in _first(runs, lambda run: (run.configuration.strategy, run.configuration.embedder)).values():
        embedder = run.configuration.embedder
        if embedder is None:
            continue
        if embedder not in limits:
            limits[embedder] = _input_of(embedder)
        name = f"{embedder} on {run.configuration.chunker_text}"
        chunk_set = record.chunk_sets[run.configuration.strategy]
        yield from _truncated(name, run, chunk_set, limits[embedder])
        yield from _spread(name, run)
    yield from _languages(record)


def _input_of(embedder: str) -> int | None:
    model = model_of(embedder)
    return None if model is None else model.max_tokens


def _truncated(name: str, run: RunResult, chunk_set: ChunkSet, limit: int | None) -> Iterator[RunWarning]:
    """Chunks longer than the model reads; cl100k_base tokens stand in for the model's own."""
    beyond = int((chunk_set.tokens > limit).sum()) if limit is not None else 0
    if beyond:
        share = f"{beyond / len(chunk_set):.0%}"
        text = (
            f"{name}: {_count(beyond, 'chunk')} ({share}) longer than the {limit:,} tokens that the model "
            "reads; the rest of their text has no part in their vectors."
        )
        yield RunWarning("chunks_beyond_model", Severity.WARNING, "embed", run.label, text)


def _spread(name: str, run: RunResult) -> Iterator[RunWarning]:
    quality = run.embedding_quality
    if quality is None:
        return
    if quality.collapsed > MUCH_COLLAPSED:
        text = f"{name}: {quality.collapsed:.0%} of the chunks share nearly one vector with other words."
        yield RunWarning("collapsed_embedding", Severity.WARNING, "embed", run.label, text)
    if quality.score < WEAK_EMBEDDING:
        text = f"{name}: embedding quality is {quality.score:.2f}: vectors hardly tell chunks apart."
        yield RunWarning("weak_embedding", Severity.WARNING, "embed", run.label, text)


def _languages(record: RunRecord) -> Iterator[RunWarning]:
    english, others = english_models(record), other_languages(record)
    if english and others:
        languages = ", ".join(f"{count} in {language}" for language, count in others.items())
        text = (
            f"{', '.join(english)} learnt from English only, and not all documents are English "
            f"({languages}): the scores say little about a multilingual model."
        )
        yield RunWarning("language_mismatch", Severity.WARNING, "embed", "", text)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _named(ids: Sequence[str], what: str = "question") -> str:
    rest = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{_count(len(ids), what)} ({', '.join(ids[:_NAMED])}{rest})"


def _first(runs: Iterable[RunResult], key: Callable[[RunResult], K]) -> dict[K, RunResult]:
    found: dict[K, RunResult] = {}
    for run in runs:
        found.setdefault(key(run), run)
    return found
