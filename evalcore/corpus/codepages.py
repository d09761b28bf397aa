"""Which older encoding a text was written in, judged by its bytes alone: always a guess."""

from __future__ import annotations

import re

from evalcore.corpus.language import identify

_LATIN = {
    "cp1252": "äöüßéèêëàâáãåæçñíìîïóòôõøúùûœþðý",
    "cp1250": "áčďéěíňóřšťúůýžąćęłńśźżäöüßőűâîăşţđëôľç",
    "cp1254": "çğıi̇öşüâîû",
    "cp1257": "āčēģīķļņšūžąęėįųõäöü",
}
_RUN = re.compile(r"[^\x00-\x7f]+")
_ASCII_LETTER = re.compile("[A-Za-z]")
_LONG_RUN = 3
_MOST_ACCENTS = 0.45
_NEARLY = 0.1
_CLEARLY = 3


def guess_code_page(sample: bytes) -> str:
    """Return Python's name of the likeliest encoding of `sample`, which is not UTF-8.

    Where accents stand alone among ASCII letters it is a Latin code page: the one whose usual letters they
    are; where two fit, the one in which the text reads clearly more like a language; else cp1252. Any other
    text is left to charset-normalizer.
    """
    if _accents_stand_alone(sample.decode("cp1252", "replace")):
        return _latin_code_page(sample)
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return "cp1252" if best is None else best.encoding


def _accents_stand_alone(text: str) -> bool:
    runs = _RUN.findall(text)
    accents, letters = sum(map(len, runs)), len(_ASCII_LETTER.findall(text))
    if accents > _MOST_ACCENTS * (accents + letters):
        return False
    long = sum(len(run) >= _LONG_RUN for run in runs)
    return long * 2 < len(runs) and long <= max(1, 0.3 * len(runs))


def _latin_code_page(sample: bytes) -> str:
    best, *others = _LATIN
    for other in others:
        if _is_better(other, best, sample):
            best = other
    return best


def _is_better(challenger: str, champion: str, sample: bytes) -> bool:
    """Compare two code pages on the characters that they read differently."""
    new, old = sample.decode(challenger, "replace"), sample.decode(champion, "replace")
    places = [place for place, (a, b) in enumerate(zip(new, old, strict=True)) if a != b]
    gain = _usual_share(new, places, _LATIN[challenger]) - _usual_share(old, places, _LATIN[champion])
    if not places or abs(gain) > _NEARLY:
        return gain > 0
    return _odds(new) > _CLEARLY * _odds(old)


def _odds(text: str) -> float:
    """Return the odds that `text` is of the language it looks most like."""
    probability = identify(text)[1]
    return probability / (1 - probability + 1e-9)


def _usual_share(text: str, places: list[int], usual: str) -> float:
    """Return the share of usual letters among the characters at `places`, in [0, 1]; 1 of none."""
    verdicts = [_is_usual(text, place, usual) for place in places]
    counted = [verdict for verdict in verdicts if verdict is not None]
    return sum(counted) / len(counted) if counted else 1.0


def _is_usual(text: str, place: int, usual: str) -> bool | None:
    """Judge one character; None for signs between words, which tell nothing."""
    character = text[place]
    if (character.isalpha() and character not in "ºª") or character == "\ufffd":
        return character.lower() in usual
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if character in "¿¡" and after.isalpha() and not before.isalpha():
        return True
    if character in "ºª" and before.isdigit():
        return True
    return False if before.isalpha() and after.isalpha() and character not in "’‘·\xad" else None
