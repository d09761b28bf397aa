"""Files of a project: kept as bytes, read once, replaced and restored."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.corpus.loading import LoadResult, read_files
from evalcore.errors import WorkspaceError
from evalcore.workspace import Workspace
from evalcore.workspace.corpora import Corpora

GUIDE = b"# Guide\n\nOpen the valve.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "home")


@pytest.fixture
def project(workspace: Workspace) -> str:
    return workspace.create_project("Documents").id


def test_a_file_is_read_and_described(workspace: Workspace, project: str) -> None:
    (row,) = workspace.add_files(project, [("guide.md", GUIDE)])
    assert (row.name, row.doc_id, row.kind, row.status, row.message) == (
        "guide.md",
        "guide",
        "Markdown",
        "read",
        "",
    )
    assert (row.size, row.characters, row.headings, row.tables, row.pages) == (56, 56, 1, 1, None)
    assert row.tokens > 5
    assert workspace.files(project) == [row]


def test_the_corpus_equals_reading_the_files_directly(workspace: Workspace, project: str) -> None:
    files = [("b/notes.txt", b"Second."), ("a/guide.md", GUIDE), ("a/notes.txt", b"First.")]
    workspace.add_files(project, files)
    assert workspace.corpus(project) == read_files(files).corpus
    assert [d.id for d in workspace.corpus(project)] == ["guide", "a/notes.txt", "b/notes.txt"]
    assert [row.doc_id for row in workspace.files(project)] == ["guide", "a/notes.txt", "b/notes.txt"]


def test_given_is_read_plus_refused(workspace: Workspace, project: str) -> None:
    files = [("a.md", b"Text."), ("b.exe", b"MZ"), ("c.pdf", b"%PDF-1.4 broken"), ("d.txt", b"More.")]
    rows = workspace.add_files(project, files)
    assert [(row.name, row.status) for row in rows] == [
        ("a.md", "read"),
        ("b.exe", "refused"),
        ("c.pdf", "refused"),
        ("d.txt", "read"),
    ]
    assert [row.doc_id for row in rows] == ["a", None, None, "d"]
    assert [row.kind for row in rows] == ["Markdown", "Other", "PDF", "Text"]
    assert all(row.message and "\n" not in row.message for row in rows if row.status == "refused")
    assert len(workspace.corpus(project)) == 2


def test_the_same_file_again_changes_nothing_and_is_not_read_again(
    workspace: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = workspace.add_files(project, [("guide.md", GUIDE)])
    read: list[tuple[str, bytes]] = []

    def note(files: list[tuple[str, bytes]], **_: object) -> LoadResult:
        read.extend(files)
        return LoadResult((), ())

    monkeypatch.setattr("evalcore.workspace.corpora.read_files", note)
    assert workspace.add_files(project, [("guide.md", GUIDE)]) == before
    other = workspace.create_project("Other").id
    assert workspace.add_files(other, [("guide.md", GUIDE)]) == before
    assert read == []


def test_other_content_replaces_and_can_be_taken_back(workspace: Workspace, project: str) -> None:
    workspace.add_files(project, [("guide.md", GUIDE)])
    workspace.add_files(project, [("guide.md", b"Nothing.")])
    assert [d.text for d in workspace.corpus(project)] == ["Nothing."]
    workspace.restore_files(project, ["guide.md"])
    assert [d.text for d in workspace.corpus(project)] == [GUIDE.decode()]


def test_removed_files_come_back(workspace: Workspace, project: str) -> None:
    rows = workspace.add_files(project, [("a.md", b"A."), ("b.md", b"B.")])
    workspace.remove_files(project, ["a.md", "none.md"])
    assert workspace.files(project) == rows[1:]
    assert workspace.document(project, "a.md") is None
    workspace.restore_files(project, ["a.md", "none.md"])
    assert workspace.files(project) == rows


def test_two_different_files_of_one_name_in_one_upload_are_both_kept(
    workspace: Workspace, project: str
) -> None:
    files = [("x/../msa.md", b"One."), ("msa.md", b"Two."), ("x/msa.md", b"Three.")]
    rows = workspace.add_files(project, files)
    assert sorted(d.text for d in workspace.corpus(project)) == ["One.", "Three.", "Two."]
    assert len({row.doc_id for row in rows}) == 3
    assert workspace.add_files(project, files) == rows


@pytest.mark.parametrize("name", ["../../evil.txt", "/etc/evil.txt", "..\\evil.txt", "evil\x00\ud800\n.txt"])
def test_a_name_is_a_label_and_never_a_path(workspace: Workspace, project: str, name: str) -> None:
    (row,) = workspace.add_files(project, [(name, b"Harmless.")])
    document = workspace.document(project, row.name)
    assert document is not None
    assert document.text == "Harmless."
    assert workspace.document(project, name) == document
    assert list(workspace.root.parent.rglob("*evil*")) == []
    assert workspace.file_bytes(project, row.name) == b"Harmless."


def test_progress_counts_every_file_once(workspace: Workspace, project: str) -> None:
    files = [(f"{n:02}.txt", f"Text {n}.".encode()) for n in range(20)]
    workspace.add_files(project, files[:3])
    seen: list[tuple[int, int]] = []
    workspace.add_files(project, files, lambda done, total, _: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (20, 20)
    assert {total for _, total in seen} == {20}
    assert len(workspace.files(project)) == 20


def test_warnings_of_the_reader_are_shown(workspace: Workspace, project: str) -> None:
    (row,) = workspace.add_files(project, [("empty.txt", b"")])
    assert row.status == "warned"
    assert row.message == "\n".join(workspace.corpus(project).documents[0].warnings) != ""


def test_a_text_lost_from_disk_is_named_and_read_again_on_upload(workspace: Workspace, project: str) -> None:
    workspace.add_files(project, [("guide.md", GUIDE)])
    (text,) = (workspace.root / "texts").rglob("*.json")
    text.write_bytes(b"{}")
    with pytest.raises(WorkspaceError, match="the text of 'guide', is damaged; upload its file again"):
        workspace.corpus(project)
    workspace.remove_files(project, ["guide.md"])
    workspace.add_files(project, [("guide.md", GUIDE)])
    assert workspace.corpus(project).documents[0].text == GUIDE.decode()


def test_nothing_of_a_corpus_stays_in_memory(workspace: Workspace, project: str) -> None:
    workspace.add_files(project, [("guide.md", GUIDE)])
    assert workspace.corpus(project).documents[0] is not workspace.corpus(project).documents[0]
    assert issubclass(Workspace, Corpora)
