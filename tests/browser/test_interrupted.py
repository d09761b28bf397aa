"""A run outlives its page and its server, and comes back after its worker was killed."""

from __future__ import annotations

import re
from collections.abc import Callable

import psutil
from playwright.sync_api import Page, expect

from evalcore.report.stored import load_summary
from evalcore.workspace import RunStatus, Workspace
from tests.acceptance.small import files, questions, settings
from tests.browser.support import Server, expect_to_say, settle, visit

Fresh = Callable[[], Server]
WHOLE_RUN = 240_000


def begin(page: Page, server: Server) -> tuple[Workspace, str]:
    """Prepare a project on disk, start its run by a click, and wait until texts are embedded."""
    workspace = Workspace(server.home)
    project = workspace.create_project("Small").id
    workspace.add_files(project, files())
    workspace.save_questions(project, questions(workspace.corpus(project)))
    workspace.save_settings(project, settings(256, 128))
    visit(page, server, "grid", project=project)
    page.get_by_role("button", name="Start the run").click()
    expect_to_say(page, "run-stages", re.compile(r"[1-9][\d,]* of [\d,]+ texts"), 120_000)
    return workspace, project


def has_loaded(server: Server, library: str) -> bool:
    assert server.process is not None
    return any(library in region.path for region in psutil.Process(server.process.pid).memory_maps())


def only_run(workspace: Workspace, project: str) -> str:
    (state,) = workspace.runs(project)
    return state.id


def test_a_restarted_server_shows_the_run_going_on(page: Page, fresh_server: Fresh) -> None:
    server = fresh_server()
    workspace, project = begin(page, server)
    server.restart()
    page.reload()
    settle(page)
    expect_to_say(page, "run-head", "Finished", WHOLE_RUN)
    report = load_summary(workspace, only_run(workspace, project))
    assert report.complete
    assert len(report.strategy_results) == 15
    assert not has_loaded(server, "libtorch"), "the dashboard's own process stays small"


def test_a_killed_worker_is_said_and_resume_finishes(page: Page, fresh_server: Fresh) -> None:
    server = fresh_server()
    workspace, project = begin(page, server)
    for worker in server.workers():
        worker.kill()
    expect_to_say(page, "run-head", "Interrupted", 20_000)
    assert workspace.runs(project)[0].status is RunStatus.INTERRUPTED
    page.get_by_role("button", name="Resume").click()
    expect_to_say(page, "run-head", "Finished", WHOLE_RUN)
    page.get_by_role("button", name="See the results").click()
    expect(page.locator(".st-key-verdict-chunking")).to_be_visible()
