from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter

import evalcore.chunking.langchain_recursive as module
from evalcore.chunking.base import chunk_corpus
from evalcore.chunking.langchain_recursive import LangchainRecursiveChunker, Standins
from evalcore.corpus.document import Document
from evalcore.text.tokens import get_tokenizer
from tests.chunking.support import TOKENIZERS, mixed_text, repeating_text, texts

sizes = st.integers(1, 30).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


def plain(text: str, size: int, overlap: int, tokenizer: str) -> list[str]:
    splitter = RecursiveCharacterTextSplitter(
        separators=["\n\n", "\n", ". ", " ", ""],
        keep_separator=True,
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=get_tokenizer(tokenizer).count,
    )
    return splitter.split_text(text)


def places(text: str, size: int, overlap: int, tokenizer: str = "regex") -> list[tuple[int, int]]:
    chunker = LangchainRecursiveChunker(size, overlap, tokenizer)
    return [(c.span.start, c.span.end) for c in chunk_corpus([Document("doc", text)], chunker).chunks]


def distinct(pieces: list[str]) -> list[str]:
    return [piece for piece, _ in groupby(piece for piece in pieces if piece.strip())]


@given(texts, sizes, st.sampled_from(TOKENIZERS))
def test_the_texts_are_langchains_own(text: str, size: tuple[int, int], tokenizer: str) -> None:
    ours = [text[start:end] for start, end in places(text, *size, tokenizer)]
    assert distinct(ours) == distinct(plain(text, *size, tokenizer))


@given(st.one_of(mixed_text, repeating_text), sizes)
def test_neighbours_leave_no_gap_and_share_no_more_than_the_overlap(text: str, size: tuple[int, int]) -> None:
    found = places(text, *size)
    count = get_tokenizer("regex").count
    for (_, end), (start, _) in pairwise(found):
        assert not text[end:start].strip()
        assert count(text[start:end]) <= size[1]


def test_repeated_text_is_placed_where_it_was_cut() -> None:
    text = "one two one two one two one two"
    # Three words at a time, the last word of each repeated: found by search, all would start at 0 or 4.
    assert places(text, 3, 1) == [(0, 11), (8, 19), (16, 27), (24, 31)]


def test_overlapping_characters_are_placed_where_they_were_cut() -> None:
    assert places("chunk chunk", 5, 2, "character") == [(0, 5), (6, 10), (8, 11)]


def test_a_sentence_that_stands_twice_is_placed_twice() -> None:
    text = "The answer is here.\n\nSomething else stands here.\n\nThe answer is here."
    assert places(text, 6, 0) == [(0, 19), (21, 48), (50, 69)]


def test_a_document_with_more_characters_than_stand_ins_is_placed_exactly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_AVAILABLE", 60)
    text = " ".join(f"word{n}" for n in range(400))
    found = places(text, 10, 3)
    assert [text[start:end] for start, end in found] == plain(text, 10, 3, "regex")
    starts = [0] + [text.index(f" word{n}") + 1 for n in range(7, 397, 7)]
    assert [start for start, _ in found] == starts


def test_stand_ins_keep_length_and_white_space_and_translate_back() -> None:
    text = "a. b.\n\n今\ud83d\x1c\u3000x"
    standins = Standins(text)
    assert len(standins.text) == len(text)
    assert [c for c in standins.text if c.isspace()] == [c for c in text if c.isspace()]
    visible = "".join(standins.text.split())
    assert len(set(visible)) == len(visible)
    assert standins.original(standins.text) == text
    assert not set(text) & set(visible)
