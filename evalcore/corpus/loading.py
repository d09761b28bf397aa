"""Many files in, documents out: each read in a child process, so that no file can end or stall the load."""

from __future__ import annotations

import os
import queue
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evalcore.corpus.document import Corpus, Document
from evalcore.corpus.limits import Limits
from evalcore.corpus.names import clean_name, document_ids, path_key, refusal
from evalcore.corpus.reading import check_size
from evalcore.corpus.sandbox import ReadingChild
from evalcore.errors import DocumentError

Progress = Callable[[int, int, str], None]
_FILES_PER_CHILD = 8
_MAX_CHILDREN = 2


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why; `line` says both."""

    name: str
    reason: str

    @property
    def line(self) -> str:
        """`NAME: REASON`, one line."""
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What became of the files given: `given` = documents + skipped, always; both in path order."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...]

    @property
    def given(self) -> int:
        """How many files were given."""
        return len(self.documents) + len(self.skipped)

    @property
    def corpus(self) -> Corpus:
        """The documents as a corpus."""
        return Corpus(self.documents)

    @property
    def warnings(self) -> tuple[str, ...]:
        """All that may harm results: the documents' warnings, then a line per skipped file."""
        own = tuple(warning for document in self.documents for warning in document.warnings)
        return own + tuple(skipped.line for skipped in self.skipped)


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    size: int
    fetch: Callable[[], bytes]


def read_files(
    files: Sequence[tuple[str, bytes]], limits: Limits | None = None, progress: Progress | None = None
) -> LoadResult:
    """Read uploaded files, (name, bytes) each; names may be relative paths and may repeat.

    `progress` is called in the calling thread with (done, total, name) after each file; what it raises ends
    the load.
    """
    sources = [_Source(clean_name(name), len(data), _constant(data)) for name, data in files]
    return _load(sources, [], limits or Limits(), progress)


def read_folder(
    path: str | Path, limits: Limits | None = None, progress: Progress | None = None
) -> LoadResult:
    """Read all files below a folder; a hidden folder counts as one skipped file. Linked folders are left.

    Raises:
        DocumentError: when there is no such folder.
    """
    root = Path(path)
    if not root.is_dir():
        raise DocumentError(f"{root}: no such folder; give the folder that holds the documents")
    sources: list[_Source] = []
    skipped: list[Skipped] = []
    for entry in _walk(root):
        name = clean_name(entry.relative_to(root).as_posix())
        try:
            sources.append(_file_source(entry, name))
        except DocumentError as error:
            skipped.append(Skipped(name, str(error)))
        except OSError as error:
            skipped.append(Skipped(name, _not_opened(error)))
    return _load(sources, skipped, limits or Limits(), progress)


def _constant(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        hidden = [name for name in folders if name.startswith(".")]
        folders[:] = sorted(set(folders) - set(hidden))
        yield from (Path(folder) / name for name in [*hidden, *files])


def _file_source(entry: Path, name: str) -> _Source:
    status = entry.stat()
    if stat.S_ISDIR(status.st_mode):
        raise DocumentError("a hidden folder (a name that starts with a dot), so not read")
    if not stat.S_ISREG(status.st_mode):
        raise DocumentError("is no regular file (a pipe, a socket or a device), so not read")
    return _Source(name, status.st_size, entry.read_bytes)


def _not_opened(error: OSError) -> str:
    return f"cannot be opened ({error.strerror or type(error).__name__}); check the file and its permissions"


def _load(
    sources: list[_Source], skipped: list[Skipped], limits: Limits, progress: Progress | None
) -> LoadResult:
    sources = sorted(sources, key=lambda source: path_key(source.name))
    outcomes = _read_all(sources, limits, progress or _silent)
    documents = [outcome for outcome in outcomes if isinstance(outcome, Document)]
    ids = document_ids([document.metadata["file"] for document in documents])
    named = tuple(replace(document, id=new) for document, new in zip(documents, ids, strict=True))
    skipped = skipped + [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
    return LoadResult(named, tuple(sorted(skipped, key=lambda entry: path_key(entry.name))))


def _silent(done: int, total: int, name: str) -> None:
    """Take no notice of progress."""


def _read_all(sources: list[_Source], limits: Limits, progress: Progress) -> list[Document | Skipped]:
    """Read all sources, a few at a time; outcomes in the order of the sources."""
    count = max(1, min(_MAX_CHILDREN, os.cpu_count() or 1, len(sources) // _FILES_PER_CHILD))
    stopped = threading.Event()
    with _children(count, limits) as children, ThreadPoolExecutor(count) as threads:
        free: queue.SimpleQueue[ReadingChild] = queue.SimpleQueue()
        for child in children:
            free.put(child)
        futures = [threads.submit(_outcome, source, limits, free, stopped) for source in sources]
        try:
            _report(futures, sources, progress)
        except BaseException:
            stopped.set()
            _close(children)
            raise
    return [future.result() for future in futures]


def _report(
    futures: Sequence[Future[Document | Skipped]], sources: Sequence[_Source], progress: Progress
) -> None:
    names = {future: source.name for future, source in zip(futures, sources, strict=True)}
    for done, future in enumerate(as_completed(futures), 1):
        progress(done, len(futures), names[future])


@contextmanager
def _children(count: int, limits: Limits) -> Iterator[list[ReadingChild]]:
    children = [ReadingChild(limits) for _ in range(count)]
    try:
        yield children
    finally:
        _close(children)


def _close(children: Iterable[ReadingChild]) -> None:
    for child in children:
        child.close()


def _outcome(
    source: _Source, limits: Limits, children: queue.SimpleQueue[ReadingChild], stopped: threading.Event
) -> Document | Skipped:
    if stopped.is_set():
        return Skipped(source.name, "the load was stopped before it")
    try:
        if reason := refusal(source.name):
            raise DocumentError(reason)
        check_size(source.size, limits)
        data = source.fetch()
    except DocumentError as error:
        return Skipped(source.name, str(error))
    except OSError as error:
        return Skipped(source.name, _not_opened(error))
    return _read_in_child(source.name, data, children)


def _read_in_child(name: str, data: bytes, children: queue.SimpleQueue[ReadingChild]) -> Document | Skipped:
    child = children.get()
    try:
        return child.read(name, data)
    except DocumentError as error:
        return Skipped(name, str(error).removeprefix(f"{name}: "))
    finally:
        children.put(child)
