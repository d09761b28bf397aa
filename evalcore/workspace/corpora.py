"""The files of a project: bytes kept under their hash, read once, combined to a corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from sqlite3 import Connection, Row

from evalcore.corpus.document import Corpus, Document, MediaType
from evalcore.corpus.loading import read_files
from evalcore.corpus.names import clean_name, document_ids, media_type_of, path_key
from evalcore.corpus.parsers import read_layout
from evalcore.errors import SettingsError, WorkspaceError
from evalcore.run.codec import document_from_dict, document_to_dict
from evalcore.run.files import read_json, sha256, shelf, write_atomic, write_json
from evalcore.text.tokens import CL100K, get_tokenizer
from evalcore.workspace.database import now
from evalcore.workspace.projects import Base, require_project, storable
from evalcore.workspace.rows import FileRow

Progress = Callable[[int, int, str], None]

# Part of a text's key: raise it when a reader's output for equal bytes changes.
READER_VERSION = 1
_FILES_AT_ONCE = 16

_KINDS = {
    MediaType.MARKDOWN: "Markdown",
    MediaType.TEXT: "Text",
    MediaType.HTML: "HTML",
    MediaType.PDF: "PDF",
    MediaType.DOCX: "Word",
}


@dataclass(frozen=True, slots=True)
class StoredText:
    """A document of a project: its id in the corpus, its file's name and the key of its text."""

    doc_id: str
    name: str
    key: str
    has_text: bool


@dataclass(frozen=True, slots=True)
class _Upload:
    name: str
    data: bytes
    sha256: str

    @property
    def key(self) -> str:
        """The key of its text. Warnings name the file, so the name is part of it."""
        return sha256(f"{self.sha256}\n{READER_VERSION}\n{self.name}".encode())


