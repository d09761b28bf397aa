"""What may harm a run's numbers, found in its documents, questions and models; others put it into words."""

from __future__ import annotations

from collections import Counter

from evalcore.evalset.check import SHORT_GOLD_TOKENS
from evalcore.evalset.items import EvalItem, EvalSet
from evalcore.run.record import RunRecord
from evalcore.text.tokens import CL100K, get_tokenizer

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


def documents_without_headings(record: RunRecord) -> list[str]:
    """Return the ids of documents that `structure` cut by size; none when it cut nothing."""
    if not any(cell.configuration.chunker.name == "structure" for cell in record.cells):
        return []
    return [d.id for d in record.inputs.corpus if d.has_text and not d.headings]


def english_models(record: RunRecord) -> list[str]:
    """Return the models of finished cells that were trained on English only, sorted, by their names."""
    models = {cell.configuration.embedder for cell in record.cells if cell.configuration.embedder}
    return sorted(model for model in models if _is_english_only(model))


def other_languages(record: RunRecord) -> dict[str, int]:
    """Return how many documents are in each language but English, as far as it can be told, sorted."""
    found = Counter(
        language
        for document in record.inputs.corpus
        if (language := document.metadata.get("language")) and language != "en"
    )
    return dict(sorted(found.items()))


def without_passages(evalset: EvalSet) -> list[EvalItem]:
    """Return the questions that are not scored."""
    return [item for item in evalset if not item.is_scored]


def with_short_passages(evalset: EvalSet) -> list[EvalItem]:
    """Return the scored questions with a passage of fewer than SHORT_GOLD_TOKENS tokens."""
    count = get_tokenizer(CL100K).count
    return [
        item
        for item in evalset.scored
        if any(count(anchor.quote) < SHORT_GOLD_TOKENS for slot in item.slots for anchor in slot)
    ]


def not_reviewed(evalset: EvalSet) -> list[EvalItem]:
    """Return the scored questions that no person has looked at."""
    return [item for item in evalset.scored if not item.reviewed]


def _is_english_only(model: str) -> bool:
    name = model.lower()
    return any(known in name for known in _ENGLISH_ONLY) and not any(known in name for known in _MULTILINGUAL)
