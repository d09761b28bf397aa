"""The embedders by name, and how one is made; any other name is a sentence-transformers model or a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np

from evalcore.embedding.base import Embedder, Progress, Role, Vectors
from evalcore.embedding.cache import VectorStore
from evalcore.embedding.hashing import DIMENSIONS, HashEmbedder
from evalcore.embedding.models import DEFAULT_MODEL, find_model
from evalcore.embedding.plugged import GROUP, PluggedEmbedder
from evalcore.embedding.text import TextEmbedder
from evalcore.embedding.tfidf import FEATURES, TfidfEmbedder
from evalcore.embedding.transformer import Precision
from evalcore.errors import SettingsError
from evalcore.plugged import Made, method_of, published
from evalcore.specs import Method, Parameter, Registry, Spec

TRANSFORMER = "st"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an embedder is made with beside its own parameters."""

    cache: VectorStore | None = None
    prefixes: bool = True
    precision: Precision = "float32"
    fetch: bool = True


Maker = Callable[[Surroundings], Embedder]


def _tfidf(features: int = FEATURES) -> Maker:
    return lambda _: TfidfEmbedder(features)


def _hash(dims: int = DIMENSIONS) -> Maker:
    return lambda _: HashEmbedder(dims)


def _transformer(model: str = DEFAULT_MODEL) -> Maker:
    return lambda around: TextEmbedder(
        find_model(model, fetch=around.fetch),
        around.cache,
        prefixes=around.prefixes,
        precision=around.precision,
    )


def embedder_method(name: str, plugin: object, source: str) -> Method[Maker]:
    """Return a plug-in as an embedder.

    Raises:
        SettingsError: it declares what cannot be used.
    """

    def adapt(made: Made) -> Maker:
        return lambda around: PluggedEmbedder(made, around.cache)

    return method_of("embedder", name, plugin, source, adapt)


EMBEDDERS: Registry[Maker] = Registry(
    "embedder",
    [
        Method(
            "tfidf",
            "Words of the chunks, rare ones counting more",
            _tfidf,
            (Parameter("features", int, FEATURES, "Words kept: those in most chunks", low=1, main=True),),
        ),
        Method(
            "hash",
            "Words hashed to fixed places: a floor that needs no model",
            _hash,
            (Parameter("dims", int, DIMENSIONS, "Length of the vectors", low=1, high=65536, main=True),),
        ),
        Method(
            TRANSFORMER,
            "A sentence-transformers model, by name or folder",
            _transformer,
            (Parameter("model", str, DEFAULT_MODEL, "Name or folder", main=True),),
        ),
    ],
    find=partial(published, "embedder", GROUP, embedder_method),
)


def embedder_spec(text: str) -> Spec:
    """Read `tfidf`, `hash:dims=512`, `st:NAME`, or the bare name or folder of a sentence-transformers model.

    A plug-in's name comes before a model's or a folder's; `st:` names these in any case.

    Raises:
        SettingsError: an empty text, or parameters of an embedder that is no model are wrong.
    """
    text = text.strip()
    name, _, rest = text.partition(":")
    if name == TRANSFORMER and rest.strip():
        return _model_spec(rest)
    if EMBEDDERS.knows(text):
        return EMBEDDERS.parse(text)
    if not text:
        raise SettingsError(
            "the embedder is empty; expected tfidf, hash, or a sentence-transformers name or folder"
        )
    return _model_spec(text)


def _model_spec(model: str) -> Spec:
    # Not parsed as parameters: a folder's name may hold colons, commas and equals signs.
    return EMBEDDERS.spec(TRANSFORMER, {"model": model.strip().removeprefix("model=")})


def embedder_name(spec: Spec) -> str:
    """Return what a row is labelled with: the model's name, or the spec string of `tfidf` and `hash`."""
    if spec.name == TRANSFORMER:
        return str(spec.values.get("model", DEFAULT_MODEL))
    return EMBEDDERS.format(spec)


def build_embedder(
    spec: Spec | str,
    *,
    cache: VectorStore | None = None,
    prefixes: bool = True,
    precision: Precision = "float32",
    fetch: bool = True,
) -> Embedder:
    """Make an embedder; without a `cache` a model's vectors are remembered in memory.

    `fetch` says whether a model that is not on this machine may be fetched from the hub.

    Raises:
        SettingsError: wrong parameters or precision.
        ModelError: the model is not on this machine, is not the expected one, or cannot be trusted.
    """
    chosen = spec if isinstance(spec, Spec) else embedder_spec(spec)
    return EMBEDDERS.build(chosen)(Surroundings(cache, prefixes, precision, fetch))


@runtime_checkable
class Encoder(Protocol):
    """An embedder whose vectors do not depend on the other texts."""

    def encode(
        self, texts: Sequence[str], role: Role = "passage", progress: Progress | None = None
    ) -> Vectors:
        """Return one unit row per text."""
        ...


def sentence_vectors(
    embedder: Embedder, progress: Progress | None = None
) -> Callable[[Sequence[str]], Vectors]:
    """Return a function from sentences to unit rows, for semantic chunking.

    A model and `hash` map each sentence by itself; `tfidf` learns from the sentences of each call.
    """
    if isinstance(embedder, Encoder):
        return lambda texts: embedder.encode(texts, "passage", progress)

    def learnt(texts: Sequence[str]) -> Vectors:
        rows = embedder.space(texts).passages
        return rows if isinstance(rows, np.ndarray) else np.asarray(rows.toarray(), dtype=np.float32)

    return learnt
