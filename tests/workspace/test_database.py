"""The workspace's database: made once, upgraded, refused when it is not ours."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from evalcore.errors import WorkspaceError
from evalcore.workspace import Workspace
from evalcore.workspace.database import Database, DatabaseBusyError


def test_the_default_folder_is_named_by_the_environment(workspace_home: Path) -> None:
    assert Workspace.default().root == workspace_home
    assert (workspace_home / "workspace.sqlite").exists()


def test_a_folder_of_a_newer_version_is_refused_in_one_line(tmp_path: Path) -> None:
    Workspace(tmp_path)
    with closing(sqlite3.connect(tmp_path / "workspace.sqlite")) as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(WorkspaceError, match="newer version of this program; update"):
        Workspace(tmp_path)


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "workspace.sqlite").write_bytes(b"something else entirely" * 100)
    with pytest.raises(WorkspaceError, match=r"cannot use .*workspace\.sqlite: file is not a database"):
        Workspace(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WorkspaceError, match=r"cannot create the folder .*file/home"):
        Workspace(tmp_path / "file" / "home")


def test_an_exception_takes_back_everything_written_with_it(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)

    def half() -> None:
        with workspace.database.write() as connection:
            connection.execute("INSERT INTO projects VALUES ('a', 'b', 'c', NULL)")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    assert workspace.projects() == []


def test_who_waits_too_long_for_another_writer_is_told(tmp_path: Path) -> None:
    database = Workspace(tmp_path).database
    with (
        database.write(),
        pytest.raises(DatabaseBusyError, match="database is locked; another program holds it"),
        database.write(0.05),
    ):
        pass


def test_many_threads_open_a_new_folder_at_once(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def work() -> None:
        try:
            Workspace(tmp_path).create_project("One of many")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(Workspace(tmp_path).projects()) == 8


def test_a_database_of_the_present_version_is_opened_as_it_is(tmp_path: Path) -> None:
    project = Workspace(tmp_path).create_project("Kept")
    Database(tmp_path / "workspace.sqlite")
    assert Workspace(tmp_path).projects() == [project]
