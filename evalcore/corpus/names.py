"""File names as labels: which are refused, how they sort, and the document ids they give."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from evalcore.corpus.document import MediaType

MEDIA_TYPES: dict[str, MediaType] = {
    ".md": MediaType.MARKDOWN,
    ".markdown": MediaType.MARKDOWN,
    ".txt": MediaType.TEXT,
    ".html": MediaType.HTML,
    ".htm": MediaType.HTML,
    ".pdf": MediaType.PDF,
    ".docx": MediaType.DOCX,
}
_NOT_ONE_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def clean_name(name: str) -> str:
    """Return `name` as a relative path in one printable line; it is a label, never a place on disk."""
    printable = _NOT_ONE_LINE.sub("\ufffd", name.replace("\\", "/"))
    parts = [part for part in printable.split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"


def path_key(name: str) -> tuple[str, ...]:
    """Return the key that sorts names in path order, folder by folder."""
    return PurePosixPath(name).parts


def stem(name: str) -> str:
    """Return the file name without folders and extension."""
    return PurePosixPath(name).stem


def media_type_of(name: str) -> MediaType | None:
    """Return how a file of this name is read, by its extension; None when it is not."""
    return MEDIA_TYPES.get(PurePosixPath(name).suffix.lower())


def refusal(name: str) -> str | None:
    """Return why a file of this name is not read at all, or None."""
    parts = PurePosixPath(name).parts
    if parts[-1].startswith("~$"):
        return "a lock file that Word leaves while a document is open, not a document"
    if any(part.startswith(".") for part in parts):
        return "hidden (a name that starts with a dot), so not read; rename it if it is a document"
    if media_type_of(name) is None:
        suffix = PurePosixPath(name).suffix
        found = f"{suffix} files are" if suffix else "files without an extension are"
        return f"{found} not read; expected one of {', '.join(MEDIA_TYPES)}"
    return None


def document_ids(names: Sequence[str]) -> list[str]:
    """Return one id per name, all different: the file name without extension.

    Files that would share an id take their path instead (`2023/msa.md`, `report.docx`). Where even the paths
    are equal, as two uploads of one name are, the later ones get a number: `msa`, `msa (2)`.
    """
    paths_of: dict[str, set[str]] = {}
    for name in names:
        paths_of.setdefault(stem(name), set()).add(name)
    wanted = [name if len(paths_of[stem(name)]) > 1 else stem(name) for name in names]
    reserved = Counter(wanted)
    taken: set[str] = set()
    return [_free(candidate, taken, reserved) for candidate in wanted]


def _free(candidate: str, taken: set[str], reserved: Counter[str]) -> str:
    found, number = candidate, 1
    while found in taken or (number > 1 and found in reserved):
        number += 1
        found = f"{candidate} ({number})"
    taken.add(found)
    return found
