"""What the pages get for the views: results at the workspace's price, and new ones when a run goes on."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evalcore.results.prices import ModelPrice, PriceList, save_prices
from evalcore.workspace import Workspace
from tests.run.helpers import state_of
from tests.run.test_engine_workspace import carry_out, started
from ui import reports


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Open a workspace that starts no worker."""
    monkeypatch.setattr("evalcore.workspace.runs.ensure_worker", lambda *_: None)
    return Workspace(tmp_path / "home")


def test_results_carry_the_price_that_the_workspace_keeps(queue: Workspace) -> None:
    run_id = started(queue)
    carry_out(queue)
    run = state_of(queue, run_id)
    tokens = reports.views(queue, run).runs[0].metric("tokens@5")
    assert tokens is not None
    assert reports.views(queue, run).runs[0].cost.context_usd_per_1k == pytest.approx(tokens * 0.4 / 1000)
    save_prices(queue.root, PriceList((ModelPrice("ours", 5.0, date(2026, 1, 2)),), "ours"))
    assert reports.views(queue, run).runs[0].cost.context_usd_per_1k == pytest.approx(tokens * 5 / 1000)
    save_prices(queue.root, PriceList((), None))
    assert reports.views(queue, run).runs[0].cost.context_usd_per_1k is None


def test_results_are_read_once_until_the_run_goes_on(
    queue: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = started(queue, 1e-9, index=["dense", "bm25"], mode="factorial")
    carry_out(queue)
    part = state_of(queue, run_id)
    assert len(reports.views(queue, part)) == 1
    with monkeypatch.context() as patch:
        patch.setattr("evalcore.results.stored.load_results", None)
        assert len(reports.views(queue, part)) == 1
    queue.resume_run(run_id)
    carry_out(queue)
    whole = reports.views(queue, state_of(queue, run_id))
    assert (len(whole), whole.complete) == (2, True)
