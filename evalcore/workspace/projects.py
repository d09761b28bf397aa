"""Projects: created, renamed, deleted and brought back."""

from __future__ import annotations

import secrets
from pathlib import Path
from sqlite3 import Connection, Row

from evalcore.errors import InputError, WorkspaceError
from evalcore.run.files import make_folder
from evalcore.workspace.database import Database, known_moment, now
from evalcore.workspace.rows import Project

NAME_LENGTH = 200


def storable(text: str) -> str:
    """Return `text` as SQLite can hold it: what it cannot becomes "?"."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?")


class Base:
    """The folder and its database."""

    def __init__(self, root: Path) -> None:
        self.root = make_folder(Path(root).expanduser().absolute())
        self.database = Database(self.root / "workspace.sqlite")


class Projects(Base):
    """The projects of a workspace."""

    def projects(self) -> list[Project]:
        """Return the projects, newest first."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM projects WHERE deleted IS NULL ORDER BY created DESC, rowid DESC"
            ).fetchall()
        return [_project(row) for row in rows]

    def project(self, project_id: str) -> Project | None:
        """Return the project with this id, None when there is none or it was deleted."""
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT * FROM projects WHERE id = ? AND deleted IS NULL", (storable(project_id),)
            ).fetchone()
        return None if row is None else _project(row)

    def create_project(self, name: str) -> Project:
        """Create a project; names need not differ.

        Raises:
            InputError: the name is blank.
        """
        created = now()
        project_id = secrets.token_hex(5)
        with self.database.write() as connection:
            connection.execute(
                "INSERT INTO projects (id, name, created) VALUES (?, ?, ?)",
                (project_id, _clean(name), created),
            )
        return Project(project_id, _clean(name), known_moment(created))

    def rename_project(self, project_id: str, name: str) -> None:
        """Give a project another name.

        Raises:
            InputError: the name is blank.
        """
        with self.database.write() as connection:
            require_project(connection, project_id)
            connection.execute("UPDATE projects SET name = ? WHERE id = ?", (_clean(name), project_id))

    def delete_project(self, project_id: str) -> None:
        """Hide a project; `restore_project` brings it back with all it holds."""
        with self.database.write() as connection:
            connection.execute(
                "UPDATE projects SET deleted = ? WHERE id = ? AND deleted IS NULL",
                (now(), storable(project_id)),
            )

    def restore_project(self, project_id: str) -> None:
        """Bring a deleted project back."""
        with self.database.write() as connection:
            connection.execute("UPDATE projects SET deleted = NULL WHERE id = ?", (storable(project_id),))


def require_project(connection: Connection, project_id: str) -> None:
    """Check that a project is there.

    Raises:
        WorkspaceError: there is none with this id, or it was deleted.
    """
    found = connection.execute(
        "SELECT 1 FROM projects WHERE id = ? AND deleted IS NULL", (storable(project_id),)
    ).fetchone()
    if found is None:
        raise WorkspaceError(
            f"there is no project {project_id!r} in this workspace; choose one from the list"
        )


def _clean(name: str) -> str:
    cleaned = " ".join(storable(name).split())[:NAME_LENGTH]
    if not cleaned:
        raise InputError("the project's name is blank; give it one")
    return cleaned


def _project(row: Row) -> Project:
    return Project(row["id"], row["name"], known_moment(row["created"]))
