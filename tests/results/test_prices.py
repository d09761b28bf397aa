"""The price of context: the formula, the table of defaults, and what a workspace keeps of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evalcore.errors import InputError
from evalcore.results.prices import (
    DEFAULT_PRICES,
    FILE,
    ModelPrice,
    PriceList,
    context_usd_per_1k,
    load_prices,
    save_prices,
)

TODAY = date(2026, 1, 2)


def test_a_thousand_questions_cost_tokens_times_price() -> None:
    assert context_usd_per_1k(500, 2.0) == 1.0
    assert context_usd_per_1k(1_000, 0.4) == pytest.approx(0.4)
    assert context_usd_per_1k(0, 3.0) == 0.0


def test_the_defaults_are_dated_and_one_is_in_use() -> None:
    assert len({price.listed for price in DEFAULT_PRICES}) == 1
    assert PriceList().price == DEFAULT_PRICES[0]
    assert PriceList(chosen=None).price is None


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    assert load_prices(tmp_path) == PriceList()
    ours = PriceList((ModelPrice("our model", 0.0, TODAY), ModelPrice("theirs", 1.25, TODAY)), "theirs")
    save_prices(tmp_path, ours)
    assert load_prices(tmp_path) == ours
    save_prices(tmp_path, PriceList((), None))
    assert load_prices(tmp_path) == PriceList((), None)


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"prices": [["a", -1, "2026-01-02"]], "chosen": null}', b'{"prices": [], "chosen": "a"}'],
)
def test_damaged_prices_are_the_defaults_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert load_prices(tmp_path) == PriceList()


@pytest.mark.parametrize("usd", [-0.1, float("nan"), float("inf")])
def test_a_price_is_a_number_that_can_be_paid(usd: float) -> None:
    with pytest.raises(InputError, match=r"the price of m is .*; expected dollars per million"):
        ModelPrice("m", usd, TODAY)


def test_names_are_given_once_and_the_chosen_one_has_a_price() -> None:
    one = ModelPrice("m", 1.0, TODAY)
    with pytest.raises(InputError, match="m has two prices"):
        PriceList((one, one), None)
    with pytest.raises(InputError, match="x has no price"):
        PriceList((one,), "x")
    with pytest.raises(InputError, match="has no model"):
        ModelPrice(" ", 1.0, TODAY)


def test_a_price_that_was_changed_is_of_the_day_it_was_changed() -> None:
    before = date(2025, 11, 25)
    known = PriceList((ModelPrice("a", 1.0, before), ModelPrice("b", 2.0, before)), "a")
    same = known.edited([("a", 1.0, before), ("b", 2.0, before)], TODAY)
    assert same == known
    changed = known.edited([("a", 1.5, before), ("b", 2.5, date(2025, 12, 1)), (" c ", 3.0, None)], TODAY)
    assert changed.prices == (
        ModelPrice("a", 1.5, TODAY),
        ModelPrice("b", 2.5, date(2025, 12, 1)),
        ModelPrice("c", 3.0, TODAY),
    )
    assert changed.chosen == "a"
    assert known.edited([("b", 2.0, before)], TODAY).chosen is None
    with pytest.raises(InputError, match="the price of a is nan"):
        known.edited([("a", float("nan"), before)], TODAY)
