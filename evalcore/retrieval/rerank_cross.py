"""Reranking with a sentence-transformers cross-encoder; torch is imported when the first query comes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from evalcore.embedding.loading import load_local
from evalcore.embedding.models import ModelInfo, find_model
from evalcore.errors import ModelError, SettingsError
from evalcore.retrieval.base import Ranking
from evalcore.retrieval.rerank_words import ranking_of

_SURROGATES = re.compile("[\ud800-\udfff]")


class CrossEncoderReranker:
    """Scores each pair of question and chunk by itself, so that a score depends on nothing else.

    Scores are the model's logits; equal ones keep corpus order.
    """

    def __init__(self, model: str) -> None:
        if not model.strip():
            raise SettingsError("cross-encoder needs a model; expected cross-encoder:NAME or a folder")
        self.info = find_model(model.strip(), fetch=False)

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        """Return the k candidates that the model scores highest.

        Raises:
            ModelError: the model cannot be loaded, or does not give one number per pair.
        """
        chunks = candidates.chunks.tolist()
        if not chunks:
            return candidates
        scores = _scores(_loaded(self.info), self.info.name, [(query, texts[chunk]) for chunk in chunks])
        return ranking_of(list(zip(scores, chunks, strict=True)), k)


def _scores(model: Any, name: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    import torch

    clean = [[_SURROGATES.sub("\ufffd", part) for part in pair] for pair in pairs]
    # One pair at a time: beside others a pair is padded, which changes the last digits.
    found = np.asarray(
        model.predict(clean, batch_size=1, activation_fn=torch.nn.Identity(), show_progress_bar=False),
        dtype=np.float64,
    )
    if found.shape != (len(pairs),) or not np.isfinite(found).all():
        raise ModelError(f"cross-encoder {name} gave {_shape(found)}; expected one number per pair")
    values: list[float] = found.tolist()
    return values


def _shape(found: np.ndarray[Any, Any]) -> str:
    return f"{found.shape[1]} numbers per pair" if found.ndim == 2 else "values that are no numbers"


@lru_cache(maxsize=1)
def _loaded(info: ModelInfo) -> Any:
    return load_local(info, "CrossEncoder", f"cross-encoder {info.name} cannot be loaded")
