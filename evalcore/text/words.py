"""Words for word statistics (tf-idf, BM25, `lexical`, `hash`): one function, used everywhere."""

from __future__ import annotations

import re

_RUN = re.compile(r"[^\W_]+")
_HAN = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001aff0-\U0001b16f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc"
_THAI = "\u0e00-\u0e7f"
_WITHOUT_SPACES = re.compile(f"[{_HAN}{_KANA}{_HANGUL}{_THAI}]")


def words(text: str) -> list[str]:
    """Return the words of `text` in order, lower-cased: maximal runs of letters and digits.

    An underscore separates. A run that holds a character of a script written without spaces (Han, kana,
    Hangul, Thai) gives its overlapping character pairs instead; a run of one character stays itself.
    Definition: spec/results.md §3.
    """
    found: list[str] = []
    for run in _RUN.findall(text):
        word = run.lower()
        if word.isascii() or len(word) < 3 or not _WITHOUT_SPACES.search(word):
            found.append(word)
        else:
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
    return found
