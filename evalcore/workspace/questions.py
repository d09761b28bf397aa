"""The question sets of a project: every save keeps the former one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from sqlite3 import Connection, Row

from evalcore.corpus.document import Corpus
from evalcore.evalset.check import Problem, check
from evalcore.evalset.items import EvalSet
from evalcore.run.codec import evalset_from_dict, evalset_to_dict
from evalcore.run.files import sha256
from evalcore.workspace.corpora import Corpora, corpus_key
from evalcore.workspace.database import known_moment, now
from evalcore.workspace.grids import Grids
from evalcore.workspace.projects import require_project, storable
from evalcore.workspace.rows import QuestionsRow

# Part of a check's key: raise it when the check finds other problems in equal inputs.
CHECK_VERSION = 1


class QuestionSets(Corpora, Grids):
    """The question sets of a workspace."""

    def save_questions(self, project_id: str, evalset: EvalSet) -> None:
        """Keep a question set; `undo_questions` goes back to the former one. An equal one changes nothing.

        Raises:
            WorkspaceError: no such project, or the folder cannot be written.
        """
        content = json.dumps(evalset_to_dict(evalset), allow_nan=False)
        digest = sha256(content.encode("ascii"))
        with self.database.write() as connection:
            require_project(connection, project_id)
            former = _latest(connection, project_id)
            if former is not None and former["digest"] == digest:
                return
            connection.execute(
                "INSERT INTO question_sets (project_id, name, content, digest, count, scored, saved)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (project_id, storable(evalset.id), content, digest, len(evalset), len(evalset.scored), now()),
            )

    def questions(self, project_id: str) -> EvalSet | None:
        """Return the question set last saved, None when there is none."""
        with self.database.read() as connection:
            row = _latest(connection, project_id)
        return None if row is None else evalset_from_dict(json.loads(row["content"]))

    def questions_row(self, project_id: str) -> QuestionsRow | None:
        """Return the question set in numbers, None when there is none; checks it when that is due."""
        with self.database.read() as connection:
            row = _latest(connection, project_id)
        if row is None:
            return None
        found = self.problems(project_id)
        errors = sum(1 for problem in found if problem.severity == "error")
        saved = known_moment(row["saved"])
        return QuestionsRow(row["name"], row["count"], row["scored"], errors, len(found) - errors, saved)

    def undo_questions(self, project_id: str) -> bool:
        """Go back to the question set saved before the present one; False when there is none."""
        with self.database.write() as connection:
            rows = connection.execute(
                "SELECT id FROM question_sets WHERE project_id = ? AND undone IS NULL"
                " ORDER BY id DESC LIMIT 2",
                (storable(project_id),),
            ).fetchall()
            if len(rows) < 2:
                return False
            connection.execute("UPDATE question_sets SET undone = ? WHERE id = ?", (now(), rows[0]["id"]))
            return True

    def problems(self, project_id: str) -> list[Problem]:
        """Return what is wrong with the questions against the corpus; checked once for equal inputs."""
        texts = self.texts(project_id)
        threshold = self.settings(project_id).eval.fuzzy_threshold
        with self.database.read() as connection:
            row = _latest(connection, project_id)
            if row is None:
                return []
            key = sha256(f"{CHECK_VERSION} {threshold!r} {corpus_key(texts)} {row['digest']}".encode())
            known = connection.execute("SELECT problems FROM checks WHERE key = ?", (key,)).fetchone()
        if known is not None:
            return [Problem(**problem) for problem in json.loads(known["problems"])]
        evalset = evalset_from_dict(json.loads(row["content"]))
        corpus = Corpus(tuple(self.load_text(text) for text in texts))
        found = check(evalset, corpus, fuzzy_threshold=threshold)
        self._keep_problems(key, found)
        return found

    def _keep_problems(self, key: str, problems: Sequence[Problem]) -> None:
        content = json.dumps([asdict(problem) for problem in problems])
        with self.database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO checks VALUES (?, ?)", (key, content))


def _latest(connection: Connection, project_id: str) -> Row | None:
    row: Row | None = connection.execute(
        "SELECT * FROM question_sets WHERE project_id = ? AND undone IS NULL ORDER BY id DESC LIMIT 1",
        (storable(project_id),),
    ).fetchone()
    return row
