"""Every page: the frame around it, its empty state, and addresses that lead nowhere."""

from __future__ import annotations

import pytest

from evalcore.workspace import RunStatus
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import Staged, cells, run

PAGES = ("home", "corpus", "questions", "grid", "run", "results", "report")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_without_a_project_says_what_to_do_next(name: str, workspace: Staged, open_page: Open) -> None:
    app = open_page(name)
    assert [b for b in app.main.button if b.proto.type == "primary"], "no primary action"
    assert len([b for b in app.main.button if b.proto.type == "primary"]) == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_an_empty_project_has_at_most_one_primary_action(
    name: str, project: str, open_page: Open
) -> None:
    app = open_page(name, project=project)
    assert app.title, "no title"
    assert len([b for b in app.main.button if b.proto.type == "primary"]) <= 1


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    "junk", ["nothing-here", "../../etc/passwd", "<script>", "'; DROP TABLE runs", "\x00"]
)
def test_a_link_to_something_that_is_not_here_is_answered_and_does_not_crash(
    name: str, junk: str, project: str, open_page: Open
) -> None:
    app = open_page(name, project=junk, run=junk)
    assert app.title


def test_a_link_to_an_unknown_run_says_so(project: str, open_page: Open) -> None:
    app = open_page("run", project=project, run="gone")
    assert "names a run that is not in this workspace" in said(app)


@pytest.mark.parametrize("name", PAGES)
def test_the_sidebar_tells_the_five_steps_with_their_state(name: str, filled: str, open_page: Open) -> None:
    labels = [link.proto.label for link in open_page(name, project=filled).sidebar.get("page_link")]
    steps = " | ".join(labels)
    for words in ("Corpus", "1 document", "Questions", "2 questions", "5 configurations", "Not started"):
        assert words in steps
    assert "**Run**" in steps, "the step to do next stands out"


def test_links_of_the_sidebar_carry_the_project(filled: str, open_page: Open) -> None:
    links = open_page("corpus", project=filled).sidebar.get("page_link")
    assert all(f"project={filled}" in link.proto.query_string for link in links)


def test_a_run_stays_in_the_address_between_run_results_and_report(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    workspace.stage(run(filled, RunStatus.FAILED, grid=cells(0)))
    links = open_page("run", project=filled, run="run1").sidebar.get("page_link")
    with_run = {link.proto.page for link in links if "run=run1" in link.proto.query_string}
    assert with_run == {"run", "results", "report"}


def test_choosing_another_project_in_the_sidebar_shows_it(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    other = workspace.create_project("Other").id
    app = open_page("home", project=filled)
    app = checked(app.sidebar.selectbox[0].set_value(other).run())
    assert app.title[0].value == "Other"


def test_a_removed_project_can_be_brought_back(workspace: Staged, filled: str, open_page: Open) -> None:
    other = workspace.create_project("Other").id
    app = open_page("home", project=filled)
    app = checked(app.sidebar.checkbox[0].check().run())
    app = checked(app.get_by_key("sidebar.remove").click().run())
    assert [p.id for p in workspace.projects()] == [other]
    undo = next(b for b in app.sidebar.button if "Undo" in b.label)
    checked(undo.click().run())
    assert {p.id for p in workspace.projects()} == {other, filled}
