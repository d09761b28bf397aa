"""What every test gets: a workspace of its own, UTC, bounded property tests, and ../shared if it is there."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
BROWSER_TESTS = ROOT / "tests" / "browser"
left_out = pytest.StashKey[int]()

os.environ["TZ"] = "UTC"
if hasattr(time, "tzset"):
    time.tzset()

settings.register_profile("local", deadline=None, max_examples=60)
settings.register_profile(
    "ci", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def workspace_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name an empty folder as the workspace, so that no test touches the user's own."""
    home = tmp_path / "evalgrid-home"
    monkeypatch.setenv("EVALGRID_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of specs, data and expected reports; only for tests marked `shared`."""
    return SHARED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("shared")
        if BROWSER_TESTS in item.path.parents:
            item.add_marker("browser")
    # Browser tests last: the quick ones fail first, and Playwright keeps an event loop in this thread.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    if not SHARED.is_dir():
        leave_out_shared(config, items)


def leave_out_shared(config: pytest.Config, items: list[pytest.Item]) -> None:
    gone = [item for item in items if item.get_closest_marker("shared")]
    items[:] = [item for item in items if item not in set(gone)]
    config.stash[left_out] = len(gone)
    config.hook.pytest_deselected(items=gone)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(left_out, 0):
        terminalreporter.write_line(f"../shared not found: {count} tests that read it are left out")
    if failed := os.environ.get("EVALGRID_FAILED_STEPS"):
        terminalreporter.write_line(f"failed before the tests: {failed}", red=True)
