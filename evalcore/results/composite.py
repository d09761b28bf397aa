"""One number from 0 to 100 over the stages of a configuration that were measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

_CUT_OFF = re.compile(r"@(\d+)$")


@dataclass(frozen=True, slots=True)
class Composite:
    """One number and what it is made of.

    `score`: 100 × the harmonic mean of `parts`, None without any; `parts`: each measured dimension, 0..1;
    `missing`: the others, each with the reason; `k`: the cut-off of the metrics.
    """

    score: float | None
    parts: Mapping[str, float]
    missing: Mapping[str, str]
    k: int


def composite(value: Callable[[str], float | None], k: int) -> Composite:
    """Combine the metrics that `value` knows at cut-off k (spec/results.md §6).

    A dimension is the mean of those of its metrics that were measured; one outside 0..1 counts as missing.
    """
    dimensions = {
        "parse": ["evidence_resolvable"],
        "chunk": [f"char_recall@{k}"],
        "embed": ["embedding_quality"],
        "retrieval": [f"recall@{k}", f"ndcg@{k}"],
        "generation": ["faithfulness", "answer_relevancy"],
    }
    parts: dict[str, float] = {}
    missing: dict[str, str] = {}
    for name, metrics in dimensions.items():
        found = [number for metric in metrics if (number := value(metric)) is not None]
        if not found:
            missing[name] = f"no value for {' or '.join(metrics)}"
        elif not all(0.0 <= number <= 1.0 for number in found):
            missing[name] = f"{' or '.join(metrics)} lies outside 0..1"
        else:
            parts[name] = sum(found) / len(found)
    return Composite(_harmonic(list(parts.values())), parts, missing, k)


def common_cut_off(metrics: Iterable[str], default: int) -> int:
    """Return the cut-off that most metric names carry, ties to the smaller; `default` without any."""
    counted = Counter(int(match.group(1)) for name in metrics if (match := _CUT_OFF.search(name)))
    return min(counted, key=lambda k: (-counted[k], k)) if counted else default


def _harmonic(values: list[float]) -> float | None:
    if not values:
        return None
    if min(values) == 0.0:
        return 0.0
    return 100.0 * len(values) / sum(1.0 / value for value in values)
