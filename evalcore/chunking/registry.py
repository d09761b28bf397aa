"""The chunkers by name, with the parameters they take."""

from __future__ import annotations

from functools import partial

from evalcore.chunking.base import Chunker
from evalcore.chunking.fixed import FixedChunker
from evalcore.chunking.langchain_recursive import LangchainRecursiveChunker
from evalcore.chunking.plugged import GROUP, chunker_method
from evalcore.chunking.recursive import RecursiveChunker
from evalcore.chunking.semantic import SemanticChunker
from evalcore.chunking.sentence import SentenceChunker
from evalcore.chunking.structure import StructureChunker
from evalcore.plugged import published
from evalcore.specs import Method, Parameter, Registry
from evalcore.text.tokens import CL100K

_TOKENIZER = Parameter(
    "tokenizer",
    str,
    CL100K,
    "What sizes count: cl100k_base or another tiktoken encoding, regex (words and signs) or character.",
)
_SIZE = Parameter("chunk_size", int, 512, "Largest number of tokens.", low=1, main=True, aliases=("size",))
_OVERLAP = Parameter(
    "overlap", int, None, "Tokens shared with the chunk before; an eighth of the size unless given.", low=0
)
_PERCENTILE = Parameter(
    "breakpoint_percentile",
    float,
    95.0,
    "Cuts where the distance of two sentences is above this percentile of the document's distances.",
    low=0,
    high=100,
    main=True,
    aliases=("percentile",),
)
_SEMANTIC_MAX = Parameter("max_tokens", int, 1000, "Larger groups are halved between sentences.", low=1)


def _fixed(chunk_size: int = 512, overlap: int | None = None, tokenizer: str = CL100K) -> Chunker:
    return FixedChunker(chunk_size, _overlap(chunk_size, overlap), tokenizer)


def _recursive(chunk_size: int = 512, overlap: int | None = None, tokenizer: str = CL100K) -> Chunker:
    return RecursiveChunker(chunk_size, _overlap(chunk_size, overlap), tokenizer)


def _langchain(chunk_size: int = 512, overlap: int | None = None, tokenizer: str = CL100K) -> Chunker:
    return LangchainRecursiveChunker(chunk_size, _overlap(chunk_size, overlap), tokenizer)


def _sentence(
    window: int = 5, overlap: int | None = None, max_tokens: int = 1000, tokenizer: str = CL100K
) -> Chunker:
    return SentenceChunker(window, min(1, window - 1) if overlap is None else overlap, max_tokens, tokenizer)


def _structure(max_tokens: int = 800, tokenizer: str = CL100K) -> Chunker:
    return StructureChunker(max_tokens, tokenizer)


def _semantic(
    breakpoint_percentile: float = 95.0,
    min_tokens: int = 200,
    max_tokens: int = 1000,
    tokenizer: str = CL100K,
) -> Chunker:
    return SemanticChunker(breakpoint_percentile, min_tokens, max_tokens, tokenizer)


def _semantic_no_floor(
    breakpoint_percentile: float = 95.0, min_tokens: int = 0, max_tokens: int = 1000, tokenizer: str = CL100K
) -> Chunker:
    return SemanticChunker(breakpoint_percentile, min_tokens, max_tokens, tokenizer)


def _overlap(size: int, overlap: int | None) -> int:
    return size // 8 if overlap is None else overlap


CHUNKERS: Registry[Chunker] = Registry(
    "chunker",
    (
        Method("fixed", "Windows of equally many tokens.", _fixed, (_SIZE, _OVERLAP, _TOKENIZER)),
        Method(
            "recursive",
            "Cuts at blank lines, else lines, sentences, words; packed up to the size.",
            _recursive,
            (_SIZE, _OVERLAP, _TOKENIZER),
        ),
        Method(
            "sentence",
            "Windows of equally many sentences.",
            _sentence,
            (
                Parameter("window", int, 5, "Sentences per chunk.", low=1, main=True),
                Parameter(
                    "overlap", int, None, "Sentences shared with the chunk before; 1 unless given.", low=0
                ),
                Parameter("max_tokens", int, 1000, "A window closes before it grows larger.", low=1),
                _TOKENIZER,
            ),
        ),
        Method(
            "structure",
            "Sections at headings, tables whole; large sections are split.",
            _structure,
            (
                Parameter(
                    "max_tokens",
                    int,
                    800,
                    "Larger sections are split.",
                    low=1,
                    main=True,
                    aliases=("max_size",),
                ),
                _TOKENIZER,
            ),
        ),
        Method(
            "semantic",
            "Cuts where neighbouring sentences differ most in meaning; small groups merge.",
            _semantic,
            (
                _PERCENTILE,
                Parameter("min_tokens", int, 200, "Smaller groups merge with a neighbour.", low=0),
                _SEMANTIC_MAX,
                _TOKENIZER,
            ),
        ),
        Method(
            "semantic_no_floor",
            "As semantic, but small groups stay as they are.",
            _semantic_no_floor,
            (
                _PERCENTILE,
                Parameter("min_tokens", int, 0, "Always 0: no group is merged.", low=0, high=0),
                _SEMANTIC_MAX,
                _TOKENIZER,
            ),
        ),
        Method(
            "langchain:recursive",
            "LangChain's RecursiveCharacterTextSplitter, measured in tokens.",
            _langchain,
            (_SIZE, _OVERLAP, _TOKENIZER),
        ),
    ),
    find=partial(published, "chunker", GROUP, chunker_method),
)
