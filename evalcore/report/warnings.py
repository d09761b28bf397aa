"""What may harm a run's numbers, one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalSet
from evalcore.run.partial import partial_words
from evalcore.run.record import RunRecord
from evalcore.text.tokens import CL100K, get_tokenizer

FEW_QUESTIONS = 15
SHORT_TOKENS = 5
_ENGLISH_ONLY = (
    "all-minilm",
    "all-mpnet",
    "multi-qa-",
    "bge-small-en",
    "bge-base-en",
    "bge-large-en",
    "e5-small-v2",
)
_MULTILINGUAL = ("multilingual", "bge-m3", "labse", "distiluse")
_NAMED = 3


def run_warnings(record: RunRecord) -> list[str]:
    """List the warnings of the report specification, section 6, in a fixed order."""
    corpus, evalset = record.inputs.corpus, record.inputs.evalset
    found = [
        *_documents(corpus),
        *_headings(record),
        *_language(corpus, record),
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
    if not any(cell.configuration.chunker.name == "structure" for cell in record.cells):
        return []
    flat = [d.id for d in record.inputs.corpus if d.has_text and not d.headings]
    if not flat:
        return []
    return [
        f"{_count(flat, 'document')} without headings: {_some(flat)}; structure falls back to size there."
    ]


def _language(corpus: Corpus, record: RunRecord) -> list[str]:
    models = {cell.configuration.embedder for cell in record.cells if cell.configuration.embedder}
    english = sorted(m for m in models if _is_english_only(m))
    others = Counter(
        language for d in corpus if (language := d.metadata.get("language")) and language != "en"
    )
    if not english or not others:
        return []
    languages = ", ".join(f"{n} in {language}" for language, n in sorted(others.items()))
    return [
        f"{english[0]} was trained on English only, and not all documents are English ({languages}): "
        "scores on those say little about a multilingual model."
    ]


def _is_english_only(model: str) -> bool:
    name = model.lower()
    return any(known in name for known in _ENGLISH_ONLY) and not any(known in name for known in _MULTILINGUAL)


def _questions(evalset: EvalSet) -> list[str]:
    count = get_tokenizer(CL100K).count
    without = [item.id for item in evalset if not item.is_scored]
    drafts = [item.id for item in evalset.scored if not item.reviewed]
    short = [
        item.id
        for item in evalset.scored
        if any(count(anchor.quote) < SHORT_TOKENS for slot in item.slots for anchor in slot)
    ]
    warnings = []
    if without:
        warnings.append(
            f"{_count(without, 'question')} without a gold passage, not scored: {_some(without)}."
        )
    if len(evalset.scored) < FEW_QUESTIONS:
        warnings.append(
            f"Only {_count(evalset.scored, 'scored question')}: differences will rarely be told from chance; "
            "aim for 50 or more."
        )
    if short:
        warnings.append(
            f"{_count(short, 'question')} with a gold passage under {SHORT_TOKENS} tokens, which many chunks "
            f"hold by accident: {_some(short)}."
        )
    if drafts:
        warnings.append(f"{_count(drafts, 'question')} not reviewed by a person: {_some(drafts)}.")
    return warnings


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED:,} more"
