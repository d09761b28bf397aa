"""Question sets: kept exactly, checked against the corpus, every save can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.workspace import Workspace

ITEM = EvalItem(
    "q1",
    "What is between $5 and \ud800?",
    [
        (GoldAnchor("a", "five", 1, 3), GoldAnchor(None, "fünf")),
        GoldAnchor("b", "six"),
    ],
    qtype="price",
    tags=("money", "hard"),
    answer="=5",
    reviewed=False,
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "home")


@pytest.fixture
def project(workspace: Workspace) -> str:
    return workspace.create_project("Questions").id


def one(quote: str, question_id: str = "q") -> EvalSet:
    return EvalSet("set.yaml", (EvalItem(question_id, "Which?", [GoldAnchor(None, quote)]),))


def test_a_question_set_comes_back_equal(workspace: Workspace, project: str) -> None:
    evalset = EvalSet("set.yaml", (ITEM, EvalItem("q2", "", (), answer="")))
    workspace.save_questions(project, evalset)
    assert Workspace(workspace.root).questions(project) == evalset


def test_every_save_can_be_undone(workspace: Workspace, project: str) -> None:
    for name in ("one", "two", "three"):
        workspace.save_questions(project, one(name))
    workspace.save_questions(project, one("three"))
    assert workspace.undo_questions(project)
    assert workspace.questions(project) == one("two")
    assert workspace.undo_questions(project)
    assert workspace.questions(project) == one("one")
    assert not workspace.undo_questions(project)
    workspace.save_questions(project, one("four"))
    assert workspace.undo_questions(project)
    assert workspace.questions(project) == one("one")


def test_problems_follow_the_corpus(workspace: Workspace, project: str) -> None:
    workspace.save_questions(project, one("The valve is open."))
    row = workspace.questions_row(project)
    assert row is not None
    assert (row.name, row.count, row.scored, row.errors) == ("set.yaml", 1, 1, 1)
    workspace.add_files(project, [("a.md", b"The valve is open.")])
    assert [p.kind for p in workspace.problems(project) if p.severity == "error"] == []
    row = workspace.questions_row(project)
    assert row is not None
    assert (row.errors, row.warnings) == (0, len(workspace.problems(project)))


def test_equal_inputs_are_checked_once(
    workspace: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.add_files(project, [("a.md", b"The valve is open.")])
    workspace.save_questions(project, one("The pump is on.", "q1"))
    before = workspace.problems(project)
    assert any(problem.severity == "error" for problem in before)
    monkeypatch.delattr("evalcore.workspace.questions.check")
    assert Workspace(workspace.root).problems(project) == before


def test_no_questions_have_no_problems(workspace: Workspace, project: str) -> None:
    assert workspace.problems(project) == []
    assert workspace.questions_row(project) is None
    assert not workspace.undo_questions(project)
