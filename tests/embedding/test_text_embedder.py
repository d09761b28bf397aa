from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from evalcore.embedding import text as module
from evalcore.embedding.cache import MemoryCache, VectorCache
from evalcore.embedding.models import ModelInfo
from evalcore.embedding.prefixes import Prefixes
from evalcore.embedding.text import TextEmbedder
from evalcore.embedding.transformer import Batch, padded_length, rows_at
from evalcore.errors import RunCancelledError, SettingsError


class Model:
    """Stands for the transformer: two texts per batch, longest first; remembers what it was given."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, info: ModelInfo, texts: Sequence[str], precision: str) -> Iterator[Batch]:
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), 2):
            indices = order[start : start + 2]
            self.seen += [texts[i] for i in indices]
            angles = [sum(texts[i].encode()) for i in indices]
            yield Batch(indices, np.array([[np.cos(a), np.sin(a)] for a in angles], dtype=np.float32))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    fake = Model()
    monkeypatch.setattr(module, "embed", fake)
    return fake


def info(identity: str = "m1") -> ModelInfo:
    return ModelInfo("name", Path("folder"), identity, None, 256, 2, Prefixes("query: ", "passage: "))


def test_each_distinct_text_is_computed_once(model: Model) -> None:
    embedder = TextEmbedder(info())
    rows = embedder.encode(["one", "two", "one"])
    assert sorted(model.seen) == ["passage: one", "passage: two"]
    assert rows.shape == (3, 2)
    assert rows[0].tobytes() == rows[2].tobytes() != rows[1].tobytes()
    embedder.encode(["two", "three"])
    assert model.seen[2:] == ["passage: three"]


def test_a_query_and_a_passage_of_equal_text_have_vectors_of_their_own(model: Model) -> None:
    embedder = TextEmbedder(info(), MemoryCache())
    space = embedder.space(["same"])
    assert space.queries(["same"]).tobytes() != space.passages.tobytes()
    assert model.seen == ["passage: same", "query: same"]


def test_without_prefixes_the_text_stays_as_it_is(model: Model) -> None:
    embedder = TextEmbedder(info(), prefixes=False)
    assert embedder.encode(["x"], "query").tobytes() == embedder.encode(["x"], "passage").tobytes()
    assert model.seen == ["x", "x"]


@pytest.mark.parametrize("changed", ["identity", "prefixes", "precision", "role"])
def test_a_shared_cache_never_serves_another_kind_of_vector(model: Model, changed: str) -> None:
    cache = MemoryCache()
    TextEmbedder(info(), cache).encode(["x"])
    other = TextEmbedder(
        info("m2" if changed == "identity" else "m1"),
        cache,
        prefixes=changed != "prefixes",
        precision="bfloat16" if changed == "precision" else "float32",
    )
    other.encode(["x"], "query" if changed == "role" else "passage")
    assert len(model.seen) == 2
    TextEmbedder(info(), cache).encode(["x"])
    assert len(model.seen) == 2


def test_progress_counts_the_texts_that_were_missing(model: Model) -> None:
    embedder = TextEmbedder(info())
    embedder.encode(["a", "bb", "a"])
    calls: list[tuple[int, int]] = []
    embedder.encode(
        ["a", "ccc", "dddd", "eeeee", "ccc"], progress=lambda done, all_: calls.append((done, all_))
    )
    assert calls == [(0, 3), (2, 3), (3, 3)]


def test_what_was_computed_before_a_cancel_is_kept(model: Model, tmp_path: Path) -> None:
    def stop(done: int, _all: int) -> None:
        if done == 2:
            raise RunCancelledError("stopped")

    cache = VectorCache(tmp_path / "v.sqlite")
    with pytest.raises(RunCancelledError):
        TextEmbedder(info(), cache).encode(["a", "bb", "ccc", "dddd"], progress=stop)
    cache.close()
    again = VectorCache(tmp_path / "v.sqlite")
    TextEmbedder(info(), again).encode(["a", "bb", "ccc", "dddd"])
    again.close()
    assert model.seen == ["passage: dddd", "passage: ccc", "passage: bb", "passage: a"]


def test_a_cached_vector_that_cannot_be_this_models_is_computed_again(model: Model) -> None:
    class Wrong(MemoryCache):
        def get_many(self, keys: object) -> dict[bytes, np.ndarray]:
            long, bad = list(keys)  # type: ignore[call-overload]
            return {long: np.zeros(5, dtype=np.float32), bad: np.array([np.nan, 0], dtype=np.float32)}

    assert np.isfinite(TextEmbedder(info(), Wrong()).encode(["a", "bb"])).all()
    assert len(model.seen) == 2


def test_no_texts_give_no_rows(model: Model) -> None:
    assert TextEmbedder(info()).encode([]).shape == (0, 2)
    assert TextEmbedder(info()).space([]).queries([]).shape == (0, 2)


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(SettingsError, match="unknown precision 'float16'; known: bfloat16, float32"):
        TextEmbedder(info(), precision="float16")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tokens", "limit", "expected"),
    [
        (2, 256, 32),
        (32, 256, 32),
        (33, 256, 64),
        (250, 256, 256),
        (97, 100, 100),
        (5, None, 32),
        (600, None, 608),
    ],
)
def test_a_padded_length_depends_on_the_text_and_the_models_limit_alone(
    tokens: int, limit: int | None, expected: int
) -> None:
    assert padded_length(tokens, limit) == expected


@pytest.mark.parametrize(("length", "rows"), [(32, 8), (256, 8), (512, 8), (1024, 4), (8192, 1)])
def test_long_inputs_come_in_fewer_rows_to_bound_memory(length: int, rows: int) -> None:
    assert rows_at(length) == rows
