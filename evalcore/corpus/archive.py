"""Zip archives: measured by what they declare before anything is unpacked."""

from __future__ import annotations

import io
import zipfile

from evalcore.corpus.encoding import signature
from evalcore.corpus.limits import Limits, megabytes
from evalcore.errors import DocumentError

_SMALL = 10_000_000
_ENCRYPTED = 0x1


def open_archive(data: bytes, limits: Limits) -> zipfile.ZipFile:
    """Return the archive, once its declared size, ratio and number of entries are within the limits.

    A small archive (under 10 MB unpacked) may have any ratio. Entries are never read beyond the size they
    declare, and archives inside it are not opened.

    Raises:
        DocumentError: when it is no zip or too large; the message has no file name yet.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DocumentError(_not_an_archive(data)) from error
    _measure(archive.infolist(), len(data), limits)
    return archive


def _not_an_archive(data: bytes) -> str:
    if not data:
        return "is empty (0 bytes); it was probably not saved or not uploaded to its end"
    kind = signature(data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return "needs a password, or is an old .doc; save it as .docx without a password"
    if kind and not data.startswith(b"PK"):
        return f"is {kind}, not a Word document; give it the ending that fits"
    return "is not a Word document, or is damaged or cut short; open it in Word and save it anew"


def _measure(entries: list[zipfile.ZipInfo], size: int, limits: Limits) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > limits.archive_entries:
        raise DocumentError(
            f"holds {len(entries):,} files; an archive may hold {limits.archive_entries:,}: split it"
        )
    if unpacked > limits.archive_bytes:
        raise DocumentError(
            f"unpacks to {megabytes(unpacked)}; at most {megabytes(limits.archive_bytes)} may be: split it"
        )
    if unpacked > _SMALL and unpacked > limits.archive_ratio * size:
        raise DocumentError(
            f"unpacks to {megabytes(unpacked)}, {unpacked // max(size, 1):,} times its size; "
            f"at most {limits.archive_ratio} times is unpacked: it is no usual document"
        )
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise DocumentError("is locked with a password; save a copy without one and load that")
