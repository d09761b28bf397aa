"""Makes docs/images/views: `python docs/screenshots.py FOLDER`, with docs/ and questions.yaml in it.

The grid is 2 chunkers × 3 indexes × 2 rerankers, put together and started by clicks on the Grid page.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evalcore.evalset.files import read_questions  # noqa: E402 - found once the path is set
from evalcore.workspace import Workspace  # noqa: E402
from tests.browser.gridclicks import add, number  # noqa: E402
from tests.browser.support import Server, expect_to_say, settle, visit  # noqa: E402
from ui.views import VIEWS  # noqa: E402

TARGET = ROOT / "docs" / "images" / "views"
CHROMIUM = "/usr/bin/chromium"
CONFIGURATIONS = 12


def prepare(home: Path, data: Path) -> str:
    """Put the documents and the questions into a workspace; returns the project."""
    workspace = Workspace(home)
    project = workspace.create_project(data.name).id
    workspace.add_files(
        project, [(path.name, path.read_bytes()) for path in sorted((data / "docs").iterdir())]
    )
    workspace.save_questions(
        project, read_questions("questions.yaml", (data / "questions.yaml").read_bytes())
    )
    return project


def choose_the_grid(page: Page) -> None:
    """From the preset of two sizes and two indexes to three indexes, each with and without a reranker."""
    page.get_by_role("button", name="Quick look").click()
    expect_to_say(page, "axis-chunker", re.compile("recursive:.?128"))
    settle(page)
    add(page, "index", "hybrid")
    add(page, "reranker", "lexical")
    number(page, "Chunks per question (k)", "10")
    expect_to_say(page, "grid-count", re.compile(f"Configurations.*{CONFIGURATIONS}", re.DOTALL))


def run(page: Page, server: Server, project: str) -> str:
    """Choose the grid, start the run and wait for its results; returns their address."""
    visit(page, server, "grid", project=project)
    choose_the_grid(page)
    page.get_by_role("button", name="Start the run").click()
    done = page.get_by_role("button", name="See the results")
    expect(done).to_be_visible(timeout=600_000)
    settle(page)
    done.click()
    expect(page.locator(".st-key-views")).to_be_visible(timeout=60_000)
    settle(page)
    return page.url


def shoot(browser: Browser, address: str, scheme: str) -> None:
    """Save a picture of each view."""
    dark = scheme == "dark"
    context = browser.new_context(
        viewport={"width": 1280, "height": 2600}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.goto(address)
    settle(page)
    for view in VIEWS:
        page.get_by_role("tab", name=view, exact=True).click()
        settle(page)
        page.wait_for_timeout(1_000)
        name = view.lower().replace(" ", "-")
        page.locator(".st-key-views").screenshot(path=TARGET / f"{name}-{scheme}.png")
    context.close()


def main() -> None:
    """Run the grid on the folder that the command line names and save every picture."""
    data = Path(sys.argv[1])
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        project = prepare(home, data)
        server = Server(home, home / "server.log").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            address = run(browser.new_page(), server, project)
            for scheme in ("light", "dark"):
                shoot(browser, address, scheme)
        finally:
            browser.close()
            server.close()


if __name__ == "__main__":
    main()
