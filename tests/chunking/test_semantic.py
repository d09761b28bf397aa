from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.chunking.base import chunk_corpus
from evalcore.chunking.semantic import SemanticChunker
from evalcore.corpus.document import Document
from evalcore.text.tokens import get_tokenizer
from tests.chunking.support import documents, fake_vectors

CATS = "Cats purr a lot. Cats sleep all day. "
CARS = "Cars drive on roads. Cars need some fuel. "  # every sentence has five regex tokens


def by_topic(passages: Sequence[str]) -> npt.NDArray[np.float32]:
    topics = np.eye(3, dtype=np.float32)
    return topics[[0 if "Cats" in p else 1 if "Cars" in p else 2 for p in passages]]


def texts(text: str, chunker: SemanticChunker) -> list[str]:
    return [c.text for c in chunk_corpus([Document("doc", text)], chunker, by_topic).chunks]


def semantic(percentile: float = 60.0, least: int = 0, most: int = 100) -> SemanticChunker:
    return SemanticChunker(percentile, least, most, "regex")


def test_the_cut_is_where_neighbours_differ_more_than_the_percentile() -> None:
    # Distances 0 1 0: the 60th percentile is 0.2 (linear between the second and third of 0 0 1).
    assert texts(CATS + CARS, semantic()) == [CATS.strip(), CARS.strip()]


def test_distances_at_the_percentile_do_not_cut() -> None:
    assert texts(CATS + CARS, semantic(100)) == [(CATS + CARS).strip()]
    assert texts(CATS * 2, semantic(0)) == [(CATS * 2).strip()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One sentence only.", ["One sentence only."]),
        ("Cats purr. Cars drive.", ["Cats purr. Cars drive."]),
    ],
)
def test_documents_of_no_one_and_two_sentences_are_cut(text: str, expected: list[str]) -> None:
    assert texts(text, semantic()) == expected


def test_a_group_below_the_floor_merges_with_the_smaller_neighbour() -> None:
    # Groups of 10, 5 and 15 tokens.
    text = CATS + "Trees grow very tall. " + CARS + "Cars stop at lights. "
    assert texts(text, semantic(50, 0)) == [CATS.strip(), "Trees grow very tall.", text[59:].strip()]
    assert texts(text, semantic(50, 6)) == [(CATS + "Trees grow very tall.").strip(), text[59:].strip()]


def test_equal_neighbours_give_way_to_the_one_before() -> None:
    text = CATS + "Trees grow very tall. " + CARS
    assert texts(text, semantic(50, 6)) == [(CATS + "Trees grow very tall.").strip(), CARS.strip()]


def test_a_floor_above_the_document_gives_one_chunk() -> None:
    assert texts(CATS + CARS, semantic(60, 90)) == [(CATS + CARS).strip()]


def test_a_group_above_the_limit_is_halved_at_the_sentence_nearest_its_middle() -> None:
    # Three sentences of 5, 5 and 10 tokens: the middle, at 10, is where the third begins.
    text = "Cats purr a lot. Cats sleep all day. Cats hunt small mice and birds at night too."
    assert texts(text, semantic(100, 0, 12)) == ["Cats purr a lot. Cats sleep all day.", text[37:]]


def test_a_single_sentence_above_the_limit_is_split_at_its_commas() -> None:
    assert texts("Cats purr, sleep, eat, play.", semantic(100, 0, 5)) == ["Cats purr, sleep,", "eat, play."]


def test_another_number_of_vectors_than_sentences_is_an_error() -> None:
    with pytest.raises(ValueError, match="1 vectors for 4 sentences of 'doc'"):
        chunk_corpus([Document("doc", CATS + CARS)], semantic(), lambda passages: by_topic(passages[:1]))
    with pytest.raises(ValueError, match="needs a function"):
        semantic().cut(Document("doc", CATS + CARS))


@given(documents, st.floats(0, 100), st.integers(0, 10))
def test_only_a_whole_document_or_a_part_of_a_halved_group_is_below_the_floor(
    document: Document, percentile: float, least: int
) -> None:
    chunker = SemanticChunker(percentile, least, 10_000, "regex")
    found = chunk_corpus([document], chunker, fake_vectors).chunks
    count = get_tokenizer("regex").count
    assert len(found) < 2 or all(count(c.text) >= least for c in found)
