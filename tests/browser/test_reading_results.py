"""The published page's sweep by clicks: files uploaded, its grid chosen, its numbers read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from evalcore.evalset.files import write_questions
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from tests.browser.gridclicks import add, click_in, number, pick
from tests.browser.support import Server, expect_to_say, go_on, only, settle, visit
from tests.page import published

Fresh = Callable[[], Server]
BEST, SMALL = "recursive:512 · dense · no reranker", "recursive:16 · dense · no reranker"


def page_files(shared: Path, folder: Path) -> tuple[list[Path], Path]:
    """Write the page's documents and questions as files."""
    given = published(shared)
    documents = []
    for name, content in given.documents.items():
        documents.append(folder / name)
        documents[-1].write_text(content, encoding="utf-8")
    items = [
        EvalItem(i, question, [GoldAnchor(None, quote)], tags=[kind])
        for i, question, _, quote, kind in given.questions
    ]
    questions = folder / "questions.yaml"
    questions.write_bytes(write_questions(EvalSet("support-kb", tuple(items)), "yaml"))
    return documents, questions


def choose_the_grid(page: Page) -> None:
    """From the preset of two sizes by words to the page's grid."""
    page.get_by_role("button", name="Quick look").click()
    expect_to_say(page, "axis-chunker", re.compile("recursive:.?128"))
    settle(page)
    add(page, "parser", "markdown")
    click_in(page, "parser-0", "close")
    click_in(page, "index-0", "close")
    add(page, "index", "bm25")
    add(page, "reranker", "lexical")
    only(page, "[class*='st-key-axes-'][class*='-chunker-1 ']").get_by_role("button", name="Edit").click()
    number(page, "Chunk size", "16")
    page.keyboard.press("Escape")
    expect_to_say(page, "axis-chunker", re.compile("recursive:.?16"))
    number(page, "Chunks per question (k)", "10")
    expect_to_say(page, "grid-count", re.compile("Configurations.*8", re.DOTALL))


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    settle(page)


def choose(page: Page, label: str, value: str) -> None:
    box = page.get_by_role("combobox", name=re.compile(f"{label}$"))
    pick(page, box, page.get_by_role("option", name=value, exact=True))


def figure(page: Page, label: str) -> str:
    """Return the value of a figure by its label."""
    views = only(page, ".st-key-views")
    found = views.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True)).last
    return found.get_by_test_id("stMetricValue").inner_text().strip()


def test_the_pages_numbers_are_read_from_the_screen(
    page: Page, fresh_server: Fresh, shared: Path, tmp_path: Path
) -> None:
    documents, questions = page_files(shared, tmp_path)
    visit(page, fresh_server())
    go_on(page, "Start a project", "Corpus")
    settle(page)
    only(page, ".st-key-corpus-upload input[type=file]").set_input_files([str(path) for path in documents])
    expect(page.get_by_text("8 given = 8 read + 0 refused")).to_be_visible(timeout=60_000)
    go_on(page, "Add questions", "Questions")
    settle(page)
    only(page, ".st-key-questions-upload input[type=file]").set_input_files(str(questions))
    expect(page.get_by_text("13 of 13 questions")).to_be_visible()
    go_on(page, "Choose the grid", "Grid")
    settle(page)
    choose_the_grid(page)
    go_on(page, "Start the run", "Run")
    expect_to_say(page, "run-head", "Finished", 120_000)
    go_on(page, "See the results", "Results")

    expect_to_say(page, "views-summary", "scored best on recall@5 at 1.000, across 8 configurations")
    expect_to_say(page, "views-summary", "scored on 13 questions")
    expect_to_say(page, "views-summary", "identically on every single question")

    open_tab(page, "Compare")
    choose(page, "Left", BEST)
    choose(page, "Right", SMALL)
    assert [figure(page, label) for label in ("Gap", "95 % interval", "p", "Wins / losses / ties")] == [
        "+0.192",
        "+0.000 to +0.423",
        "0.2499",
        "3 / 0 / 10",
    ]
    expect(page.get_by_text(re.compile("roughly 110 questions"))).to_be_visible()
    for question in ("+0.50 · q6", "+1.00 · q8", "+1.00 · q9"):
        expect(page.get_by_role("link", name=re.compile(re.escape(question)))).to_be_visible()

    open_tab(page, "Quality")
    assert [figure(page, label) for label in ("Composite", "Parse", "Chunk", "Embed", "Retrieval")] == [
        "87.5",
        "1.000",
        "1.000",
        "0.643",
        "0.986",
    ]

    open_tab(page, "What mattered")
    expect_alt(page, "recursive:512 1.00 over 4; recursive:16 0.77 over 4")
    open_tab(page, "Ranking")
    expect_alt(page, f"{SMALL} 0.81 [0.58–1.00]")
    expect_alt(page, "recursive:16 · dense · lexical 0.73 [0.50–0.92]")

    open_tab(page, "Compare")
    page.get_by_role("link", name=re.compile("q6")).click()
    expect(page.get_by_role("heading", level=1, name="Questions")).to_be_visible()
    expect(page.get_by_text("13 of 13 questions")).to_be_visible()
    expect_to_say(page, "one-question", "q6")
    assert "question=q6" in page.url


def expect_alt(page: Page, words: str) -> None:
    """Wait for a chart whose description holds these words."""
    expect(page.locator(f"[aria-label*='{words}']").first).to_be_visible(timeout=30_000)
