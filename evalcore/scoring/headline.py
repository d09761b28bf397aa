"""The one metric a grid goes by: which there are, and the settings' choice among them."""

from __future__ import annotations

import re

from evalcore.errors import SettingsError
from evalcore.scoring.metrics import METRICS
from evalcore.settings import Settings

CONTRACT = "gold_recall"
HEADLINES = (*METRICS, "char_recall", "char_precision", "token_iou", CONTRACT)
"""Metrics of which more is better; `@` and a cut-off follow, as in `recall@5`."""


def headline_of(settings: Settings) -> str | None:
    """Return the headline metric of the settings' grid, None where it names none.

    Raises:
        SettingsError: it is no metric with a cut-off, or deeper than the metric is counted.
    """
    headline = settings.grid.headline if settings.grid is not None else None
    if headline is None:
        return None
    found = re.fullmatch(r"([a-z_]+)@([1-9][0-9]{0,5})", headline)
    if found is None or found.group(1) not in HEADLINES:
        raise SettingsError(
            f"grid.headline is {headline!r}; expected a metric and a cut-off, as recall@5; known metrics: "
            + ", ".join(HEADLINES)
        )
    if found.group(1) == CONTRACT and int(found.group(2)) > settings.top_k:
        raise SettingsError(
            f"grid.headline is {headline}; {CONTRACT} is counted up to the run's k, {settings.top_k}: "
            "lower the headline's cut-off or raise k"
        )
    return headline
