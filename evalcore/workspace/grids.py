"""The settings of a project's next run."""

from __future__ import annotations

import json

from evalcore.settings import Settings
from evalcore.workspace.database import now
from evalcore.workspace.projects import Base, require_project, storable


class Grids(Base):
    """The settings of a workspace's projects."""

    def save_settings(self, project_id: str, settings: Settings) -> None:
        """Keep the settings.

        Raises:
            WorkspaceError: no such project, or the folder cannot be written.
        """
        content = json.dumps(settings.to_dict(), allow_nan=False)
        with self.database.write() as connection:
            require_project(connection, project_id)
            connection.execute(
                "INSERT OR REPLACE INTO settings (project_id, content, saved) VALUES (?, ?, ?)",
                (project_id, content, now()),
            )

    def settings(self, project_id: str) -> Settings:
        """Return the settings last saved, the defaults when there are none."""
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT content FROM settings WHERE project_id = ?", (storable(project_id),)
            ).fetchone()
        return Settings() if row is None else Settings.from_dict(json.loads(row["content"]))
