"""Addresses: any page may be the first one a server ever sees; names and texts of users are never markup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from evalcore.workspace import Workspace
from tests.browser.support import Server, settle, visit
from tests.pages.staged import TEXT, questions

Fresh = Callable[[], Server]
PAGES = ("home", "corpus", "questions", "grid", "run", "results", "report")
BAD = "$x^2$ :smile: <img src=x onerror=alert(1)> **bold** [link](http://example.org)"


@dataclass(frozen=True)
class Seen:
    title: str
    heading: str
    sidebar: str
    address: str


def look(page: Page) -> Seen:
    settle(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    sidebar = page.locator(".st-key-steps")
    for step in ("Home", "Corpus", "Questions", "Grid", "Run", "Results", "Report"):
        expect(sidebar).to_contain_text(step)
    return Seen(
        page.title(), page.get_by_role("heading", level=1).inner_text(), sidebar.inner_text(), page.url
    )


def filled(server: Server) -> str:
    """Put a project with a document and questions into a server's workspace; returns its id."""
    workspace = Workspace(server.home)
    project = workspace.create_project("Policies").id
    workspace.add_files(project, [("policy.md", TEXT)])
    workspace.save_questions(project, questions())
    return project


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opened_first_on_a_fresh_server_is_the_page_reached_through_the_front(
    name: str, page: Page, fresh_server: Fresh
) -> None:
    server = fresh_server()
    project = filled(server)
    visit(page, server, name, project=project)
    first = look(page)
    visit(page, server)
    page.get_by_test_id("stSidebar").get_by_role("link", name=name.capitalize()).first.click()
    expect(page).to_have_title(first.title)
    through_front = look(page)
    assert first.title.startswith(name.capitalize())
    assert (first.title, first.heading, first.sidebar) == (
        through_front.title,
        through_front.heading,
        through_front.sidebar,
    )
    assert f"project={project}" in through_front.address
    page.reload()
    assert look(page) == through_front


def test_a_second_tab_shows_the_same_project(page: Page, server: Server, browser: Browser) -> None:
    project = filled(server)
    visit(page, server, "corpus", project=project)
    mine = look(page)
    other = browser.new_context().new_page()
    other.goto(page.url)
    assert look(other) == mine
    other.context.close()


@pytest.mark.parametrize(
    "path", ["results?run=nothing", "run?project=%00&run=..%2F..", "home?project=%3Cimg%3E"]
)
def test_a_broken_link_leads_to_a_page_and_not_to_an_error(path: str, page: Page, server: Server) -> None:
    visit(page, server, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_what_users_write_is_shown_as_text(page: Page, server: Server) -> None:
    workspace = Workspace(server.home)
    project = workspace.create_project(BAD).id
    workspace.add_files(project, [("bad.md", f"# {BAD}\n\n{BAD}\n".encode())])
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit(page, server, "home", project=project)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_be_visible()
    assert heading.inner_text().replace("\u2060", "") == BAD
    for place in ("home", "corpus", "questions", "grid"):
        visit(page, server, place, project=project)
        assert page.locator("img[src='x'], .katex, h1 strong, h1 a").count() == 0
    assert dialogs == []


@pytest.mark.parametrize("width", [800, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_its_window(width: int, scheme: str, server: Server, browser: Browser) -> None:
    project = filled(server)
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    for name in PAGES:
        visit(page, server, name, project=project)
        look(page)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, f"{name} scrolls sideways at {width}"
    context.close()
