"""What retrieved context costs when a priced model reads it, at a price the user sets per workspace."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from evalcore.errors import InputError, WorkspaceError
from evalcore.run.files import read_json, write_json

FILE = "prices.json"
LISTED = date(2025, 11, 25)


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """US dollars per million input tokens of a model, as published on a day; without discounts."""

    model: str
    usd_per_million: float
    listed: date

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InputError("a price has no model; give the model a name")
        if not (math.isfinite(self.usd_per_million) and self.usd_per_million >= 0):
            raise InputError(
                f"the price of {self.model} is {self.usd_per_million}; expected dollars per million input "
                "tokens, 0 or more"
            )


DEFAULT_PRICES = tuple(
    ModelPrice(model, usd, LISTED)
    for model, usd in (
        ("gpt-4.1-mini", 0.40),
        ("gpt-4.1-nano", 0.10),
        ("gpt-4.1", 2.00),
        ("gpt-4o-mini", 0.15),
        ("gpt-4o", 2.50),
        ("claude-haiku-4-5", 1.00),
        ("claude-sonnet-4-5", 3.00),
        ("gemini-2.5-flash", 0.30),
        ("gemini-2.5-pro", 1.25),
    )
)
"""Standard list prices on that day, defaults to edit: vendors change them and count tokens their own way."""


@dataclass(frozen=True, slots=True)
class PriceList:
    """The prices of a workspace and the model whose price is in use; none when `chosen` is None.

    Raises:
        InputError: a model twice, or a chosen model without a price.
    """

    prices: tuple[ModelPrice, ...] = DEFAULT_PRICES
    chosen: str | None = DEFAULT_PRICES[0].model

    def __post_init__(self) -> None:
        names = [price.model for price in self.prices]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"{twice} has two prices; keep one of them")
        if self.chosen is not None and self.chosen not in names:
            raise InputError(f"{self.chosen} has no price; give it one or choose another model")

    @property
    def price(self) -> ModelPrice | None:
        """The price in use."""
        return next((price for price in self.prices if price.model == self.chosen), None)

    def edited(self, rows: Iterable[tuple[str, float, date | None]], today: date) -> PriceList:
        """Return the list that a person has made of this one: model, dollars per million, day of the price.

        A price without a day, or changed while its day was left alone, is of today. A chosen model that is
        gone leaves none in use.

        Raises:
            InputError: a model without a name or with a price that cannot be paid, or named twice.
        """
        before = {price.model: price for price in self.prices}
        prices = []
        for model, usd, listed in rows:
            old = before.get(model.strip())
            stale = old is not None and old.listed == listed and old.usd_per_million != usd
            prices.append(ModelPrice(model.strip(), usd, today if listed is None or stale else listed))
        named = {price.model for price in prices}
        return PriceList(tuple(prices), self.chosen if self.chosen in named else None)


def context_usd_per_1k(tokens_per_question: float, usd_per_million: float) -> float:
    """Return US dollars for the retrieved context of 1,000 questions: tokens x price x 1000 / 10^6."""
    return tokens_per_question * usd_per_million * 1000 / 1_000_000


def load_prices(root: Path) -> PriceList:
    """Read the prices kept in the workspace at `root`; the defaults where none can be read."""
    path = root / FILE
    if not path.exists():
        return PriceList()
    try:
        return _from_dict(read_json(path))
    except (WorkspaceError, InputError, KeyError, ValueError, TypeError):
        return PriceList()


def save_prices(root: Path, prices: PriceList) -> None:
    """Keep the prices in the workspace at `root`; on disk on return.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    rows = [[price.model, price.usd_per_million, price.listed.isoformat()] for price in prices.prices]
    write_json(root / FILE, {"prices": rows, "chosen": prices.chosen})


def _from_dict(value: Mapping[str, Any]) -> PriceList:
    prices = tuple(
        ModelPrice(str(model), float(usd), date.fromisoformat(listed))
        for model, usd, listed in value["prices"]
    )
    chosen = value["chosen"]
    return PriceList(prices, None if chosen is None else str(chosen))
