"""How far a run got that is not whole, in words: the same on every page, in the report and in exports."""

from __future__ import annotations

from evalcore.grid import grid_of
from evalcore.run.record import RunRecord
from evalcore.settings import Settings


def share_done(done: int, settings: Settings) -> str:
    """Return `3 of 12 configurations`; of a staged grid, whose later cells depend on results, `of up to 12`.

    Raises:
        SettingsError: as `grid_of`.
    """
    grid = grid_of(settings, known=False)
    total = len(grid.configurations) + grid.later
    bound = "up to " if grid.later else ""
    return f"{done:,} of {bound}{total:,} configuration{'' if total == 1 else 's'}"


def stopped_at_budget(done: int, settings: Settings) -> str:
    """Say that a run stopped at its time budget and how many cells it finished.

    Raises:
        SettingsError: as `grid_of`.
    """
    return f"stopped at its time budget of {seconds(settings)}; {share_done(done, settings)}"


def partial_words(record: RunRecord) -> str:
    """Return "" for a whole run, else one sentence: how many of its configurations are finished.

    A run ends early at its budget, when it is cancelled or when its process dies; a record does not know
    which, so the sentence names the budget and blames nothing.
    """
    if record.complete:
        return ""
    settings = record.inputs.settings
    budget = "" if settings.budget_seconds is None else f" (time budget {seconds(settings)})"
    return f"This run is partial: it finished {share_done(len(record.cells), settings)}{budget}."


def seconds(settings: Settings) -> str:
    """Return the budget with its unit, `60 s`."""
    return f"{settings.budget_seconds or 0:,.10g} s"
