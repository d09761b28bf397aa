from __future__ import annotations

import pytest

from evalcore.chunking.fixed import FixedChunker
from evalcore.chunking.langchain_recursive import LangchainRecursiveChunker
from evalcore.chunking.recursive import RecursiveChunker
from evalcore.chunking.registry import CHUNKERS
from evalcore.chunking.semantic import SemanticChunker
from evalcore.chunking.sentence import SentenceChunker
from evalcore.chunking.structure import StructureChunker
from evalcore.errors import SettingsError


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("fixed", FixedChunker(512, 64, "cl100k_base")),
        ("fixed:256,overlap=0", FixedChunker(256, 0)),
        ("recursive:16", RecursiveChunker(16, 2)),
        ("recursive:size=100,tokenizer=regex", RecursiveChunker(100, 12, "regex")),
        ("langchain:recursive", LangchainRecursiveChunker(512, 64)),
        ("langchain:recursive:128,overlap=16", LangchainRecursiveChunker(128, 16)),
        ("sentence", SentenceChunker(5, 1, 1000)),
        ("sentence:1", SentenceChunker(1, 0)),
        ("structure:max_size=300", StructureChunker(300)),
        ("semantic:90", SemanticChunker(90.0, 200, 1000)),
        ("semantic:percentile=90,min_tokens=50", SemanticChunker(90.0, 50, 1000)),
        ("semantic_no_floor", SemanticChunker(95.0, 0, 1000)),
        ("semantic_no_floor:min_tokens=0", SemanticChunker(95.0, 0, 1000)),
    ],
)
def test_spec_strings_build_what_they_say(spec: str, expected: object) -> None:
    assert CHUNKERS.build(CHUNKERS.parse(spec)) == expected


@pytest.mark.parametrize("name", CHUNKERS.names())
def test_every_parameter_is_an_attribute_of_what_it_builds(name: str) -> None:
    method = CHUNKERS.get(name)
    chunker = CHUNKERS.build(CHUNKERS.spec(name))
    for parameter in method.parameters:
        value = getattr(chunker, parameter.name)
        assert isinstance(value, parameter.type)
        assert parameter.default in (None, value)
    assert method.main is not None
    assert chunker.needs_vectors == name.startswith("semantic")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fixed:5,overlap=5", "fixed: overlap is 5; expected 0 to 4: it must be below chunk_size (5)"),
        (
            "recursive:5,overlap=6",
            "recursive: overlap is 6; expected 0 to 4: it must be below chunk_size (5)",
        ),
        ("langchain:recursive:5,overlap=5", "langchain:recursive: overlap is 5; expected 0 to 4"),
        ("sentence:2,overlap=2", "sentence: overlap is 2; expected 0 to 1: it must be below window (2)"),
        ("fixed:0", "fixed: chunk_size is '0'; expected a whole number of at least 1"),
        ("fixed:-3", "fixed: chunk_size is '-3'; expected a whole number of at least 1"),
        ("fixed:overlap=-1", "fixed: overlap is '-1'; expected a whole number of at least 0"),
        ("structure:0", "structure: max_tokens is '0'"),
        ("semantic:101", "semantic: breakpoint_percentile is '101'; expected a number from 0 to 100"),
        ("semantic:min_tokens=9,max_tokens=8", "semantic: min_tokens is 9 and max_tokens 8"),
        ("semantic_no_floor:min_tokens=3", "semantic_no_floor: min_tokens is '3'"),
        ("fixed:8,tokenizer=words", "unknown tokenizer 'words'; known: character, cl100k_base"),
        ("fixed:8,step=2", "fixed: unknown parameter 'step'; known: chunk_size, overlap, tokenizer"),
        ("paragraph:8", "unknown chunker 'paragraph'"),
    ],
)
def test_what_cannot_be_built_is_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        CHUNKERS.build(CHUNKERS.parse(spec))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_size_one_without_overlap_is_allowed() -> None:
    assert CHUNKERS.build(CHUNKERS.parse("fixed:1,overlap=0")) == FixedChunker(1, 0)


@pytest.mark.parametrize("kind", [FixedChunker, RecursiveChunker, LangchainRecursiveChunker])
@pytest.mark.parametrize(("size", "overlap"), [(5, 5), (5, 6), (0, 0), (3, -1)])
def test_the_engine_refuses_bad_sizes_too(
    kind: type[FixedChunker | RecursiveChunker | LangchainRecursiveChunker], size: int, overlap: int
) -> None:
    with pytest.raises(SettingsError):
        kind(size, overlap)
