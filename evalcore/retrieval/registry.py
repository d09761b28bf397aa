"""The retrievers by name, and how one is made for a chunk set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from evalcore.embedding.base import VectorSpace
from evalcore.errors import SettingsError
from evalcore.plugged import Made, Plugin, method_of, published
from evalcore.retrieval.base import Retriever
from evalcore.retrieval.bm25 import K1, B, BM25Retriever
from evalcore.retrieval.dense import DenseRetriever
from evalcore.retrieval.hybrid import HybridRetriever
from evalcore.retrieval.plugged import INDEXES, PluggedRetriever
from evalcore.specs import Method, Parameter, Registry, Spec


@dataclass(frozen=True, slots=True)
class Index:
    """A way of searching: whether it needs vectors, and how it is made from chunk texts and their space."""

    needs_vectors: bool
    make: Callable[[Sequence[str], VectorSpace | None], Retriever]


def _dense() -> Index:
    return Index(True, lambda _texts, space: DenseRetriever(_given(space, "dense")))


def _bm25(k1: float = K1, b: float = B) -> Index:
    return Index(False, lambda texts, _space: BM25Retriever(texts, k1=k1, b=b))


def _hybrid() -> Index:
    def make(texts: Sequence[str], space: VectorSpace | None) -> Retriever:
        return HybridRetriever([DenseRetriever(_given(space, "hybrid")), BM25Retriever(texts)])

    return Index(True, make)


def _given(space: VectorSpace | None, name: str) -> VectorSpace:
    if space is None:
        raise SettingsError(f"{name} needs an embedder; choose one, or bm25, which needs none")
    return space


def index_method(name: str, plugin: object, source: str) -> Method[Index]:
    """Return a plug-in as an index: its `make` takes texts and their space (None without vectors) first.

    Raises:
        SettingsError: it declares what cannot be used.
    """
    needs = isinstance(plugin, Plugin) and plugin.needs_vectors

    def adapt(made: Made) -> Index:
        def make(texts: Sequence[str], space: VectorSpace | None) -> Retriever:
            vectors = _given(space, name) if needs else None
            return PluggedRetriever(made.title, made.make(texts, vectors), len(texts))

        return Index(needs, make)

    return method_of("index", name, plugin, source, adapt, given=2)


_K1 = Parameter("k1", float, K1, "How fast repeated words stop counting", low=0)
_B = Parameter("b", float, B, "How much long chunks are held back", low=0, high=1)

RETRIEVERS: Registry[Index] = Registry(
    "retriever",
    [
        Method("dense", "Cosine between the vectors of question and chunk", _dense),
        Method("bm25", "Shared words, rare ones counting more", _bm25, (_K1, _B)),
        Method("hybrid", "Reciprocal rank fusion of dense and bm25", _hybrid),
    ],
    find=partial(published, "index", INDEXES, index_method),
)


def needs_vectors(name: str | Spec) -> bool:
    """Return whether the retriever called `name` (a name, spec string or Spec) needs an embedder.

    Raises:
        SettingsError: unknown name or parameter.
    """
    return _index(name).needs_vectors


def build_retriever(
    name: str | Spec,
    texts: Sequence[str],
    space: VectorSpace | None = None,
    *,
    dense: Retriever | None = None,
    bm25: Retriever | None = None,
    cut_off: int | None = None,
) -> Retriever:
    """Make the retriever called `name` (a name, spec string or Spec) over the chunk `texts`.

    `space` holds the chunks' vectors, in the same order. `hybrid` takes `dense` and `bm25` as its parts when
    they are given, so that what is made once for a chunk set is shared; `cut_off` as `HybridRetriever`.

    Raises:
        SettingsError: unknown name or parameter, or a retriever that needs vectors got none.
    """
    spec = name if isinstance(name, Spec) else RETRIEVERS.parse(name)
    if spec.name == "hybrid" and (dense is not None or bm25 is not None or cut_off is not None):
        parts = [dense or DenseRetriever(_given(space, "hybrid")), bm25 or BM25Retriever(texts)]
        return HybridRetriever(parts, cut_off)
    return RETRIEVERS.build(spec).make(texts, space)


def _index(name: str | Spec) -> Index:
    return RETRIEVERS.build(name if isinstance(name, Spec) else RETRIEVERS.parse(name))
