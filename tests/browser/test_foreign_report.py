"""A report.json that another program of the format wrote opens on the Home page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.acceptance.small import DOCUMENTS, write
from tests.browser.support import Server, visit
from tests.conformance.oracle import Oracle, load


def test_the_published_programs_report_is_shown(
    page: Page, fresh_server: Callable[[], Server], tmp_path: Path
) -> None:
    oracle = Oracle(tmp_path / "oracle")
    documents, questions, _ = write(tmp_path / "inputs", DOCUMENTS[:4], 256)
    done = oracle.run(
        "run", "--docs", documents, "--questions", questions, "--skip-validation", "--compare-retrievers",
        "--config", oracle.config(ranking_metric="recall_at_k"), "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    theirs = tmp_path / "out" / "report.json"

    visit(page, fresh_server())
    page.locator(".st-key-open-report input[type=file]").set_input_files(str(theirs))
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    card = page.locator(".st-key-verdict-chunking")
    expect(card).to_contain_text(load(theirs)["verdict"]["chunking"]["leader"])
    expect(card).to_contain_text(f"{load(theirs)['corpus_summary']['num_scored_questions']} scored questions")
    expect(page.locator(".st-key-verdict-retrieval")).to_be_visible()
