"""The normal form in which passages are compared, with a map back to the original characters."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import regex

Positions = npt.NDArray[np.int64]

_QUOTES = dict.fromkeys("‘’‚‛′ʼ`´", "'") | dict.fromkeys("“”„‟″«»", '"')
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
_INVISIBLE = dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u180e\u200e\u200f", "")
_SAME = {ord(c): s for c, s in (_QUOTES | _DASHES | _INVISIBLE).items()}

# A word cut at a line's end: a letter, a hyphen (or a soft one), a line break, a small letter.
_CUT_WORD = regex.compile(r"(?<=\p{L})[-\u2010\u00ad][ \t]*\r?\n[ \t]*(?=\p{Ll})")
_PIECE = regex.compile(
    r"(?P<plain>[!-~]++(?: [!-~]++)*+(?![\p{M}\u200c\u200d])|[!-~]+(?: [!-~]+)*(?![\p{M}\u200c\u200d]))"
    r"|(?P<blank>\s+)|(?P<other>\X)"
)


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normal form; character i of `text` comes from characters `starts[i]..ends[i]` of the original."""

    text: str
    starts: Positions
    ends: Positions

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original range of the characters `start..end` of the normal form, which is not empty."""
        return int(self.starts[start]), int(self.ends[end - 1])


def normalise(text: str) -> Normalised:
    """Return the normal form of `text` with its map.

    Lower case; runs of white space are one space, none at the ends; NFKC; soft hyphens and zero-width
    characters gone; quotation marks and dashes in one form; a word cut by a hyphen at a line's end is joined.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    after_blank = True
    for part_start, part_end in _between_cuts(text):
        for match in _PIECE.finditer(text, part_start, part_end):
            start, end = match.span()
            if match.lastgroup == "plain":
                piece = match.group().lower().translate(_SAME)
                starts.extend(range(start, end))
                ends.extend(range(start + 1, end + 1))
            else:
                piece = " " if match.lastgroup == "blank" else _cluster(match.group())
                if not piece or (piece == " " and after_blank):
                    continue
                starts.extend([start] * len(piece))
                ends.extend([end] * len(piece))
            pieces.append(piece)
            after_blank = piece == " "
    return _trimmed("".join(pieces), starts, ends)


def fold(text: str) -> str:
    """Return the normal form of `text` without its map; the same characters, faster on plain ASCII."""
    if text.isascii() and _CUT_WORD.search(text) is None:
        return " ".join(text.lower().translate(_SAME).split())
    return normalise(text).text


def _between_cuts(text: str) -> list[tuple[int, int]]:
    edges = [0, *(edge for cut in _CUT_WORD.finditer(text) for edge in cut.span()), len(text)]
    return list(zip(edges[::2], edges[1::2], strict=True))


@lru_cache(maxsize=65536)
def _cluster(cluster: str) -> str:
    folded = unicodedata.normalize("NFKC", cluster.translate(_SAME)).lower().translate(_SAME)
    return " ".join(folded.split()) if not folded.isspace() else " "


def _trimmed(text: str, starts: list[int], ends: list[int]) -> Normalised:
    left = len(text) - len(text.lstrip(" "))
    stripped = text.strip(" ")
    right = left + len(stripped)
    return Normalised(
        stripped, np.array(starts[left:right], dtype=np.int64), np.array(ends[left:right], dtype=np.int64)
    )
