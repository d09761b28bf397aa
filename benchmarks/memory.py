"""Measure the dashboard's memory with the example shown: `.venv/bin/python benchmarks/memory.py`.

Ends with code 1 when the server held more than the limit at a step, or loaded what only the worker may load.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, Page, expect, sync_playwright

from dev import find_chromium
from tests.browser.support import Server, settle, visit

LIMIT = 350_000_000
PAGES = ("home", "corpus", "questions", "grid", "run", "results", "report")
ROUNDS = 3
TABS = 4
WORKERS_OWN = ("torch", "transformers", "tokenizers", "sentence_transformers", "sklearn", "onnxruntime")


@dataclass
class Meter:
    """Prints a server's resident memory at each step and keeps the highest."""

    server: Server
    highest: int = 0
    last: int = field(default=0, init=False)

    def note(self, step: str) -> None:
        self.last, before = self.server.memory(), self.last
        self.highest = max(self.highest, self.last)
        print(f"{step:<34} {self.last / 1e6:7.1f} MB {(self.last - before) / 1e6:+8.1f}", flush=True)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "home", Path(folder) / "server.log").start()
        try:
            with chromium() as browser:
                meter = Meter(server)
                look_around(browser, meter)
                return judge(meter)
        finally:
            server.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


def look_around(browser: Browser, meter: Meter) -> None:
    meter.note("server started")
    page = browser.new_page()
    visit(page, meter.server)
    meter.note("home, nothing there yet")
    page.get_by_role("button", name="Load the example").click()
    expect(page.locator(".st-key-verdict-chunking")).to_be_visible(timeout=30_000)
    settle(page)
    meter.note("example loaded, results shown")
    for number in range(1, ROUNDS + 1):
        for name in PAGES:
            visit(page, meter.server, name)
            meter.note(f"{name}, round {number}")
    visit(page, meter.server, "report")
    download(page)
    meter.note("report.json downloaded")
    visit(page, meter.server, "results")
    meter.note("results again")
    tabs = [browser.new_page() for _ in range(TABS)]
    for tab in tabs:
        visit(tab, meter.server, "results")
    meter.note(f"results in {TABS} more tabs")


def download(page: Page) -> None:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download report.json").click()
    waiting.value.path()


def judge(meter: Meter) -> int:
    packages = meter.server.packages()
    foreign = sorted(packages.intersection(WORKERS_OWN))
    print(f"\nhighest {meter.highest / 1e6:.1f} MB, limit {LIMIT / 1e6:.0f} MB")
    print(f"packages with machine code: {', '.join(sorted(packages)) or 'not known here'}")
    if foreign:
        print(f"the server loaded what only the worker may: {', '.join(foreign)}")
    return int(meter.highest > LIMIT or bool(foreign))


if __name__ == "__main__":
    sys.exit(main())
