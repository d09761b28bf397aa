"""What a run noticed: from its record and its measured cells to warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalcore.grid import grid_of
from evalcore.results.run_result import RunResult
from evalcore.results.warnings import RunWarning, Severity
from evalcore.run.partial import partial_words
from evalcore.run.record import RunRecord

FEW_QUESTIONS = 15
MUCH_COLLAPSED = 0.05
WEAK_EMBEDDING = 0.4
_NAMED = 5


def noticed(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    """Yield the warnings of a run, in the order of its stages."""
    yield from _grid(record)
    yield from _whole(record)
    yield from _documents(record)
    yield from _questions(record, runs)
    yield from _chunks(record, runs)
    yield from _embeddings(runs)


def _grid(record: RunRecord) -> Iterator[RunWarning]:
    grid = grid_of(record.inputs.settings)
    if grid.impossible:
        text = (
            f"{_count(grid.impossible, 'combination')} cannot run and were dropped: they search by vectors "
        )
        yield RunWarning(
            "impossible_combinations", Severity.WARNING, "grid", "", f"{text}and have no embedder."
        )
    if grid.folded:
        text = f"{_count(grid.folded, 'combination')} are the same computation as another and were folded"
        yield RunWarning("folded_combinations", Severity.INFO, "grid", "", f"{text}.")


def _whole(record: RunRecord) -> Iterator[RunWarning]:
    partial = partial_words(record)
    if partial:
        yield RunWarning("partial_run", Severity.WARNING, "run", "", partial)
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


def _questions(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    scored = record.inputs.evalset.scored
    if len(scored) < FEW_QUESTIONS:
        text = f"only {_count(len(scored), 'question')} with evidence: differences must be large to show."
        yield RunWarning("few_questions", Severity.WARNING, "score", "", text)
    nowhere = dict.fromkeys(question for run in runs for question in run.unresolved)
    for question in nowhere:
        text = (
            f"{question}: its evidence stands in no document, so it is not scored; check the quote against "
            "the text."
        )
        yield RunWarning("unresolved_gold", Severity.ERROR, "score", question, text)


def _chunks(record: RunRecord, runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    seen: set[str] = set()
    for run in runs:
        strategy = run.configuration.strategy
        if strategy in seen:
            continue
        seen.add(strategy)
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


def _embeddings(runs: Sequence[RunResult]) -> Iterator[RunWarning]:
    seen: set[tuple[str, str | None]] = set()
    for run in runs:
        key = (run.configuration.strategy, run.configuration.embedder)
        quality = run.embedding_quality
        if quality is None or key in seen:
            continue
        seen.add(key)
        name = f"{run.configuration.embedder} on {run.configuration.chunker_text}"
        if quality.collapsed > MUCH_COLLAPSED:
            text = f"{name}: {quality.collapsed:.0%} of the chunks share nearly one vector with other words."
            yield RunWarning("collapsed_embedding", Severity.WARNING, "embed", run.label, text)
        if quality.score < WEAK_EMBEDDING:
            text = f"{name}: embedding quality is {quality.score:.2f}: vectors hardly tell chunks apart."
            yield RunWarning("weak_embedding", Severity.WARNING, "embed", run.label, text)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _named(ids: Sequence[str]) -> str:
    rest = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{_count(len(ids), 'question')} ({', '.join(ids[:_NAMED])}{rest})"
