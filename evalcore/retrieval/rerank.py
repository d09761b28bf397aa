"""What a reranker is, and the rerankers by name: candidates of an index in, fewer in a better order out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from evalcore.errors import PluginError, SettingsError
from evalcore.plugged import Made, method_of, published
from evalcore.retrieval import plugged
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank_cross import CrossEncoderReranker
from evalcore.retrieval.rerank_words import DIVERSITY, LENGTH_PENALTY, LexicalReranker, MmrReranker
from evalcore.specs import Method, Parameter, Registry, Spec

CROSS_ENCODER = "cross-encoder"


class Reranker(Protocol):
    """Orders the candidates of one query anew; the same candidates always give the same order."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return at most k of the candidates, best first, with scores of its own.

        `texts` are those of the whole chunk set: a candidate's text is `texts[chunk]`.

        Raises:
            ModelError: its model cannot be used.
        """
        ...


def _lexical(length_penalty: float = LENGTH_PENALTY) -> Reranker:
    return LexicalReranker(length_penalty)


def _mmr(diversity: float = DIVERSITY) -> Reranker:
    return MmrReranker(diversity)


def _cross_encoder(model: str = "") -> Reranker:
    return CrossEncoderReranker(model)


def reranker_method(name: str, plugin: object, source: str) -> Method[Reranker]:
    """Return a plug-in as a reranker.

    Raises:
        SettingsError: it declares what cannot be used.
    """
    return method_of("reranker", name, plugin, source, _adapt)


def _adapt(made: Made) -> Reranker:
    try:
        return plugged.PluggedReranker(made.title, made.make())
    except PluginError as error:
        raise SettingsError(str(error)) from error


RERANKERS: Registry[Reranker] = Registry(
    "reranker",
    [
        Method(
            "lexical",
            "Words of the question that the chunk holds, long chunks held back",
            _lexical,
            (
                Parameter(
                    "length_penalty",
                    float,
                    LENGTH_PENALTY,
                    "How much long chunks are held back",
                    low=0,
                    high=1,
                    main=True,
                ),
            ),
        ),
        Method(
            "mmr",
            "The index's order, less what repeats chunks above it",
            _mmr,
            (
                Parameter(
                    "diversity",
                    float,
                    DIVERSITY,
                    "0 keeps the order, 1 looks at repetition only",
                    low=0,
                    high=1,
                    main=True,
                ),
            ),
        ),
        Method(
            CROSS_ENCODER,
            "A model that reads question and chunk together; slow and often the best",
            _cross_encoder,
            (
                Parameter(
                    "model", str, "", "A sentence-transformers cross-encoder, name or folder", main=True
                ),
            ),
        ),
    ],
    find=partial(published, "reranker", plugged.RERANKERS, reranker_method),
)


def reranker_spec(text: str) -> Spec:
    """Read `lexical`, `mmr:0.5`, `cross-encoder:NAME` (the rest of which is the model's name as it stands).

    Raises:
        SettingsError: unknown name or parameter, or a value out of bounds.
    """
    name, _, rest = text.strip().partition(":")
    if name == CROSS_ENCODER and rest:
        # Not parsed as parameters: a folder's name may hold colons, commas and equals signs.
        return RERANKERS.spec(CROSS_ENCODER, {"model": rest.strip().removeprefix("model=")})
    return RERANKERS.parse(text)


def reranker_name(text: str) -> str:
    """Return the canonical spec string of a reranker; parameters that were not given stay away.

    Raises:
        SettingsError: as `reranker_spec`.
    """
    return RERANKERS.format(reranker_spec(text))


def build_reranker(text: str) -> Reranker:
    """Make a reranker of its spec string.

    Raises:
        SettingsError: as `reranker_spec`, or a cross-encoder without a model.
        ModelError: the model is not on this machine or cannot be trusted.
    """
    return RERANKERS.build(reranker_spec(text))
