"""What every format's reader returns, and how a parser's failure becomes one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from evalcore.corpus.document import Element
from evalcore.errors import DocumentError


@dataclass(frozen=True, slots=True)
class Reading:
    """What a format's reader found; `notes` are what may harm results, without the file's name."""

    text: str
    elements: tuple[Element, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


_XML_NO_MEMORY = 2


@contextmanager
def parsing(what: str) -> Iterator[None]:
    """Turn whatever a parser raises on a broken file into one line.

    Raises:
        DocumentError: for any error but MemoryError; the message has no file name yet.
    """
    try:
        yield
    except (DocumentError, MemoryError):
        raise
    except Exception as error:
        if _is_out_of_memory(error):
            raise MemoryError from error
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        raise DocumentError(
            f"cannot be read as {what} ({detail}): it is damaged or cut short; open it and save it anew"
        ) from error


def _is_out_of_memory(error: Exception) -> bool:
    """Tell whether libxml2 ran out of memory, which lxml reports as a syntax error."""
    return type(error).__module__.startswith("lxml") and getattr(error, "code", 0) == _XML_NO_MEMORY
