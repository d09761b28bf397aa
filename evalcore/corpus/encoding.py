"""Bytes to text: byte order marks, UTF-8, UTF-16 and UTF-32 without one, older encodings."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from evalcore.corpus.codepages import guess_code_page
from evalcore.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive (as .docx, .xlsx and .zip are)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (as .doc and .xls are)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"{\\rtf", "an RTF document"),
)
_CONTROLS = bytes({*range(32), 127} - {9, 10, 12, 13, 27})
_CHARSET = re.compile(
    r"(utf-?8|us-ascii|iso-?8859-?\d+|latin-?\d|(windows|cp)-?\d+|shift[_-]?jis|sjis|euc-?(jp|kr)|gb(k|2312|18030)"
    r"|big5(-hkscs)?|koi8-[ru]|iso-2022-(jp|kr)|tis-620|macintosh|mac-?roman)",
    re.IGNORECASE,
)
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SAMPLE = 200_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text less its byte order mark, the encoding (Python's name), and whether that was a guess."""

    text: str
    encoding: str
    guessed: bool = False


def signature(data: bytes) -> str | None:
    """Return what kind of binary file the first bytes announce, if any."""
    return next((kind for magic, kind in _SIGNATURES if data.startswith(magic)), None)


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode a text file; `declared` is the encoding its own markup names, if any.

    Bytes that do not fit become U+FFFD.

    Raises:
        DocumentError: when it is binary data; the message has no file name yet.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace"), encoding)
    if kind := signature(data):
        raise DocumentError(f"is {kind}, not text; give it the ending that fits, or leave it out")
    without_mark = _wide(data)
    if without_mark is not None:
        return without_mark
    if _share(data[:_SAMPLE], _CONTROLS) > 0.01:
        raise DocumentError("is binary data, not text; leave it out, or save it as text")
    if data.isascii():
        return _declared(data, declared) or Decoded(data.decode("ascii"), "utf-8")
    return _strict_utf8(data) or _declared(data, declared) or _mostly_utf8(data) or _single_byte(data)


def repair_surrogates(text: str) -> tuple[str, int]:
    """Join surrogate pairs, turn lone surrogates into U+FFFD; return the text and how many were alone."""
    if not _SURROGATE.search(text):
        return text, 0
    joined = _SURROGATE_PAIR.sub(_join, text)
    return _SURROGATE.subn("\ufffd", joined)


def damaged_share(text: str) -> float:
    """Return the share, in [0, 1], of unassigned, private-use and control characters and U+FFFD."""
    counts = Counter(text)
    damaged = sum(count for character, count in counts.items() if _is_damage(character))
    return damaged / len(text) if text else 0.0


def _is_damage(character: str) -> bool:
    if character in "\t\n\r\f\x1b":
        return False
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs")


def _join(match: re.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _share(data: bytes, values: bytes) -> float:
    return (len(data) - len(data.translate(None, values))) / len(data) if data else 0.0


def _wide(data: bytes) -> Decoded | None:
    """Recognise UTF-32 and UTF-16 without a mark by where their zero bytes stand."""
    if b"\x00" not in data:
        return None
    for encoding in _wide_candidates(data[: _SAMPLE * 4]):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if damaged_share(text) < 0.01:
            return Decoded(text, encoding, guessed=True)
    return None


def _wide_candidates(data: bytes) -> list[str]:
    zeros = [_share(data[place::4], b"\x00") for place in range(4)]
    found = []
    if min(zeros[2], zeros[3]) > 0.9:
        found.append("utf-32-le")
    if min(zeros[0], zeros[1]) > 0.9:
        found.append("utf-32-be")
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if max(even, odd) > 0.2 or _strict_utf8(data) is None:
        found += ["utf-16-le"] if odd > even * 5 else ["utf-16-be"] if even > odd * 5 else []
    return found


def _declared(data: bytes, name: str | None) -> Decoded | None:
    if name is None or not _CHARSET.fullmatch(name.strip()):
        return None
    try:
        encoding = codecs.lookup(name.strip()).name
        encoding = "cp1252" if encoding in ("iso8859-1", "ascii") else encoding
        return Decoded(data.decode(encoding), encoding)
    except (LookupError, UnicodeDecodeError):
        return None


def _strict_utf8(data: bytes) -> Decoded | None:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return None


def _mostly_utf8(data: bytes) -> Decoded | None:
    """Decode UTF-8 with a few broken bytes among many good characters."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    good = sum(count for character, count in Counter(text).items() if character > "\x7f") - broken
    return Decoded(text, "utf-8") if good >= 10 * broken else None


def _single_byte(data: bytes) -> Decoded:
    encoding = guess_code_page(data[:_SAMPLE])
    return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)
