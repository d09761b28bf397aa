"""Runs a sentence-transformers model such that a text's vector never depends on its company.

Fixed shapes give that: always the same number of rows, lengths padded to the next multiple of 32, dummy rows
in a last batch. A padded length depends on its text alone, so a text meets the same kernels alone, in any
order and in any subset.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from evalcore.embedding.base import Vectors
from evalcore.embedding.loading import load_local
from evalcore.embedding.models import ModelInfo
from evalcore.errors import ModelError

Precision = Literal["float32", "bfloat16"]
PRECISIONS: tuple[Precision, ...] = ("float32", "bfloat16")
ROWS = 8
PAD_TO = 32

_CELLS = ROWS * 512
_TEXTS_TOKENIZED_AT_ONCE = 1000
_MODELS_KEPT = 2
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Batch:
    """Unit rows of the texts at `indices` of the list given."""

    indices: list[int]
    rows: Vectors


def embed(info: ModelInfo, texts: Sequence[str], precision: Precision = "float32") -> Iterator[Batch]:
    """Yield the texts' vectors (unit rows of float32), longest texts first; what is too long is cut off.

    Raises:
        ModelError: the model cannot be loaded or gave a vector that is not finite.
    """
    if not texts:
        return
    model = _loaded(info)
    clean = [_SURROGATES.sub("\ufffd", text) for text in texts]
    batches = _padded_batches(model, info, clean) if info.padded else _single_batches(model, clean)
    for indices, features in batches:
        rows = _forward(model, features, precision)[: len(indices)]
        yield Batch(indices, _unit(info, rows, [texts[i] for i in indices]))


def _padded_batches(
    model: Any, info: ModelInfo, texts: list[str]
) -> Iterator[tuple[list[int], dict[str, Any]]]:
    tokens = _tokens(model.tokenizer, texts, info.max_tokens)
    dummy = _tokens(model.tokenizer, [""], info.max_tokens)[0]
    by_length: dict[int, list[int]] = {}
    for index, fields in enumerate(tokens):
        by_length.setdefault(padded_length(len(fields["input_ids"]), info.max_tokens), []).append(index)
    for length in sorted(by_length, reverse=True):
        rows = rows_at(length)
        for start in range(0, len(by_length[length]), rows):
            indices = by_length[length][start : start + rows]
            filled = [tokens[i] for i in indices] + [dummy] * (rows - len(indices))
            yield indices, _features(model.tokenizer, filled, length)


def padded_length(tokens: int, max_tokens: int | None) -> int:
    """Return the length such a text is padded to: the next multiple of 32, or the model's limit."""
    length = max(PAD_TO, -(-tokens // PAD_TO) * PAD_TO)
    return length if max_tokens is None else min(length, max(tokens, max_tokens))


def rows_at(length: int) -> int:
    """Return the rows of every batch of that padded length: 8, fewer above 512 tokens to bound memory."""
    return max(1, min(ROWS, _CELLS // length))


def _tokens(tokenizer: Any, texts: list[str], max_tokens: int | None) -> list[dict[str, list[int]]]:
    found: list[dict[str, list[int]]] = []
    for start in range(0, len(texts), _TEXTS_TOKENIZED_AT_ONCE):
        part = texts[start : start + _TEXTS_TOKENIZED_AT_ONCE]
        encoded = tokenizer(part, truncation=max_tokens is not None, max_length=max_tokens, padding=False)
        found.extend({key: encoded[key][i] for key in encoded} for i in range(len(part)))
    return found


def _features(tokenizer: Any, rows: list[dict[str, list[int]]], length: int) -> dict[str, Any]:
    import torch

    fill = {"input_ids": tokenizer.pad_token_id or 0, "token_type_ids": tokenizer.pad_token_type_id}
    left = tokenizer.padding_side == "left"
    features: dict[str, Any] = {}
    for key in rows[0]:
        array = np.full((len(rows), length), fill.get(key, 0), dtype=np.int64)
        for line, row in zip(array, rows, strict=True):
            values = row[key]
            start = length - len(values) if left else 0
            line[start : start + len(values)] = values
        features[key] = torch.from_numpy(array)
    return features


def _single_batches(model: Any, texts: list[str]) -> Iterator[tuple[list[int], dict[str, Any]]]:
    for index, text in enumerate(texts):
        yield [index], model.preprocess([text])


def _forward(model: Any, features: dict[str, Any], precision: Precision) -> Vectors:
    import torch

    placed = {k: v.to(model.device) if hasattr(v, "to") else v for k, v in features.items()}
    half = precision == "bfloat16"
    with torch.inference_mode(), torch.autocast(model.device.type, dtype=torch.bfloat16, enabled=half):
        rows = model(placed)["sentence_embedding"]
    return np.asarray(rows.float().cpu().numpy(), dtype=np.float32)


def _unit(info: ModelInfo, rows: Vectors, texts: list[str]) -> Vectors:
    """Scale each row to length 1 by itself; a zero row stays."""
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        start = texts[int(bad[0])][:60]
        raise ModelError(
            f"model {info.name} gave a vector that is not a number, for the text that starts {start!r}"
        )
    if info.dimensions is not None and rows.shape[1] != info.dimensions:
        raise ModelError(
            f"model {info.name} gave vectors of {rows.shape[1]} numbers; its files say {info.dimensions}"
        )
    exact = rows.astype(np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    return np.asarray(exact / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


_models: OrderedDict[tuple[str, str], Any] = OrderedDict()
_models_lock = threading.Lock()


def _loaded(info: ModelInfo) -> Any:
    """Return the model, loaded once per process; the two used last are kept."""
    key = (str(info.folder), info.identity)
    with _models_lock:
        if key not in _models:
            _models[key] = _load(info)
        _models.move_to_end(key)
        while len(_models) > _MODELS_KEPT:
            _models.popitem(last=False)
        return _models[key]


def _load(info: ModelInfo) -> Any:
    return load_local(info, "SentenceTransformer", f"model {info.name} cannot be loaded from {info.folder}")