class Corpora(Base):
    """The corpora of a workspace."""

    def add_files(
        self, project_id: str, files: Sequence[tuple[str, bytes]], progress: Progress | None = None
    ) -> list[FileRow]:
        """Keep and read files; returns their rows in path order, refused ones included.

        The same name and content again changes nothing; the same name with other content replaces the
        former file, which `restore_files` brings back. Different files of one name in one call are numbered.
        `progress` gets (done, total, name).

        Raises:
            WorkspaceError: no such project, or the folder cannot be written.
        """
        given = list(_by_name(files).items())
        with self.database.read() as connection:
            require_project(connection, project_id)
        for start in range(0, len(given), _FILES_AT_ONCE):
            self._add_some(project_id, given[start : start + _FILES_AT_ONCE], start, len(given), progress)
        wanted = {name for name, _ in given}
        return [row for row in self.files(project_id) if row.name in wanted]

    def files(self, project_id: str) -> list[FileRow]:
        """Return the project's files in path order, refused ones included."""
        with self.database.read() as connection:
            rows = _present(connection, project_id)
        ids = {text.name: text.doc_id for text in _texts(rows)}
        return [_file_row(row, ids.get(row["name"])) for row in rows]

    def remove_files(self, project_id: str, names: Sequence[str]) -> None:
        """Take files out of the project; `restore_files` brings them back."""
        with self.database.write() as connection:
            for name in names:
                _remove(connection, project_id, clean_name(name))

    def restore_files(self, project_id: str, names: Sequence[str]) -> None:
        """Bring back what was last removed or replaced under each name, in place of what is there now."""
        with self.database.write() as connection:
            for name in names:
                former = connection.execute(
                    "SELECT id FROM files WHERE project_id = ? AND name = ? AND removed IS NOT NULL"
                    " ORDER BY removed DESC, id DESC LIMIT 1",
                    (project_id, clean_name(name)),
                ).fetchone()
                if former is not None:
                    _remove(connection, project_id, clean_name(name))
                    connection.execute("UPDATE files SET removed = NULL WHERE id = ?", (former["id"],))

    def document(self, project_id: str, name: str) -> Document | None:
        """Return the document read from the file called `name`, None when there is none or it was refused."""
        found = next((t for t in self.texts(project_id) if t.name == clean_name(name)), None)
        return None if found is None else self.load_text(found)

    def corpus(self, project_id: str) -> Corpus:
        """Return all documents that could be read, in path order.

        Raises:
            WorkspaceError: a text is missing from the folder or damaged.
        """
        return Corpus(tuple(self.load_text(text) for text in self.texts(project_id)))

    def file_bytes(self, project_id: str, name: str) -> bytes | None:
        """Return an uploaded file as it came, None when there is none of that name."""
        row = next((row for row in self.files(project_id) if row.name == clean_name(name)), None)
        return None if row is None else shelf(self.root / "files", row.sha256).read_bytes()

    def texts(self, project_id: str) -> list[StoredText]:
        """Return which texts make up the corpus, in its order, without loading them."""
        with self.database.read() as connection:
            return _texts(_present(connection, project_id))

    def load_text(self, text: StoredText) -> Document:
        """Load one document.

        Raises:
            WorkspaceError: it is missing from the folder or damaged.
        """
        return load_document(self.root, text.key, text.doc_id)

    def load_layout(self, key: str, document: Document) -> Document:
        """Return the document of the text with this key as read with layout; read once and kept.

        Raises:
            SettingsError: its file is not in the workspace.
            DocumentError: the file cannot be read with layout.
        """
        kept = sha256(f"{key}\nlayout".encode())
        path = shelf(self.root / "texts", kept, ".json")
        if not path.exists():
            with self.database.read() as connection:
                row = connection.execute(
                    "SELECT name, sha256 FROM files WHERE text_key = ?", (key,)
                ).fetchone()
            file = None if row is None else shelf(self.root / "files", row["sha256"])
            if file is None or not file.exists():
                raise SettingsError(
                    f"parser pypdf:layout needs the file of {document.id}, which is not in this workspace; "
                    "upload it again"
                )
            write_json(path, document_to_dict(read_layout(row["name"], file.read_bytes())))
        return load_document(self.root, kept, document.id)

    def _add_some(
        self,
        project_id: str,
        files: Sequence[tuple[str, bytes]],
        before: int,
        total: int,
        progress: Progress | None,
    ) -> None:
        uploads = [_Upload(name, data, sha256(data)) for name, data in files]
        with self.database.read() as connection:
            new = [upload for upload in uploads if not _is_known(connection, project_id, upload)]
        for upload in new:
            path = shelf(self.root / "files", upload.sha256)
            if not path.exists():
                write_atomic(path, upload.data)
        skipped = before + len(uploads) - len(new)
        read = self._read(new, None if progress is None else _shifted(progress, skipped, total))
        rows = [_values_of(upload, *read[upload.name]) | {"project_id": project_id} for upload in new]
        with self.database.write() as connection:
            for row in rows:
                _insert(connection, row)
        if progress is not None:
            progress(before + len(uploads), total, uploads[-1].name)

    def _read(
        self, uploads: Sequence[_Upload], progress: Progress | None
    ) -> dict[str, tuple[Document | None, str]]:
        """Give each file's document, or None and why it was refused."""
        found: dict[str, tuple[Document | None, str]] = {}
        for upload in uploads:
            with suppress(WorkspaceError):
                found[upload.name] = load_document(self.root, upload.key, upload.name), ""
        unread = {upload.name: upload for upload in uploads if upload.name not in found}
        result = read_files([(upload.name, upload.data) for upload in unread.values()], progress=progress)
        for skipped in result.skipped:
            found[skipped.name] = None, skipped.reason
        for document in result.documents:
            name = document.metadata["file"]
            write_json(shelf(self.root / "texts", unread[name].key, ".json"), document_to_dict(document))
            found[name] = document, ""
        return found


def load_document(root: Path, key: str, doc_id: str) -> Document:
    """Load a text of the workspace at `root`.

    Raises:
        WorkspaceError: it is missing from the folder or damaged.
    """
    path = shelf(root / "texts", key, ".json")
    try:
        return document_from_dict(doc_id, read_json(path))
    except (KeyError, ValueError, TypeError) as error:
        raise WorkspaceError(f"{path}, the text of {doc_id!r}, is damaged; upload its file again") from error


