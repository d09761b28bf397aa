"""The language of a text, only when it can be told with confidence."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_CONFIDENT = 0.95
_CONFIDENT_PART = 0.9
_MIN_WORDS = 20
_MIN_LETTERS = 20
_SAMPLE = 100_000
_WINDOW = 4_000
_LETTERS = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "LATIN": "latin",
    "FULLWIDTH": "latin",
    "CYRILLIC": "cyrillic",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "HEBREW": "hebrew",
    "DEVANAGARI": "devanagari",
    "CJK": "han",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "HANGUL": "hangul",
}
_SHARED = ("latin", "cyrillic", "arabic", "devanagari")


def detect_language(text: str) -> str | None:
    """Return an ISO code, the name of a non-Latin script (`han`, `kana`, `thai`), or None when unsure.

    Languages that share a script are told apart by py3langid: the text as a whole with a probability of at
    least 0.95, and its beginning, middle and end alike. Any other script names itself, as the report contract
    has it; so does a shared non-Latin one whose language stays unsure.
    """
    sample = text[:_SAMPLE]
    script = dominant_script(sample)
    if script is None or script not in _SHARED:
        return script
    language = _confident(sample) if len(_LETTERS.findall(sample)) >= _MIN_WORDS else None
    return language or (None if script == "latin" else script)


def dominant_script(text: str) -> str | None:
    """Return the script of at least half of the letters, in lower case; None below 20 letters.

    Japanese is `kana` from a tenth of kana among its han characters.
    """
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            counts[_script(character)] += count
    if counts["kana"] * 10 >= counts["han"]:
        counts["kana"] += counts.pop("han", 0)
    total = counts.total()
    name, most = max(counts.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return name if total >= _MIN_LETTERS and most * 2 >= total else None


@cache
def _script(character: str) -> str:
    first = unicodedata.name(character, "UNNAMED").split(" ", 1)[0].split("-", 1)[0]
    return _SCRIPTS.get(first, first.lower())


def identify(text: str) -> tuple[str, float]:
    """Return py3langid's best language (ISO code) for `text` and its probability in [0, 1]."""
    language, probability = _identifier().classify(text[:_SAMPLE])
    return str(language), float(probability)


def _confident(text: str) -> str | None:
    language, probability = identify(text)
    if probability < _CONFIDENT:
        return None
    middle = len(text) // 2
    windows = (text[:_WINDOW], text[middle - _WINDOW // 2 : middle + _WINDOW // 2], text[-_WINDOW:])
    alike = len(text) <= _WINDOW or all(_agrees(identify(window), language) for window in windows)
    return language if alike and language != "zxx" else None


def _agrees(found: tuple[str, float], language: str) -> bool:
    return found[0] == language and found[1] >= _CONFIDENT_PART


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
