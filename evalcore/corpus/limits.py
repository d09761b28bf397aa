"""How much one file may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for reading one file.

    `file_bytes`: its size. `characters`: the text read from it. `seconds` and `memory_bytes`: what its reader
    may use, memory above what the reading process takes at rest. `archive_*`: entries of a zip, the size it
    declares to unpack to, and how many times that may exceed its own size.
    """

    file_bytes: int = 50_000_000
    characters: int = 20_000_000
    seconds: float = 30.0
    memory_bytes: int = 1 << 30
    archive_entries: int = 10_000
    archive_bytes: int = 300_000_000
    archive_ratio: int = 200


def megabytes(size: int) -> str:
    """Return a size in bytes as megabytes (10^6 bytes) for a message."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size:,} bytes"
