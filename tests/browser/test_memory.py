"""The dashboard's own process stays small: what embeds texts is loaded by the worker alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.support import Server, settle, visit

Fresh = Callable[[], Server]
PAGES = ("home", "corpus", "questions", "grid", "run", "results", "report")
LIMIT = 350_000_000
ONLY_THE_WORKER = {"torch", "transformers", "tokenizers", "sentence_transformers", "safetensors", "sklearn"}


def test_the_example_on_every_page_stays_below_350_mb_and_loads_no_model_library(
    page: Page, fresh_server: Fresh
) -> None:
    server = fresh_server()
    visit(page, server)
    page.get_by_role("button", name="Load the example").click()
    expect(page.locator(".st-key-verdict-chunking")).to_be_visible()
    settle(page)
    held = {"example": server.memory()}
    for name in PAGES:
        visit(page, server, name)
        held[name] = server.memory()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download report.json").click()
    download.value.path()
    held["report.json"] = server.memory()
    assert max(held.values()) < LIMIT, held
    assert not server.packages() & ONLY_THE_WORKER
