"""A small question set to copy, in each format."""

from __future__ import annotations

from evalcore.evalset.files import QuestionFormat, write_questions
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor

_FORMATS: dict[str, tuple[QuestionFormat, str]] = {
    "YAML": ("yaml", "yaml"),
    "JSON": ("json", "json"),
    "JSON Lines": ("jsonl", "json"),
    "CSV": ("csv", "text"),
}


def _passage(quote: str) -> GoldAnchor:
    return GoldAnchor(None, quote)


SAMPLE = EvalSet(
    "sample",
    (
        EvalItem(
            "return-window",
            "How long can a customer return a device?",
            [_passage("Devices may be returned within 30 days of delivery.")],
            tags=["policy"],
        ),
        EvalItem(
            "late-return",
            "What does a late return cost, and who approves it?",
            [
                _passage("A late return costs a restocking fee of 15 %."),
                (
                    _passage("The regional manager approves late returns."),
                    _passage("Late returns need the approval of a regional manager."),
                ),
            ],
            tags=["two passages"],
        ),
    ),
)


def samples() -> dict[str, tuple[str, str]]:
    """Format → (language of the listing, text)."""
    return {
        title: (language, write_questions(SAMPLE, kind).decode("utf-8-sig"))
        for title, (kind, language) in _FORMATS.items()
    }
