"""Fixtures of the browser tests: servers, Chromium, and a watch over every page that is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from dev import find_chromium
from tests.browser.support import Server, Watch

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def base_url() -> None:
    """Stand in for the plugin's fixture, which warns under pytest 9; tests name their server with `visit`."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = find_chromium()
    if chromium is None:
        pytest.fail("no Chromium found; `python3 dev.py test` installs it or says what to do", pytrace=False)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = ["--no-sandbox"] if root else []
    return {**browser_type_launch_args, "executable_path": str(chromium), "args": arguments}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    size = {"width": 1280, "height": 900}
    return {**browser_context_args, "viewport": size, "locale": "en-US", "timezone_id": "UTC"}


@pytest.fixture
def new_context(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., BrowserContext]]:
    """Make contexts as Playwright's fixture does; each is watched, and `page` comes from one of them."""
    watches: list[Watch] = []

    def make(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(30_000)
        watches.append(Watch(context))
        return context

    yield make
    for watch in watches:
        watch.verify()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the server that the tests of a session share; for one of its own a test takes `fresh_server`."""
    folder = tmp_path_factory.mktemp("server")
    running = Server(folder / "home", folder / "server.log").start()
    yield running
    running.close()


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Return a function that starts a server with an empty workspace; `restart()` keeps home and port."""
    started: list[Server] = []

    def start() -> Server:
        folder = tmp_path / f"server-{len(started)}"
        folder.mkdir()
        started.append(Server(folder / "home", folder / "server.log"))
        return started[-1].start()

    yield start
    for running in started:
        running.close()
