"""Where sentences begin and end, in any script, in time proportional to the text.

A sentence ends at a blank line; at a full stop of a script that puts no space after it; at `.`, `!`, `?` or
`…` before white space, unless what stands around it says otherwise (an abbreviation, an initial, a
lower-case continuation, a list number); at a Markdown heading, list item or table row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

Range = tuple[int, int]

_CLOSERS = "[\"'”’»›)\\]}*_`」』）】》〉〕｝]"
_WIDE = "。！？｡．‼⁇⁈⁉।॥።፧።។៕။۔؟։"
_NARROW = ".!?…"
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_END = re.compile(
    rf"(?P<wide>[{_WIDE}][{_WIDE}{_NARROW}]*+){_CLOSERS}*+(?!\d)"
    # Looked for only where a run of marks begins, so that a long run is read once.
    rf"|(?<![{_NARROW}])(?P<narrow>[{_NARROW}][{_NARROW}{_WIDE}]*+){_CLOSERS}*+(?:\[\d+\])*+(?=\s)"
    rf"|(?P<mark>[!?])(?=[{_UNSPACED}])"
    r"|(?P<line>\n)"
)
_BLANK = re.compile(r"[^\S\n]*+(?:\n|\Z)")
_BLOCK = re.compile(r"[^\S\n]*+(?:#{1,6}[^\S\n]|[-*+•‣▪][^\S\n]|\(?\d{1,3}[.)][^\S\n]|\||```|~~~)")
_CLOSED_LINE = re.compile(r"[^\S\n]*+(?:#{1,6}[^\S\n]|\|)")
_NEXT_WORD = re.compile(r"\s*+[\"'“‘„«‹(\[¿¡*_`「『（]*+(\w?[^\W_]*+)")
_LAST_WORD = re.compile(r"[^\s(\[{\"“‘„«/]*\Z")
_LONGEST_WORD = 24

_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\Z")
_LIST_NUMBER = re.compile(r"[\s(#>*-]*(?:\d{1,3}|[ivxlcIVXLC]{1,5}|[A-Za-z])\Z")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# A full stop after these never ends a sentence; after these only where no number follows; after these only
# where a word follows that often opens one. German ordinals end none before a month.
_NEVER = _words(
    """
    dr mr mrs ms mx prof rev fr hon messrs mme mlle st sen rep gov gen col maj capt cpt lt sgt cmdr adm
    pres supt e.g i.e eg ie cf viz vs approx ca resp incl excl esp mt ft z.b d.h u.a i.d.r u.u bzw evtl
    ggf sog vgl hr dipl ing sra sr.a dña
    """
)
_BEFORE_NUMBER = _words(
    """
    no nos nr fig figs tab eq eqs vol vols p pp pg sec sect art arts ch chap para par abs ref refs ex
    app v ver pt pts cl subd reg bd s jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
_PERHAPS = _words(
    """
    etc inc ltd co corp llc plc bros jr sr dept univ assn est al a.m p.m ph.d b.sc m.sc m.d u.s u.k e.u
    jan feb mar apr jun jul aug sep sept oct nov dec usw
    """
)
_OPENERS = _words(
    """
    the a an this that these those it its he she they we you i his her their our your there here in on
    at by for from with if when while where after before as although but and or however moreover
    therefore thus so such some many most all both each every no not one two what who why how which to
    since because until during under der die das ein eine es er sie wir ich und aber im am el la los las
    un una le les
    """
)
_AFTER_ORDINAL = _words(
    """
    januar jänner februar märz april mai juni juli august september oktober november dezember
    jahrhundert jahrhunderts
    """
)


def sentence_spans(text: str) -> list[Range]:
    """Return the sentences' character ranges, in order, without white space at their ends.

    Every character that is not white space is in exactly one of them.
    """
    spans: list[Range] = []
    for start, end in pairwise([0, *_cuts(text), len(text)]):
        part = text[start:end]
        left = end - len(part.lstrip())
        right = start + len(part.rstrip())
        if left < right:
            spans.append((left, right))
    return spans


def is_inside(sentences: Sequence[Range], place: int) -> bool:
    """Return whether `place` falls strictly inside one of the sentences, which are in order."""
    index = bisect_left(sentences, (place, -1)) - 1
    return index >= 0 and place < sentences[index][1]


def _cuts(text: str) -> Iterator[int]:
    """Yield the places between sentences; several may lie in one run of white space."""
    sentence = line = 0
    for match in _END.finditer(text):
        if match.lastgroup == "line":
            ends = _line_ends(text, line, match.end())
            line = match.end()
        elif match.lastgroup == "narrow":
            ends = _stop_ends(text, sentence, match)
        else:
            ends = not (text[match.end() - 1] in "」』" and text.startswith("と", match.end()))
        if ends:
            sentence = match.end()
            yield sentence


def _line_ends(text: str, line: int, following: int) -> bool:
    """Return whether a sentence ends with the line that starts at `line`, before the one at `following`."""
    blank_or_block = _BLANK.match(text, following) or _BLOCK.match(text, following)
    return bool(blank_or_block or _CLOSED_LINE.match(text, line, following))


def _stop_ends(text: str, sentence: int, match: re.Match[str]) -> bool:
    """Return whether a sentence that began at `sentence` ends at this stop, which white space follows.

    A lower-case word continues it, unless it is one like mRNA or a footnote's mark before a capital (bSkin).
    """
    found = _NEXT_WORD.match(text, match.end())
    following = found.group(1) if found else ""
    if following[:1].islower() and not following[1:2].isupper():
        return False
    if match.group("narrow") != ".":
        return True
    stop = match.start()
    word = _last_word(text, max(sentence, stop - _LONGEST_WORD), stop)
    if stop - sentence <= _LONGEST_WORD and _LIST_NUMBER.match(text[sentence:stop]):
        return False
    return _word_ends(word, following)


def _last_word(text: str, start: int, stop: int) -> str:
    found = _LAST_WORD.search(text[start:stop])
    return found.group() if found else ""


def _word_ends(word: str, following: str) -> bool:
    """Return whether a full stop after `word` ends its sentence, given the word that follows."""
    known, following = word.casefold(), following.casefold()
    if known in _NEVER:
        return False
    if known in _BEFORE_NUMBER and following[:1].isdigit():
        return False
    if known.isdigit() and len(known) <= 2 and following in _AFTER_ORDINAL:
        return False
    if known in _PERHAPS or _INITIALS.match(word):
        return not following or following in _OPENERS
    return True
