"""A dashboard server under test, and what a browser test does with a page of it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psutil
from playwright.sync_api import BrowserContext, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
LOCAL_SCHEMES = {"data", "blob", "about", "chrome-error"}
FORBIDDEN_IN_LOG = ("traceback", "deprecat")
LOOKS_AT_REST = 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """A Streamlit server with a workspace of its own; `restart` keeps workspace and port."""

    home: Path
    log: Path
    app: Path = ROOT / "app.py"
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> Server:
        """Start and wait until the server says that it is healthy."""
        command = [sys.executable, "-m", "streamlit", "run", str(self.app), "--server.headless", "true"]
        command += ["--server.port", str(self.port), "--server.fileWatcherType", "none"]
        environment = {**os.environ, "EVALGRID_HOME": str(self.home)}
        with self.log.open("ab") as log:  # a pipe that nobody reads would fill up and block the server
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self._wait_until_healthy()
        return self

    def stop(self) -> None:
        """Stop the server alone; a worker that it started goes on."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def restart(self) -> Server:
        self.stop()
        return self.start()

    def workers(self) -> list[psutil.Process]:
        """Return the processes of this workspace other than the server, recognised by their EVALGRID_HOME."""
        own = {os.getpid(), self.process.pid if self.process else 0}
        return [p for p in psutil.process_iter() if p.pid not in own and home_of(p) == str(self.home)]

    def memory(self) -> int:
        """Return the server's resident memory in bytes."""
        if self.process is None:
            raise AssertionError("the server is not running")
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def packages(self) -> set[str]:
        """Return the packages whose libraries the server has loaded; none where the system does not tell."""
        if self.process is None:
            raise AssertionError("the server is not running")
        process = psutil.Process(self.process.pid)
        maps = process.memory_maps() if hasattr(process, "memory_maps") else []
        parts = [Path(region.path).parts for region in maps]
        found = (path[path.index("site-packages") + 1] for path in parts if "site-packages" in path)
        return {name.removesuffix(".libs") for name in found}

    def close(self) -> None:
        """Stop the server and its workers, then fail when the log holds an error or a deprecation."""
        self.stop()
        for worker in self.workers():
            worker.kill()
        check_log(self.log)

    def _wait_until_healthy(self, timeout: float = 60) -> None:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                break
            if self._is_healthy():
                return
            time.sleep(0.05)
        raise AssertionError(f"the server did not start:\n{self.log.read_text(errors='replace')}")

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                return bool(answer.read() == b"ok")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


def expect_to_say(page: Page, key: str, text: str | re.Pattern[str], timeout: float = 30_000) -> None:
    """Wait until the part of the page with this key says `text`, and stands there once.

    For a moment of a rerun the old and the new drawing of a part stand side by side.
    """
    part = page.locator(f".st-key-{key}")
    expect(part.filter(has_text=text).first).to_be_visible(timeout=timeout)
    expect(part).to_have_count(1, timeout=30_000)


def go_on(page: Page, button: str, heading: str) -> None:
    """Click the button that leads to the page with this heading.

    A click that meets a page still being drawn can be dropped, as a person's can: then it is clicked again.
    """
    settle(page)
    there = page.get_by_role("heading", level=1, name=heading, exact=True)
    page.get_by_role("button", name=button).click()
    try:
        expect(there).to_be_visible(timeout=20_000)
    except AssertionError:
        page.get_by_role("button", name=button).click()
        expect(there).to_be_visible(timeout=60_000)


def home_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get("EVALGRID_HOME")
    except psutil.Error:
        return None


def check_log(log: Path) -> None:
    bad = [line for line in log.read_text(errors="replace").splitlines() if is_bad(line)]
    assert not bad, f"the server's log has {bad[0]!r}:\n{log.read_text(errors='replace')[-4000:]}"


def is_bad(line: str) -> bool:
    return any(word in line.casefold() for word in FORBIDDEN_IN_LOG)


@dataclass
class Watch:
    """What went wrong in any page of a context: script errors and requests to another machine."""

    context: BrowserContext
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.on("weberror", lambda error: self.problems.append(f"script error: {error.error}"))
        self.context.on("request", lambda request: self._see(request.url))

    def _see(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in LOCAL_SCHEMES and parts.hostname not in LOOPBACK:
            self.problems.append(f"request to another machine: {url}")

    def verify(self) -> None:
        """Fail on anything seen, and on an exception that a page shows now."""
        assert not self.problems, "\n".join(self.problems)
        for page in self.context.pages:
            assert_no_exception(page)


def visit(page: Page, server: Server, path: str = "", **query: str) -> None:
    """Open an address of the dashboard (`results`, with `run="r1"` as ?run=r1) and wait for it to settle."""
    page.goto(f"{server.url}/{path}" + (f"?{urlencode(query)}" if query else ""))
    settle(page)


def only(page: Page, selector: str) -> Locator:
    """Return what this selector finds once it finds one: a rerun shows the old and the new for a moment."""
    found = page.locator(selector)
    expect(found).to_have_count(1, timeout=30_000)
    return found


def settle(page: Page, timeout: float = 30_000) -> None:
    """Wait until the page is connected and its script is at rest; fail when it shows an exception.

    The next rerun may not have begun yet: always finish with `expect` on the result.
    """
    app = "[data-testid=stApp]"
    connected = page.locator(f"{app}[data-test-connection-state=CONNECTED]")
    connected.wait_for(state="attached", timeout=timeout)
    at_rest = page.locator(f"{app}[data-test-script-state=notRunning]")
    looks = 0
    deadline = time.monotonic() + timeout / 1000
    while looks < LOOKS_AT_REST and time.monotonic() < deadline:
        at_rest.wait_for(state="attached", timeout=timeout)
        page.wait_for_timeout(100)
        looks = looks + 1 if at_rest.count() and not page.locator("[data-stale=true]").count() else 0
    assert_no_exception(page)


def assert_no_exception(page: Page) -> None:
    shown = page.get_by_test_id("stException").all_inner_texts()
    assert not shown, f"{page.url} shows an exception:\n{shown[0]}"


def screenshot(page: Page, path: Path) -> None:
    """Save the whole page, not only the part in view, which is all that `full_page` gives."""
    size = page.viewport_size
    height = int(page.get_by_test_id("stMain").evaluate("e => e.scrollHeight")) + 20
    page.set_viewport_size({"width": size["width"] if size else 1280, "height": height})
    page.get_by_test_id("stMain").evaluate("e => e.scrollTo(0, 0)")
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.screenshot(path=path)
    if size:
        page.set_viewport_size(size)
