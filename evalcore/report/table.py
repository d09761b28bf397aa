"""The ranked table as CSV."""

from __future__ import annotations

import csv
import io

from evalcore.models import EvalReport
from evalcore.results.prices import ModelPrice, context_usd_per_1k

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
_PRICE_COLUMNS = ("context_usd_per_1k", "price_model", "usd_per_million_input_tokens", "price_as_of")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def leaderboard_csv(report: EvalReport, price: ModelPrice | None = None) -> str:
    """Return the table, best first, one line per strategy and retriever; numbers at full precision.

    With a price there are columns for what the chunks of 1,000 questions cost as input tokens of that model,
    in US dollars, and for the price itself. The table of a partial run has a last column, `complete`, that
    says `false`. A text that a spreadsheet would run as a formula begins with an apostrophe; numbers are left
    alone.
    """
    k = report.corpus_summary.top_k
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    partial: dict[str, str] = {} if report.complete else {"complete": "false"}
    priced = _PRICE_COLUMNS if price is not None else ()
    writer.writerow([*(column.format(k=k) for column in _COLUMNS), *priced, *partial])
    for rank, row in enumerate(report.strategy_results, start=1):
        low, high = row.ci95 if row.ci95 is not None else ("", "")
        scores = (row.recall_at_k, low, high, row.balanced_score, row.hit_rate_at_k, row.mrr)
        costs = (row.precision_at_k, row.retrieved_tokens_at_k, row.context_efficiency)
        counts = (row.chunk_health.num_chunks, report.corpus_summary.num_scored_questions)
        names = (_text(row.strategy), _text(row.retriever))
        paid = _paid(row.retrieved_tokens_at_k, price)
        writer.writerow([rank, *names, *scores, *costs, *counts, *paid, *partial.values()])
    return out.getvalue()


def _paid(tokens: float, price: ModelPrice | None) -> tuple[object, ...]:
    if price is None:
        return ()
    usd = context_usd_per_1k(tokens, price.usd_per_million)
    return usd, _text(price.model), price.usd_per_million, price.listed.isoformat()


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
