"""Bytes of a question or settings file → text, and texts shown in one line of a message."""

from __future__ import annotations

import codecs

MAX_BYTES = 50 * 1024 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZERO_PATTERNS = {
    (False, True, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}


class DecodingError(ValueError):
    """The bytes are no text that we read; the message is one line without the file's name."""


def decode(data: bytes) -> str:
    """Return the text of `data` without its byte order mark, line ends as they are.

    UTF-8, or UTF-16 and UTF-32 with a byte order mark or beginning with ASCII characters. Other encodings
    are refused rather than guessed: a wrongly guessed letter makes a gold passage that is nowhere found.

    Raises:
        DecodingError: too large, a zip archive, or not such a text; names the line.
    """
    if len(data) > MAX_BYTES:
        raise DecodingError(f"has {len(data):,} bytes; expected at most {MAX_BYTES:,}; split the file")
    if data.startswith(b"PK\x03\x04"):
        raise DecodingError("is a spreadsheet or zip file; expected text; export it as CSV (UTF-8)")
    bom, encoding = next(((b, e) for b, e in _BOMS if data.startswith(b)), (b"", ""))
    encoding = encoding or _ZERO_PATTERNS.get(tuple(b == 0 for b in data[:4]), "utf-8")  # type: ignore[arg-type]
    data = data[len(bom) :]
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        found = f"byte 0x{data[error.start]:02x} is not {encoding.upper()} text"
        raise DecodingError(f"line {line}: {found}; save the file as UTF-8") from None


def shown(value: object, limit: int = 60) -> str:
    """Return `value` as Python writes it, control characters escaped, cut to about `limit` characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and len(value) > limit:
        return repr(value[: limit - 1] + "…")
    text = repr(value)
    return text if len(text) <= limit + 2 else text[: limit - 1] + "…"


def label(name: str) -> str:
    """Return a file's name as it can stand at the start of a message of one line."""
    return name if name.isprintable() and len(name) <= 200 else shown(name, 200)
