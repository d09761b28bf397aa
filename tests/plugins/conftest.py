from __future__ import annotations

import pytest

from tests.plugins.support import forget_plugins


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin with our own methods only."""
    forget_plugins(monkeypatch)
