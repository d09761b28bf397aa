from __future__ import annotations

from evalcore.chunking.base import chunk_corpus
from evalcore.chunking.sentence import SentenceChunker
from evalcore.corpus.document import Document

FIVE = "One is. Two is. Three is. Four is. Five is."


def texts(text: str, window: int, overlap: int, max_tokens: int = 1000) -> list[str]:
    chunker = SentenceChunker(window, overlap, max_tokens, "regex")
    return [c.text for c in chunk_corpus([Document("doc", text)], chunker).chunks]


def test_windows_share_their_overlap_and_the_last_ends_the_document() -> None:
    assert texts(FIVE, 2, 0) == ["One is. Two is.", "Three is. Four is.", "Five is."]
    assert texts(FIVE, 3, 1) == ["One is. Two is. Three is.", "Three is. Four is. Five is."]
    assert texts(FIVE, 9, 8) == [FIVE]


def test_a_window_closes_before_it_exceeds_its_tokens() -> None:
    assert texts(FIVE, 5, 0, max_tokens=6) == ["One is. Two is.", "Three is. Four is.", "Five is."]


def test_sentences_are_not_shared_where_they_and_the_next_are_too_large() -> None:
    assert texts("One is. Here is a longer one. Two is.", 2, 1, max_tokens=7) == [
        "One is.",
        "Here is a longer one.",
        "Two is.",
    ]


def test_a_sentence_above_the_limit_is_split_at_its_commas() -> None:
    assert texts("One, two, three, four. Five is.", 1, 0, max_tokens=4) == [
        "One, two,",
        "three, four.",
        "Five is.",
    ]


def test_no_chunk_lies_inside_the_one_before() -> None:
    chunker = SentenceChunker(3, 2, 8, "regex")
    found = chunk_corpus([Document("doc", f"{FIVE} And this one has more words. Six is.")], chunker).chunks
    ends = [c.span.end for c in found]
    assert ends == sorted(set(ends))
