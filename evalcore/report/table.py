"""The ranked table as CSV."""

from __future__ import annotations

import csv
import io

from evalcore.models import EvalReport

_COLUMNS = (
    "rank",
    "strategy",
    "retriever",
    "recall@{k}",
    "ci95_low",
    "ci95_high",
    "balanced_score",
    "hit_rate@{k}",
    "mrr",
    "precision@{k}",
    "tokens@{k}",
    "context_efficiency",
    "chunks",
    "questions",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def leaderboard_csv(report: EvalReport) -> str:
    """Return the table, best first, one line per strategy and retriever; numbers at full precision.

    The table of a partial run has a last column, `complete`, that says `false`. A text that a spreadsheet
    would run as a formula begins with an apostrophe; numbers are left alone.
    """
    k = report.corpus_summary.top_k
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    extra: dict[str, str] = {} if report.complete else {"complete": "false"}
    writer.writerow([*(column.format(k=k) for column in _COLUMNS), *extra])
    for rank, row in enumerate(report.strategy_results, start=1):
        low, high = row.ci95 if row.ci95 is not None else ("", "")
        scores = (row.recall_at_k, low, high, row.balanced_score, row.hit_rate_at_k, row.mrr)
        costs = (row.precision_at_k, row.retrieved_tokens_at_k, row.context_efficiency)
        counts = (row.chunk_health.num_chunks, report.corpus_summary.num_scored_questions)
        writer.writerow(
            [rank, _text(row.strategy), _text(row.retriever), *scores, *costs, *counts, *extra.values()]
        )
    return out.getvalue()


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
