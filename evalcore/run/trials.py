"""Short trials of methods on a part of a corpus, and what they foretell for all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import psutil

from evalcore.chunking.base import Chunk, ChunkSet, Vectors, chunk_corpus
from evalcore.corpus.document import Corpus, Document
from evalcore.embedding.base import Embedder, VectorSpace
from evalcore.embedding.hashing import HashEmbedder
from evalcore.embedding.registry import build_embedder
from evalcore.embedding.text import TextEmbedder
from evalcore.embedding.transformer import ROWS, Precision, padded_length
from evalcore.grid import build_chunker
from evalcore.retrieval.base import Ranking, Retriever
from evalcore.retrieval.registry import build_retriever
from evalcore.retrieval.rerank import build_reranker
from evalcore.specs import Spec
from evalcore.text.tokens import CL100K, get_tokenizer

SAMPLE_CHARACTERS = 120_000
_MOST_OF_ONE = 40_000
_MANY = 8
_LONG = 512
_ASKED = 5
_CHUNK_BYTES = 700
"""What a chunk weighs beside its text, with its span, its place in the rankings and its judgements."""


def sample_of(corpus: Corpus, characters: int = SAMPLE_CHARACTERS) -> Corpus:
    """Return documents with text from all over a corpus, of long ones the beginning, to about so many
    characters.
    """
    documents = [document for document in corpus if document.has_text]
    step = max(1, round(len(documents) * min(_MOST_OF_ONE, _mean_length(documents)) / characters))
    taken: list[Document] = []
    for document in documents[step // 2 :: step]:
        taken.append(_beginning(document, min(_MOST_OF_ONE, characters)))
        characters -= len(taken[-1].text)
        if characters <= 0:
            break
    return Corpus(tuple(taken))


def _mean_length(documents: Sequence[Document]) -> float:
    return sum(len(document.text) for document in documents) / max(1, len(documents))


def _beginning(document: Document, characters: int) -> Document:
    if len(document.text) <= characters:
        return document
    elements = tuple(element for element in document.elements if element.end <= characters)
    return replace(document, text=document.text[:characters], elements=elements)


@dataclass(frozen=True, slots=True)
class CutTrial:
    """A sample cut by one chunker: `seconds` it took, and the sentences that it would have embedded."""

    chunk_set: ChunkSet
    seconds: float
    sentences: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """cl100k_base tokens of the chunks."""
        return int(self.chunk_set.tokens.sum())

    @property
    def nbytes(self) -> int:
        """What the chunks weigh in memory."""
        return sum(len(text.encode("utf-8", "surrogatepass")) + _CHUNK_BYTES for text in self.chunk_set.texts)


def try_chunker(sample: Corpus, spec: Spec) -> CutTrial:
    """Cut the sample; where meaning decides, hashed words stand in for the model."""
    chunker, stand_in = build_chunker(spec), HashEmbedder()
    sentences: list[str] = []

    def vectors(texts: Sequence[str]) -> Vectors:
        sentences.extend(texts)
        return stand_in.encode(texts)

    start = time.perf_counter()
    chunk_set = chunk_corpus(sample, chunker, vectors if chunker.needs_vectors else None)
    return CutTrial(chunk_set, time.perf_counter() - start, tuple(sentences))


@dataclass(frozen=True, slots=True)
class ModelSpeed:
    """How fast a model is here: seconds to load it, and for a text of hardly any and of `longest` tokens.

    `memory` is what the process grew by, in bytes.
    """

    load: float
    short: float
    long: float
    longest: int
    dimensions: int
    memory: int

    def seconds(self, tokens: Sequence[int]) -> float:
        """Return how long texts of so many cl100k_base tokens take; what the model does not read is free."""
        lengths = np.minimum(np.asarray(tokens, dtype=np.float64), self.longest)
        return float((self.short + (self.long - self.short) * lengths / self.longest).sum())


def try_model(embedder: TextEmbedder) -> ModelSpeed:
    """Load a model and embed a batch of short and of long texts.

    Raises:
        ModelError: the model cannot be used.
    """
    before = psutil.Process().memory_info().rss
    start = time.perf_counter()
    dimensions = embedder.encode(["loading"]).shape[1]
    load = time.perf_counter() - start
    longest = padded_length(_LONG, min(embedder.max_tokens or _LONG, _LONG))
    short, long = _per_text(embedder, 1), _per_text(embedder, longest)
    grown = psutil.Process().memory_info().rss - before
    return ModelSpeed(load, short, long, longest, dimensions, max(0, grown))


def _per_text(embedder: TextEmbedder, words: int) -> float:
    texts = [" ".join([f"{number}", *["measured"] * words]) for number in range(ROWS)]

    def work() -> None:
        # A new one each time: what is in a cache is not computed.
        TextEmbedder(embedder.info, precision=embedder.precision).encode(texts)

    return best_of(2, work) / ROWS


class EmbedderTrial:
    """An embedder on trial. `speeds` keeps those of models by name and precision, and is added to.

    Raises:
        ModelError: the model cannot be used.
    """

    def __init__(
        self, name: str, *, prefixes: bool, precision: Precision, speeds: dict[str, ModelSpeed]
    ) -> None:
        self._embedder: Embedder = build_embedder(name, prefixes=prefixes, precision=precision, fetch=False)
        self.model: ModelSpeed | None = None
        self.is_loaded = False
        if isinstance(self._embedder, TextEmbedder):
            key = f"{self._embedder.info.identity} {precision}"
            if key not in speeds:
                speeds[key] = try_model(self._embedder)
                self.is_loaded = True
            self.model = speeds[key]

    def space(self, texts: Sequence[str]) -> VectorSpace:
        """Embed texts; of a model the vectors of hashed words stand in, which cost a search the same."""
        if self.model is not None:
            return HashEmbedder(self.model.dimensions).space(texts)
        return self._embedder.space(texts)


@dataclass(frozen=True, slots=True)
class IndexTrial:
    """An index over a sample: seconds to make it, bytes, and seconds for a query over n chunks: a + b·n."""

    retriever: Retriever
    build_seconds: float
    nbytes: int
    fixed: float
    per_chunk: float

    def query_seconds(self, chunks: float) -> float:
        """Return the predicted time of one query."""
        return self.fixed + self.per_chunk * chunks


def try_index(
    index: str, texts: Sequence[str], embedder: EmbedderTrial | None, questions: Sequence[str], k: int
) -> IndexTrial:
    """Build an index over texts and over eight times as many, and ask both."""
    many = list(texts) * _MANY
    large = build_retriever(index, many, None if embedder is None else embedder.space(many))
    start = time.perf_counter()
    small = build_retriever(index, texts, None if embedder is None else embedder.space(texts))
    built = time.perf_counter() - start
    some = list(questions[:_ASKED])
    long, short = _each_query(large, some, k), _each_query(small, some, k)
    slope = max(0.0, (long - short) / (len(many) - len(texts)))
    nbytes = int(getattr(small, "nbytes", 0))
    return IndexTrial(small, built, nbytes, max(0.0, short - slope * len(texts)), slope)


def _each_query(retriever: Retriever, questions: Sequence[str], k: int) -> float:
    def work() -> None:
        for question in questions:
            retriever.search([question], k)

    return best_of(2, work) / len(questions)


def try_reranker(
    name: str, retriever: Retriever, texts: Sequence[str], questions: Sequence[str], cut: tuple[int, int]
) -> float:
    """Return the seconds that one question's reranking takes per candidate; `cut` is (candidates, kept)."""
    reranker = build_reranker(name)
    fetched, kept = cut
    some = list(questions[:_ASKED])
    found: list[Ranking] = retriever.search(some, min(fetched, len(texts)))
    candidates = sum(len(ranking) for ranking in found)

    def work() -> None:
        for question, ranking in zip(some, found, strict=True):
            reranker.rerank(question, ranking, texts, kept)

    return best_of(2, work) / max(1, candidates)


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the shortest of some runs, in seconds: what disturbs only ever adds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def token_counts(texts: Sequence[str]) -> list[int]:
    """Return the cl100k_base tokens of texts."""
    count = get_tokenizer(CL100K).count
    return [count(text) for text in texts]


def hardest(chunks: Sequence[Chunk], k: int) -> list[Chunk]:
    """Return k chunks from all over a set, as a question may get them."""
    step = max(1, len(chunks) // max(1, k))
    return list(chunks[::step][:k])
