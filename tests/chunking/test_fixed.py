from __future__ import annotations

from evalcore.chunking.base import chunk_corpus
from evalcore.chunking.fixed import FixedChunker
from evalcore.corpus.document import Document

ABC = Document("doc", "aa bb cc dd ee ff gg")


def texts(document: Document, size: int, overlap: int, tokenizer: str = "regex") -> list[str]:
    return [c.text for c in chunk_corpus([document], FixedChunker(size, overlap, tokenizer)).chunks]


def test_windows_step_by_size_less_overlap() -> None:
    assert texts(ABC, 3, 1) == ["aa bb cc", "cc dd ee", "ee ff gg"]


def test_the_first_window_to_reach_the_end_is_the_last() -> None:
    assert texts(ABC, 4, 1) == ["aa bb cc dd", "dd ee ff gg"]
    assert texts(ABC, 5, 3) == ["aa bb cc dd ee", "cc dd ee ff gg"]
    assert texts(ABC, 7, 6) == ["aa bb cc dd ee ff gg"]
    assert texts(ABC, 100, 99) == ["aa bb cc dd ee ff gg"]


def test_a_shorter_last_window_follows_where_the_step_does_not_divide_the_text() -> None:
    assert texts(ABC, 3, 0) == ["aa bb cc", "dd ee ff", "gg"]


def test_size_one_gives_every_token() -> None:
    assert texts(ABC, 1, 0) == ["aa", "bb", "cc", "dd", "ee", "ff", "gg"]


def test_windows_of_white_space_only_are_left_out() -> None:
    assert texts(Document("doc", "a    b"), 2, 0, "character") == ["a ", " b"]


def test_windows_inside_one_character_are_one_chunk() -> None:
    # Each of these emoji has two cl100k_base tokens.
    found = chunk_corpus([Document("doc", "😀😀")], FixedChunker(1, 0, "cl100k_base")).chunks
    assert [(c.span.start, c.span.end, c.tokens, c.oversized) for c in found] == [
        (0, 1, 2, True),
        (1, 2, 2, True),
    ]


def test_a_repeated_sentence_is_placed_where_each_window_stands() -> None:
    # Every "one two three four five." has six regex tokens and 24 characters, and a space between.
    sentence = "one two three four five."
    document = Document("doc", " ".join([sentence] * 3))
    found = chunk_corpus([document], FixedChunker(6, 3, "regex")).chunks
    assert [(c.span.start, c.span.end) for c in found] == [(0, 24), (14, 38), (25, 49), (39, 63), (50, 74)]
