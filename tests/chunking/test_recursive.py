from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.chunking.base import chunk_corpus
from evalcore.chunking.recursive import RecursiveChunker
from evalcore.corpus.document import Document
from tests.page import published


def texts(text: str, size: int, overlap: int = 0, tokenizer: str = "regex") -> list[str]:
    chunker = RecursiveChunker(size, overlap, tokenizer)
    return [c.text for c in chunk_corpus([Document("doc", text)], chunker).chunks]


def test_a_text_that_fits_is_one_chunk_without_the_white_space_around_it() -> None:
    assert texts(" \n one two. \n", 3) == ["one two."]


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("a b\nc d\n\ne f\ng h", 4, ["a b\nc d", "e f\ng h"]),
        ("a b\nc d\n\ne f", 3, ["a b", "c d", "e f"]),
        ("a b c. d e, f; g", 4, ["a b c.", "d e,", "f; g"]),
        ("a b? c d! e f", 3, ["a b?", "c d!", "e f"]),
        ("a b; c d, e f", 3, ["a b;", "c d,", "e f"]),
        ("a b c d e", 2, ["a b", "c d", "e"]),
    ],
)
def test_the_largest_separator_that_is_near_cuts(text: str, size: int, expected: list[str]) -> None:
    assert texts(text, size) == expected


def test_pieces_of_different_depth_are_packed_together() -> None:
    # The first paragraph is too large and falls into lines; its last line is packed with the next paragraph.
    assert texts("a b c\nd\n\ne f", 3) == ["a b c", "d\n\ne f"]


def test_a_piece_without_a_separator_is_cut_into_windows_of_tokens() -> None:
    assert texts("a-b-c-d", 3) == ["a-b", "-c-", "d"]
    assert texts("abcdefg", 3, tokenizer="character") == ["abc", "def", "g"]


def test_every_chunk_but_the_first_begins_overlap_tokens_earlier() -> None:
    assert texts("aa bb cc dd ee", 2, 1) == ["aa bb", "bb cc dd", "dd ee"]


def test_the_overlap_counts_the_document_and_not_the_chunk_before() -> None:
    assert texts("aa\n\nbb bb bb bb\n\ncc cc cc cc", 4, 3) == [
        "aa",
        "aa\n\nbb bb bb bb",
        "bb bb bb\n\ncc cc cc cc",
    ]


def test_the_overlap_of_an_early_chunk_stops_at_the_start_of_the_document() -> None:
    assert texts("a\n\nb b b\n\nc c c", 3, 2) == ["a", "a\n\nb b b", "b b\n\nc c c"]


def test_a_single_character_larger_than_the_size_is_alone_and_flagged() -> None:
    found = chunk_corpus([Document("doc", "😀😀")], RecursiveChunker(1, 0)).chunks
    assert [(c.text, c.oversized) for c in found] == [("😀", True), ("😀", True)]


@pytest.mark.shared
@pytest.mark.parametrize(("size", "expected"), [(512, 8), (16, 63)])
def test_the_published_sweep_has_its_number_of_chunks(shared: Path, size: int, expected: int) -> None:
    documents = [Document(name, text) for name, text in published(shared).documents.items()]
    assert len(chunk_corpus(documents, RecursiveChunker(size, size // 8, "regex"))) == expected