def corpus_key(texts: Iterable[StoredText]) -> str:
    """Return a hash that changes when any id, text or reader of the corpus does."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{text.doc_id}\x00{text.key}\x00".encode())
    return digest.hexdigest()


def kind_of(name: str, document: Document | None) -> str:
    """Return what a file is, in a word; "Other" when neither its reader nor its name says."""
    found = None if document is None else document.metadata.get("media_type")
    media = media_type_of(name) if found is None else MediaType(found)
    return "Other" if media is None else _KINDS[media]


def _texts(rows: Sequence[Row]) -> list[StoredText]:
    read = [row for row in rows if row["text_key"] is not None]
    ids = document_ids([row["name"] for row in read])
    return [
        StoredText(doc_id, row["name"], row["text_key"], bool(row["has_text"]))
        for doc_id, row in zip(ids, read, strict=True)
    ]


def _present(connection: Connection, project_id: str) -> list[Row]:
    rows: list[Row] = connection.execute(
        "SELECT * FROM files WHERE project_id = ? AND removed IS NULL", (storable(project_id),)
    ).fetchall()
    return sorted(rows, key=lambda row: path_key(row["name"]))


def _by_name(files: Iterable[tuple[str, bytes]]) -> dict[str, bytes]:
    """Clean the names and number those that different files share."""
    found: dict[str, bytes] = {}
    for given, data in files:
        name = wanted = clean_name(given)
        number = 1
        while found.get(name, data) != data:
            number += 1
            path = PurePosixPath(wanted)
            name = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        found[name] = data
    return found


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _total, name: progress(before + done, total, name)


def _is_known(connection: Connection, project_id: str, upload: _Upload) -> bool:
    row = connection.execute(
        "SELECT text_key FROM files WHERE project_id = ? AND name = ? AND removed IS NULL",
        (project_id, upload.name),
    ).fetchone()
    return row is not None and row["text_key"] == upload.key


def _insert(connection: Connection, row: dict[str, str | int | None]) -> None:
    _remove(connection, str(row["project_id"]), str(row["name"]))
    columns = ", ".join(row)
    marks = ", ".join(f":{column}" for column in row)
    connection.execute(f"INSERT INTO files ({columns}) VALUES ({marks})", row)


def _remove(connection: Connection, project_id: str, name: str) -> None:
    connection.execute(
        "UPDATE files SET removed = ? WHERE project_id = ? AND name = ? AND removed IS NULL",
        (now(), project_id, name),
    )


def _values_of(upload: _Upload, document: Document | None, refusal: str) -> dict[str, str | int | None]:
    common: dict[str, str | int | None] = {
        "name": upload.name,
        "sha256": upload.sha256,
        "size": len(upload.data),
        "kind": kind_of(upload.name, document),
        "added": now(),
    }
    if document is None:
        empty = {"characters": 0, "has_text": 0, "tokens": 0, "headings": 0, "tables": 0}
        return common | empty | {"status": "refused", "message": storable(refusal)}
    pages = document.metadata.get("pages", "")
    return common | {
        "text_key": upload.key,
        "status": "warned" if document.warnings else "read",
        "message": storable("\n".join(document.warnings)),
        "pages": int(pages) if pages.isdecimal() else None,
        "language": document.metadata.get("language") or None,
        "characters": len(document.text),
        "has_text": int(document.has_text),
        "tokens": get_tokenizer(CL100K).count(document.text),
        "headings": len(document.headings),
        "tables": len(document.tables),
    }


def _file_row(row: Row, doc_id: str | None) -> FileRow:
    return FileRow(
        name=row["name"],
        sha256=row["sha256"],
        size=row["size"],
        status=row["status"],
        message=row["message"],
        doc_id=doc_id,
        kind=row["kind"],
        pages=row["pages"],
        characters=row["characters"],
        tokens=row["tokens"],
        language=row["language"],
        headings=row["headings"],
        tables=row["tables"],
    )
