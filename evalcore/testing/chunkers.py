"""The laws of chunkers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from evalcore.chunking.base import SentenceVectors
from evalcore.chunking.plugged import raw_ranges
from evalcore.corpus.document import Document, MediaType
from evalcore.corpus.reading import read_text
from evalcore.embedding.hashing import HashEmbedder
from evalcore.testing.base import Check, Make, expect, run_all
from evalcore.testing.texts import AWKWARD, LONG, ORDINARY, OTHER
from evalcore.text.tokens import CL100K, get_tokenizer

Ranges = list[tuple[int, int]]
_BLANK = ("", " ", "\n\n \t\r\n")


def check_chunker(make: Make) -> None:
    """Run all checks on what `make()` returns: a chunker, or a function from a text to ranges.

    Raises:
        ConformanceError: one line per check that failed.
    """
    run_all(chunker_checks(), make)


def chunker_checks() -> list[Check]:
    """Return the checks; `run(make)` takes what `check_chunker` takes."""
    return [
        Check("ranges_inside", "a chunk is a slice of its document", partial(_on_each, _ranges_inside)),
        Check(
            "ranges_in_order", "a document's chunks are read in order", partial(_on_each, _ranges_in_order)
        ),
        Check("no_blank_chunk", "a chunk of white space answers nothing", partial(_on_each, _no_blank_range)),
        Check("no_chunk_twice", "one passage would count as two", partial(_on_each, _no_range_twice)),
        Check(
            "covers_the_text", "what is in no chunk cannot be found; say gaps = True if you mean it", _covers
        ),
        Check("same_ranges_again", "a run that is resumed cuts again", _deterministic),
        Check(
            "same_ranges_for_an_equal_document", "a document is read anew in each process", _equal_document
        ),
        Check("each_document_by_itself", "chunks depend on nothing but their document", _independent),
        Check("document_left_alone", "other chunkers cut the same document", _no_mutation),
        Check("blank_document", "a scan without text is read as nothing", _blank_documents),
        Check("keeps_its_limit", "chunks above the limit are flagged as oversized", _limit),
        *(Check(name, "documents hold such texts", partial(_awkward, name)) for name in AWKWARD),
    ]


def _cut(made: Any, document: Document) -> Ranges:
    return [(start, end) for start, end in raw_ranges(made, document, _vectors())]


def _vectors() -> SentenceVectors:
    return HashEmbedder().encode


def _markdown(text: str, name: str = "check.md") -> Document:
    return read_text(name, text, MediaType.MARKDOWN)


def _documents() -> list[Document]:
    return [_markdown(ORDINARY), _markdown(LONG), Document("plain", OTHER)]


def _on_each(law: Callable[[Ranges, str], None], make: Make) -> None:
    for document in _documents():
        law(_cut(make(), document), document.text)


def _covers(make: Make) -> None:
    if not getattr(make(), "gaps", False):
        _on_each(_all_covered, make)


def _ranges_inside(ranges: Ranges, text: str) -> None:
    for start, end in ranges:
        expect(
            0 <= start < end <= len(text),
            f"found {start}..{end}; expected ranges inside 0..{len(text)} that are not empty",
        )


def _ranges_in_order(ranges: Ranges, _text: str) -> None:
    expect(ranges == sorted(ranges), f"found {_first_fall(ranges)}; expected ranges in order of start")


def _first_fall(ranges: Ranges) -> str:
    falls = (f"{before} before {after}" for before, after in pairwise(ranges) if after < before)
    return next(falls, "")


def _no_blank_range(ranges: Ranges, text: str) -> None:
    for start, end in ranges:
        expect(
            not text[start:end].isspace(), f"found only white space at {start}..{end}; expected visible text"
        )


def _no_range_twice(ranges: Ranges, _text: str) -> None:
    for place in ranges:
        expect(ranges.count(place) == 1, f"found {place} {ranges.count(place)} times; expected once")


def _all_covered(ranges: Ranges, text: str) -> None:
    covered = bytearray(len(text))
    for start, end in ranges:
        covered[start:end] = b"\x01" * (min(end, len(text)) - start)
    for place, character in enumerate(text):
        if not covered[place] and not character.isspace():
            shown = text[place : place + 30]
            expect(False, f"found {shown!r} at {place} in no chunk; expected all visible text in one")


def _deterministic(make: Make) -> None:
    document = _markdown(ORDINARY)
    one, another = make(), make()
    first = _cut(one, document)
    expect(_cut(one, document) == first, "found other ranges the second time; expected the same")
    expect(_cut(another, document) == first, "found other ranges from a second instance; expected the same")


def _equal_document(make: Make) -> None:
    made = make()
    # Kept until both are cut: a document that is gone may leave its address to the next.
    documents = [_markdown("".join(ORDINARY)), copy.deepcopy(_markdown(ORDINARY))]
    first, second = (_cut(made, document) for document in documents)
    expect(first == second, "found other ranges for a document of equal content; expected the same")


def _independent(make: Make) -> None:
    first, second = _markdown(ORDINARY), _markdown(OTHER, "other.md")
    alone = _cut(make(), second)
    made = make()
    _cut(made, first)
    expect(_cut(made, second) == alone, "found other ranges after another document; expected the same")


def _no_mutation(make: Make) -> None:
    document = _markdown(ORDINARY)
    before = copy.deepcopy(document)
    _cut(make(), document)
    expect(document == before, "found the document changed; expected it as it was")


def _blank_documents(make: Make) -> None:
    for text in _BLANK:
        found = _cut(make(), Document("blank", text))
        expect(not found, f"found {found} for {text!r}; expected no chunk")


def _limit(make: Make) -> None:
    made = make()
    limit = getattr(made, "limit", None)
    if limit is None:
        return
    name = str(getattr(made, "tokenizer", CL100K))
    count = get_tokenizer(name).count
    for start, end in _cut(made, Document("long", LONG)):
        size = count(LONG[start:end])
        # A word alone may be larger than a limit of a few tokens.
        is_word = len(LONG[start:end].split()) == 1
        expect(
            size <= limit or is_word,
            f"found {size} {name} tokens at {start}..{end}; expected {limit} at most",
        )


def _awkward(name: str, make: Make) -> None:
    text = AWKWARD[name]
    made = make()
    ranges = _cut(made, Document(name, text))
    expect(ranges, "found no chunk; expected at least one")
    laws: Sequence[Callable[[Ranges, str], None]] = (
        _ranges_inside,
        _ranges_in_order,
        _no_blank_range,
        _no_range_twice,
    )
    for law in laws:
        law(ranges, text)
    if not getattr(made, "gaps", False):
        _all_covered(ranges, text)
