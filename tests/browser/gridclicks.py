"""A grid put together on the Grid page by clicks."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.support import only, settle


def click_in(page: Page, key: str, icon: str) -> None:
    """Click a row's button, named by its icon."""
    row = only(page, f"[class*='st-key-axes-'][class*='-{key} ']")
    row.get_by_test_id("stBaseButton-tertiary").filter(has_text=icon).first.click()
    settle(page)


def add(page: Page, axis: str, value: str) -> None:
    card = only(page, f".st-key-axis-{axis}")
    pick(
        page, card.get_by_role("combobox").last, page.get_by_role("option", name=re.compile(f"^{value}(:|$)"))
    )
    card.get_by_role("button", name="Add", exact=True).click()
    expect(card.get_by_text(value, exact=True).first).to_be_visible()
    settle(page)


def pick(page: Page, box: Locator, option: Locator) -> None:
    """Open a list and choose from it; a list that a rerun closes is opened again."""
    for _ in range(3):
        box.click()
        try:
            expect(option).to_be_visible(timeout=5_000)
            break
        except AssertionError:
            page.keyboard.press("Escape")
            settle(page)
    option.click()
    settle(page)


def number(page: Page, label: str, value: str) -> None:
    box = page.get_by_role("spinbutton", name=label)
    box.fill(value)
    box.press("Enter")
    settle(page)
