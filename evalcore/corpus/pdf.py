"""PDF: the text layer, page by page."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evalcore.corpus.base import Reading, parsing
from evalcore.corpus.encoding import repair_surrogates
from evalcore.corpus.plaintext import paragraph_elements
from evalcore.errors import DocumentError

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_HEADER_WITHIN = 1024
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NEW_TRAILER = b"\nstartxref\n0\n%%EOF\n"


def read_pdf(data: bytes, *, layout: bool = False) -> Reading:
    """Return the text of all pages, joined by blank lines; metadata `pages`, `pages_without_text`.

    With `layout` what stands side by side stays so, kept apart by spaces. Ligatures stay as they are
    (matching folds them); control characters go.

    Raises:
        DocumentError: when it is no PDF, damaged, or needs a password; the message has no file name yet.
    """
    if b"%PDF-" not in data[:_HEADER_WITHIN]:
        raise DocumentError(f"is not a PDF: it begins with {_beginning(data)}; expected %PDF-")
    with _quiet(), parsing("PDF"):
        reader, notes = _open(data)
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError("needs a password; save a copy without one and load that")
        pages = [_page_text(page, layout) for page in reader.pages]
    if not pages:
        raise DocumentError("has no pages; it is damaged or cut short")
    return _reading(pages, notes)


def _reading(pages: list[str | None], notes: list[str]) -> Reading:
    empty = [number for number, text in enumerate(pages, 1) if not (text or "").strip()]
    failed = [number for number, text in enumerate(pages, 1) if text is None]
    text = "\n\n".join(page or "" for page in pages)
    text = text if text.strip() else ""
    metadata = {"pages": str(len(pages)), "pages_without_text": str(len(empty))}
    if failed:
        notes.append(f"{_of_pages(failed, len(pages))} could not be read and count as pages without text")
    if len(empty) == len(pages):
        which = f"any of its {len(pages)} pages" if len(pages) > 1 else "its only page"
        notes.append(f"no text on {which}: it is a scan; run OCR first")
    elif empty:
        share = f"{_of_pages(empty, len(pages))} ({len(empty) / len(pages):.0%})"
        notes.append(f"no text on {share}: if these are scans, run OCR first")
    return Reading(text, paragraph_elements(text), metadata, tuple(notes))


def _open(data: bytes) -> tuple[PdfReader, list[str]]:
    from pypdf import PdfReader
    from pypdf.errors import PdfReadError

    try:
        return PdfReader(io.BytesIO(data)), []
    except PdfReadError:
        reader = PdfReader(io.BytesIO(data + _NEW_TRAILER))
        len(reader.pages)
        return reader, ["damaged: its cross-reference table was rebuilt; compare the text with the original"]


def _page_text(page: PageObject, layout: bool) -> str | None:
    """Return a page's text, None when it cannot be read; one broken page does not end the file."""
    try:
        found = page.extract_text(extraction_mode="layout") if layout else page.extract_text()
        text, _ = repair_surrogates(found)
    except (MemoryError, DocumentError):
        raise
    except Exception:
        return None
    return _CONTROLS.sub("", text).strip("\n")


def _of_pages(numbers: list[int], total: int) -> str:
    shown = ", ".join(str(number) for number in numbers[:10]) + (", ..." if len(numbers) > 10 else "")
    return f"{len(numbers)} of {total} pages ({shown})"


def _beginning(data: bytes) -> str:
    if not data:
        return "nothing (0 bytes)"
    return repr(data[:20].decode("ascii", "replace").replace("\ufffd", "?"))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep pypdf's remarks off the log and the screen."""
    logger = logging.getLogger("pypdf")
    level, propagate = logger.level, logger.propagate
    logger.setLevel(logging.CRITICAL + 1)
    logger.propagate = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        logger.propagate = propagate
