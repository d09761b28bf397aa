"""What may harm a run's numbers, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.corpus.document import Corpus
from evalcore.evalset.check import FEW_QUESTIONS, SHORT_GOLD_TOKENS
from evalcore.evalset.items import EvalItem, EvalSet
from evalcore.results.findings import (
    documents_without_headings,
    english_models,
    not_reviewed,
    other_languages,
    with_short_passages,
    without_passages,
)
from evalcore.run.partial import partial_words
from evalcore.run.record import RunRecord

_NAMED = 3


def run_warnings(record: RunRecord) -> list[str]:
    """List the warnings of the report specification, section 6, in a fixed order."""
    corpus, evalset = record.inputs.corpus, record.inputs.evalset
    found = [
        *_documents(corpus),
        *_headings(record),
        *_language(record),
        *_questions(evalset),
    ]
    failed = [f"{cell.configuration.key} could not be computed: {cell.reason}" for cell in record.failed]
    return [*filter(None, [partial_words(record)]), *failed, *found]


def _documents(corpus: Corpus) -> list[str]:
    warnings = [warning for document in corpus for warning in document.warnings]
    silent = [d.id for d in corpus if not d.has_text and not d.warnings]
    if silent:
        warnings.append(
            f"{_count(silent, 'document')} without text: {_some(silent)}; a scanned PDF needs OCR first."
        )
    return warnings


def _headings(record: RunRecord) -> list[str]:
    flat = documents_without_headings(record)
    if not flat:
        return []
    return [
        f"{_count(flat, 'document')} without headings: {_some(flat)}; structure falls back to size there."
    ]


def _language(record: RunRecord) -> list[str]:
    english, others = english_models(record), other_languages(record)
    if not english or not others:
        return []
    languages = ", ".join(f"{n} in {language}" for language, n in others.items())
    return [
        f"{english[0]} was trained on English only, and not all documents are English ({languages}): "
        "scores on those say little about a multilingual model."
    ]


def _questions(evalset: EvalSet) -> list[str]:
    without, short = without_passages(evalset), with_short_passages(evalset)
    drafts = not_reviewed(evalset)
    warnings = []
    if without:
        warnings.append(
            f"{_count(without, 'question')} without a gold passage, not scored: {_some(_ids(without))}."
        )
    if len(evalset.scored) < FEW_QUESTIONS:
        warnings.append(
            f"Only {_count(evalset.scored, 'scored question')}: differences will rarely be told from chance; "
            "aim for 50 or more."
        )
    if short:
        warnings.append(
            f"{_count(short, 'question')} with a gold passage under {SHORT_GOLD_TOKENS} tokens, which many "
            f"chunks hold by accident: {_some(_ids(short))}."
        )
    if drafts:
        warnings.append(f"{_count(drafts, 'question')} not reviewed by a person: {_some(_ids(drafts))}.")
    return warnings


def _ids(items: Sequence[EvalItem]) -> list[str]:
    return [item.id for item in items]


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED:,} more"
