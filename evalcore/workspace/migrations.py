"""The database's layout, one entry per version; a released entry is never changed, only followed."""

from __future__ import annotations

_FIRST = (
    """CREATE TABLE projects (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, deleted TEXT)""",
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), name TEXT NOT NULL,
        sha256 TEXT NOT NULL, size INTEGER NOT NULL, text_key TEXT, status TEXT NOT NULL,
        message TEXT NOT NULL, kind TEXT NOT NULL, pages INTEGER, characters INTEGER NOT NULL,
        has_text INTEGER NOT NULL,
        tokens INTEGER NOT NULL, language TEXT, headings INTEGER NOT NULL, tables INTEGER NOT NULL,
        added TEXT NOT NULL, removed TEXT)""",
    "CREATE UNIQUE INDEX files_present ON files(project_id, name) WHERE removed IS NULL",
    """CREATE TABLE question_sets (
        id INTEGER PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), name TEXT NOT NULL,
        content TEXT NOT NULL, digest TEXT NOT NULL, count INTEGER NOT NULL, scored INTEGER NOT NULL,
        saved TEXT NOT NULL, undone TEXT)""",
    "CREATE INDEX question_sets_project ON question_sets(project_id, id)",
    "CREATE TABLE checks (key TEXT PRIMARY KEY, problems TEXT NOT NULL)",
    """CREATE TABLE settings (
        project_id TEXT PRIMARY KEY REFERENCES projects(id), content TEXT NOT NULL, saved TEXT NOT NULL)""",
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), kind TEXT NOT NULL,
        name TEXT NOT NULL, status TEXT NOT NULL, inputs TEXT NOT NULL, created TEXT NOT NULL, started TEXT,
        ended TEXT, reason TEXT NOT NULL DEFAULT '', documents INTEGER NOT NULL, questions INTEGER NOT NULL,
        queued INTEGER, worker TEXT, cancel_asked REAL, pinned INTEGER NOT NULL DEFAULT 0,
        note TEXT NOT NULL DEFAULT '', deleted TEXT)""",
    "CREATE INDEX runs_project ON runs(project_id, created)",
    "CREATE INDEX runs_status ON runs(status, queued)",
    """CREATE TABLE stages (
        run_id TEXT NOT NULL REFERENCES runs(id), stage TEXT NOT NULL, done INTEGER NOT NULL,
        total INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (run_id, stage)) WITHOUT ROWID""",
    """CREATE TABLE cells (
        run_id TEXT NOT NULL REFERENCES runs(id), position INTEGER NOT NULL, key TEXT NOT NULL,
        strategy TEXT NOT NULL, retriever TEXT NOT NULL, label TEXT NOT NULL, state TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '', recall REAL, hit_rate REAL, mrr REAL, questions INTEGER NOT NULL,
        PRIMARY KEY (run_id, position)) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX cells_key ON cells(run_id, key)",
    """CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES runs(id), time TEXT NOT NULL,
        kind TEXT NOT NULL, text TEXT NOT NULL)""",
    "CREATE INDEX events_run ON events(run_id, seq)",
    """CREATE TABLE worker (
        id INTEGER PRIMARY KEY CHECK (id = 1), token TEXT NOT NULL, pid INTEGER NOT NULL,
        started TEXT NOT NULL, beats INTEGER NOT NULL, beat TEXT NOT NULL, closing INTEGER NOT NULL)""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST,)
