"""Laws that hold for every chunker, any text and any parameters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.chunking.base import Chunk, Chunker, chunk_corpus
from evalcore.chunking.fixed import FixedChunker
from evalcore.chunking.langchain_recursive import LangchainRecursiveChunker
from evalcore.chunking.recursive import RecursiveChunker
from evalcore.chunking.registry import CHUNKERS
from evalcore.chunking.semantic import SemanticChunker
from evalcore.chunking.sentence import SentenceChunker
from evalcore.chunking.structure import StructureChunker
from evalcore.corpus.document import Document
from evalcore.text.sentences import sentence_spans
from evalcore.text.tokens import get_tokenizer
from tests.chunking.support import TOKENIZERS, documents, fake_vectors, uncovered, widest_character

tokenizers = st.sampled_from(TOKENIZERS)
sizes = st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))
sized = st.sampled_from([FixedChunker, RecursiveChunker, LangchainRecursiveChunker])
chunkers: st.SearchStrategy[Chunker] = st.one_of(
    st.builds(lambda kind, size, name: kind(*size, name), sized, sizes, tokenizers),
    st.builds(
        lambda size, most, name: SentenceChunker(size[0], size[1], most, name),
        sizes,
        st.integers(1, 40),
        tokenizers,
    ),
    st.builds(StructureChunker, st.integers(1, 40), tokenizers),
    st.builds(
        lambda cut, least, more, name: SemanticChunker(cut, least, least + more, name),
        st.floats(0, 100),
        st.integers(0, 20),
        st.integers(1, 40),
        tokenizers,
    ),
)


def chunk(document: Document, chunker: Chunker) -> tuple[Chunk, ...]:
    return chunk_corpus([document], chunker, fake_vectors).chunks


def ranges(document: Document, chunker: Chunker) -> list[tuple[int, int]]:
    return [(c.span.start, c.span.end) for c in chunk(document, chunker)]


@given(documents, chunkers)
def test_chunks_are_exact_slices_in_order_and_none_twice(document: Document, chunker: Chunker) -> None:
    found = chunk(document, chunker)
    assert [c.text for c in found] == [document.text[c.span.start : c.span.end] for c in found]
    places = [(c.span.start, c.span.end) for c in found]
    assert places == sorted(set(places))
    assert all(c.text.strip() for c in found)


@given(documents, chunkers)
def test_no_visible_character_is_lost(document: Document, chunker: Chunker) -> None:
    assert uncovered(document.text, ranges(document, chunker)) == ""


@given(documents, chunkers)
def test_cutting_twice_gives_the_same_chunks(document: Document, chunker: Chunker) -> None:
    assert chunk(document, chunker) == chunk(document, chunker)


@given(documents, chunkers)
def test_chunks_above_their_limit_are_flagged_and_no_others(document: Document, chunker: Chunker) -> None:
    count = get_tokenizer(chunker.tokenizer).count
    for found in chunk(document, chunker):
        assert chunker.limit is not None
        assert found.oversized == (count(found.text) > chunker.limit)


@given(documents, sizes, tokenizers)
def test_fixed_chunks_are_windows_over_the_tokens_of_the_document(
    document: Document, size: tuple[int, int], tokenizer: str
) -> None:
    offsets = get_tokenizer(tokenizer).offsets(document.text).tolist()
    windows = {
        (offsets[first][0], offsets[min(first + size[0], len(offsets)) - 1][1])
        for first in range(0, len(offsets), size[0] - size[1])
    }
    assert set(ranges(document, FixedChunker(*size, tokenizer))) <= windows


bounded: st.SearchStrategy[Chunker] = chunkers.filter(
    lambda c: not isinstance(c, FixedChunker | LangchainRecursiveChunker)
)


@given(documents, bounded)
def test_a_chunk_exceeds_its_bound_only_for_a_character_larger_than_it(
    document: Document, chunker: Chunker
) -> None:
    size = chunker.chunk_size if isinstance(chunker, RecursiveChunker) else chunker.limit
    assert size is not None
    if widest_character(document.text, chunker.tokenizer) <= size:
        assert not any(c.oversized for c in chunk(document, chunker))


@given(documents, st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_a_sentence_window_holds_no_more_sentences_than_asked_for(
    document: Document, window: tuple[int, int]
) -> None:
    sentences = sentence_spans(document.text)
    for start, end in ranges(document, SentenceChunker(*window)):
        assert 1 <= sum(s < end and start < e for s, e in sentences) <= window[0]


NAMES = CHUNKERS.names()
AWKWARD = {
    "nothing": "",
    "blanks": " \n\t\n ",
    "one letter": "x",
    "one ideograph": "今",
    "one emoji": "👩‍👩‍👧",
    "a lone surrogate": "\ud83d",
    "surrogates": "a\ud83d b\udc00" * 40,
    "a special token": "<|endoftext|>",
    "a document about special tokens": "Text ends with <|endoftext|>. " * 80,
    "Japanese": "今日は。" * 400,
    "Hindi": "यह पहला वाक्य है। " * 200,
    "Thai without full stops": "สวัสดีครับผมชื่อ" * 200,
    "emoji": "👩‍👩‍👧🙂" * 300,
    "combining marks": "e\u0301\u0302" * 500,
    "one repeated sentence": "This is a test. " * 300,
    "no separators": "abcdefghij" * 300,
    "windows line ends": "One.\r\n\r\nTwo.\r\n" * 100,
    "zero-width": "\u200b\u200d\ufeff" * 50,
    "NUL": "\x00" * 50,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD.keys())
def test_awkward_texts_are_cut_whole(name: str, text: str) -> None:
    document = Document("doc", text)
    places = ranges(document, CHUNKERS.build(CHUNKERS.spec(name)))
    assert bool(places) == bool(text.strip())
    assert uncovered(text, places) == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("character", ["a", "今", "🙂"])
def test_a_megabyte_of_one_character_is_cut_in_seconds(name: str, character: str) -> None:
    text = character * (1_000_000 // len(character.encode()))
    chunker = CHUNKERS.build(CHUNKERS.spec(name))
    began = time.process_time()
    found = chunk(Document("doc", text), chunker)
    assert time.process_time() - began < 20
    assert (found[0].span.start, found[-1].span.end) == (0, len(text))
    assert max(c.tokens for c in found) <= 1000


@pytest.mark.parametrize("name", NAMES)
def test_a_megabyte_of_blanks_between_two_words_is_cut_in_seconds(name: str) -> None:
    document = Document("doc", "first" + " " * 1_000_000 + "last")
    began = time.process_time()
    places = ranges(document, CHUNKERS.build(CHUNKERS.spec(name)))
    assert time.process_time() - began < 20
    assert uncovered(document.text, places) == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_long_book_is_cut_in_time_proportional_to_it(name: str) -> None:
    chapter = "".join(f"Sentence {n} of the book says, once more, something new. " for n in range(2000))
    chunker = CHUNKERS.build(CHUNKERS.spec(name))
    chunk(Document("warm", chapter), chunker)
    took = []
    for times in (1, 8):
        began = time.process_time()
        chunk(Document("doc", "\n\n".join([chapter] * times)), chunker)
        took.append(time.process_time() - began)
    assert took[1] < 24 * took[0] + 0.5
