"""A few documents of the example with the questions they answer: real texts, a run of seconds."""

from __future__ import annotations

from pathlib import Path

from evalcore.corpus.document import Corpus
from evalcore.corpus.loading import read_files
from evalcore.evalset.files import read_questions, write_questions
from evalcore.evalset.items import EvalSet, Slot
from evalcore.settings import Settings
from evalcore.text.normal import fold

EXAMPLE = Path(__file__).resolve().parents[2] / "examples"
DOCUMENTS = (
    "aldermoor-rollout-thread.txt",
    "harbour-g3-betriebsanleitung.md",
    "pricing-and-plans.md",
    "service-level-agreement.md",
    "warranty-terms-2024.md",
    "warranty-terms-2025.md",
)
OTHERS = ("incident-2024-11-post-mortem.md", "travel-and-expenses-policy.md", "support-duty-runbook.md")


def files(names: tuple[str, ...] = DOCUMENTS) -> list[tuple[str, bytes]]:
    """Return (name, bytes) of documents of the example."""
    return [(name, (EXAMPLE / "docs" / name).read_bytes()) for name in names]


def questions(corpus: Corpus) -> EvalSet:
    """Return the example's questions that these documents answer."""
    texts = [fold(document.text) for document in corpus]

    def answered(slot: Slot) -> bool:
        return any(fold(anchor.quote) in text for anchor in slot for text in texts)

    everything = read_questions("questions.yaml", (EXAMPLE / "questions.yaml").read_bytes())
    return EvalSet("questions", tuple(i for i in everything if all(answered(slot) for slot in i.slots)))


def settings(*sizes: int) -> Settings:
    """Return a grid of fixed and recursive in the sizes given, and semantic, under three retrievers."""
    strategies: list[dict[str, object]] = [
        {"name": name, "params": {"chunk_size": size}} for size in sizes for name in ("fixed", "recursive")
    ]
    strategies.append({"name": "semantic", "params": {"max_tokens": 300, "min_tokens": 60}})
    return Settings.from_dict(
        {
            "retrieval": {"compare": ["dense", "bm25", "hybrid"]},
            "eval": {"bootstrap_resamples": 2000},
            "strategies": strategies,
        }
    )


def write(folder: Path, names: tuple[str, ...] = DOCUMENTS, *sizes: int) -> tuple[Path, Path, Path]:
    """Write documents, their questions and the settings; returns the three paths."""
    documents = folder / "docs"
    documents.mkdir(parents=True)
    for name, data in files(names):
        (documents / name).write_bytes(data)
    asked = folder / "questions.yaml"
    asked.write_bytes(write_questions(questions(read_files(files(names)).corpus), "yaml"))
    config = folder / "settings.yaml"
    config.write_text(settings(*sizes).to_yaml(), encoding="utf-8")
    return documents, asked, config
