"""How often a clear and a proven winner is truly the best: `python benchmarks/winners.py [FIELDS]`.

A field is 2 to 12 cells over 15 to 500 questions. Outcomes are 0 or 1, correlated over the cells by each
question's difficulty. Half of the fields have different true means, in the other half all cells are equal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.special import ndtri

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evalcore.models import RankingMetric
from evalcore.report.grade import Grade, grade_of
from evalcore.report.verdict import Resampling, judge
from evalcore.scoring.table import Floats, Row, Weights

QUESTIONS = (15, 25, 40, 60, 100, 150, 250, 500)
WEIGHT = 0.05
RESAMPLES = 2_000


def field(rng: np.random.Generator, *, equal: bool) -> tuple[list[Row], Floats, Floats]:
    """Draw a field; returns its rows, their true recalls and their true mean tokens."""
    cells, n = int(rng.integers(2, 13)), int(rng.choice(QUESTIONS))
    level, spread = rng.uniform(0.3, 0.9), rng.uniform(0.02, 0.15)
    means = np.full(cells, level) if equal else np.clip(rng.normal(level, spread, cells), 0.02, 0.98)
    tokens = np.full(cells, 1_000.0) if equal else rng.uniform(500, 3_000, cells)
    share = rng.uniform(0.2, 0.8)
    latent = np.sqrt(share) * rng.normal(size=(n, 1)) + np.sqrt(1 - share) * rng.normal(size=(n, cells))
    found = (latent < ndtri(means)).astype(np.float64)
    used = tokens * rng.lognormal(-0.02, 0.2, size=(n, cells))
    return [_row(f"c{i:02}", found[:, i], used[:, i]) for i in range(cells)], means, tokens


def _row(name: str, recall: Floats, tokens: Floats) -> Row:
    nothing = np.zeros(len(recall))
    return Row(name, "dense", recall, recall, recall, nothing, nothing, tokens, 0.0)


def outcome(rng: np.random.Generator, metric: RankingMetric, *, equal: bool) -> tuple[Grade, bool]:
    """Judge one field; returns the verdict's grade and whether its leader is truly the best."""
    rows, means, tokens = field(rng, equal=equal)
    truth = means - WEIGHT * (tokens / tokens.min() - 1) if metric == "balanced" else means
    weights = Weights(metric, WEIGHT)
    verdict = judge(rows, weights, Resampling(RESAMPLES, 0)).chunking
    if verdict is None:
        raise AssertionError("a field of several cells has a verdict")
    leads = truth[int(verdict.leader[1:])] >= truth.max() - 1e-12
    return grade_of(verdict, rows, rows, weights, 0), bool(leads)


def report(fields: int, seed: int = 0) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [
        f"| metric | grade | named, of {fields // 2:,} | of these truly best | equal fields that name one |",
        "| --- | --- | --- | --- | --- |",
    ]
    for metric in ("recall_at_k", "balanced"):
        rng = np.random.default_rng(seed)
        different = [outcome(rng, metric, equal=False) for _ in range(fields // 2)]
        alike = [outcome(rng, metric, equal=True) for _ in range(fields // 2)]
        for name, grades in (("clear", (Grade.CLEAR, Grade.PROVEN)), ("proven", (Grade.PROVEN,))):
            lines.append(f"| {metric} | {name} | {_line(different, alike, grades)} |")
    return lines


def _line(
    different: Sequence[tuple[Grade, bool]], alike: Sequence[tuple[Grade, bool]], grades: Sequence[Grade]
) -> str:
    named = Counter(best for grade, best in different if grade in grades)
    wrong = sum(grade in grades for grade, _ in alike)
    total = named.total() or 1
    best, right, false = named[True], named[True] / total, wrong / len(alike)
    return f"{named.total():,} | {best:,} ({100 * right:.1f} %) | {wrong:,} ({100 * false:.1f} %)"


if __name__ == "__main__":
    print("\n".join(report(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)))
