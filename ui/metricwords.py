"""Metrics and costs of the views: what each is called, means, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ui.text import score, size, whole


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of the views: its name, one plain line, how a value is written, and the unit on an axis."""

    name: str
    line: str
    write: Callable[[float], str] = score
    unit: str = ""

    @property
    def title(self) -> str:
        """The name with its unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


METRICS: dict[str, Measure] = {
    "recall": Measure(
        "Relevant chunks found", "Recall: of the chunks that hold the evidence, the share found."
    ),
    "gold_recall": Measure(
        "Answers found", "The report's recall: of the gold passages, the share in the chunks."
    ),
    "hit_rate": Measure("Hit rate", "Share of questions for which at least one relevant chunk was found."),
    "mrr": Measure("MRR", "1 / rank of the first relevant chunk, mean over questions; 1.00 is always first."),
    "ndcg": Measure(
        "nDCG", "Relevant chunks, counting less the further down they stand, against the best order."
    ),
    "map": Measure("MAP", "Precision at each relevant chunk's rank, mean over the relevant chunks."),
    "precision": Measure("Precision", "Of the first k places, the share with a relevant chunk."),
    "char_recall": Measure(
        "Passage text found", "Of the characters of the gold passages, the share retrieved."
    ),
    "char_precision": Measure(
        "Text that is passage", "Of the characters retrieved, the share that is gold passage."
    ),
    "token_iou": Measure(
        "Token overlap", "Tokens shared by gold passages and chunks / tokens of both together."
    ),
}


def _usd(value: float) -> str:
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def _ms(value: float) -> str:
    return "under 1 ms" if value < 1 else f"{value:,.0f} ms"


COSTS: dict[str, Measure] = {
    "tokens": Measure(
        "Tokens per question", "cl100k_base tokens that a question brings back.", whole, "cl100k_base"
    ),
    "p95_ms": Measure(
        "p95 latency", "95 of 100 questions are answered within this time, on this machine.", _ms, "ms"
    ),
    "build_ms": Measure("Build time", "Chunks, vectors and index, on this machine.", _ms, "ms"),
    "index_bytes": Measure(
        "Index size", "Vectors and word tables.", lambda value: size(round(value)), "bytes"
    ),
    "context_usd_per_1k": Measure(
        "Context price",
        "US dollars for 1,000 questions' chunks as input tokens.",
        _usd,
        "US dollars per 1,000 questions",
    ),
    "cost_per_1k": Measure(
        "Call price",
        "US dollars for 1,000 questions' calls to priced models.",
        _usd,
        "US dollars per 1,000 questions",
    ),
}


def family(metric: str) -> str:
    """The metric without its cut-off."""
    return metric.partition("@")[0]


def called(metric: str) -> str:
    """A metric's name with its cut-off."""
    name, _, k = metric.partition("@")
    known = METRICS.get(name) or COSTS.get(name)
    return f"{known.name if known else name}{f' @ {k}' if k else ''}"
