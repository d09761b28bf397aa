"""With the default model: a text's vector has the same bits alone, in any order and in any subset."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evalcore.embedding.models import DEFAULT_MODEL, ModelInfo, find_model
from evalcore.embedding.transformer import Precision, embed
from evalcore.errors import ModelError

WORDS = ["the", "warranty", "of", "this", "logger", "covers", "two", "years", "unless", "opened"]
# Several padded lengths, whole and partial batches; nine texts fill the model's 256 tokens without padding.
LENGTHS = (1, 3, 12, 12, 13, 20, 40, 70, 110, 300, 310, 320, 330, 340, 350, 360, 370, 380)
SHORT = LENGTHS[:7]


def texts(lengths: tuple[int, ...] = LENGTHS) -> list[str]:
    generator = random.Random(7)
    return [" ".join(generator.choices(WORDS, k=n)) for n in lengths] + ["", "----", "🙂", "a\ud83d b"]


@pytest.fixture(scope="module")
def info() -> ModelInfo:
    return find_model(DEFAULT_MODEL)


def bits(info: ModelInfo, chosen: list[str], precision: Precision) -> list[bytes]:
    rows: dict[int, bytes] = {}
    for batch in embed(info, chosen, precision):
        rows.update({i: row.tobytes() for i, row in zip(batch.indices, batch.rows, strict=True)})
    return [rows[i] for i in range(len(chosen))]


@pytest.fixture
def threads() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(("precision", "lengths"), [("float32", LENGTHS), ("bfloat16", SHORT)])
def test_a_text_has_the_same_bits_alone_in_any_order_and_in_any_subset(
    info: ModelInfo, precision: Precision, lengths: tuple[int, ...]
) -> None:
    import torch

    torch.set_num_threads(2)
    every = texts(lengths)
    whole = dict(zip(every, bits(info, every, precision), strict=True))
    torch.set_num_threads(1)
    turned = every[::-1]
    assert bits(info, turned, precision) == [whole[t] for t in turned]
    subset = random.Random(3).sample(every, len(every) // 2)
    assert bits(info, subset, precision) == [whole[t] for t in subset]
    for alone in (every[1], every[6], every[-5], ""):
        assert bits(info, [alone], precision) == [whole[alone]]


def test_rows_are_finite_and_of_length_one(info: ModelInfo) -> None:
    for batch in embed(info, ["", "----", "🙂", "a\ud83d b", "one two"]):
        assert np.linalg.norm(batch.rows, axis=1) == pytest.approx(np.ones(len(batch.rows)), abs=1e-6)


def test_what_is_beyond_the_models_length_is_not_seen(info: ModelInfo) -> None:
    start = " ".join(WORDS * 30)
    assert bits(info, [start + " apple"], "float32") == bits(info, [start + " pear"], "float32")


def test_the_vectors_are_the_librarys_up_to_rounding(info: ModelInfo) -> None:
    from sentence_transformers import SentenceTransformer

    chosen = ["a warranty of two years", " ".join(WORDS)]
    theirs = SentenceTransformer(str(info.folder), local_files_only=True, device="cpu").encode(chosen)
    ours = np.stack([np.frombuffer(row, dtype=np.float32) for row in bits(info, chosen, "float32")])
    assert ours == pytest.approx(theirs, abs=1e-6)


def test_a_vector_that_is_not_a_number_names_the_model(
    info: ModelInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evalcore.embedding import transformer

    monkeypatch.setattr(
        transformer, "_forward", lambda *_: np.full((8, 384), np.nan, dtype=np.float32), raising=True
    )
    with pytest.raises(
        ModelError, match=rf"model {DEFAULT_MODEL} gave a vector that is not a number, .* 'hello'"
    ):
        list(embed(info, ["hello"]))


def test_weights_that_cannot_be_read_are_said_in_one_line(tmp_path: Path) -> None:
    from tests.embedding.models_on_disk import write_model

    broken = find_model(str(write_model(tmp_path / "broken")))
    with pytest.raises(ModelError, match=r"model .*broken cannot be loaded from .*broken: ") as caught:
        list(embed(broken, ["x"]))
    assert "\n" not in str(caught.value)


RUN = """
import sys, hashlib
from pathlib import Path
from evalcore.embedding.cache import VectorCache
from evalcore.embedding.registry import build_embedder
cache = VectorCache(Path(sys.argv[1]))
space = build_embedder("all-MiniLM-L6-v2", cache=cache).space(["one", "two", "three " * 40])
rows = space.passages.tobytes() + space.queries(["one", "four"]).tobytes()
print(hashlib.sha256(rows).hexdigest(), "torch" in sys.modules, "sentence_transformers" in sys.modules)
"""


def run(cache: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(cache)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": "."},
    )
    return done.stdout.split()


def test_with_every_vector_cached_torch_is_never_imported_and_the_bits_are_equal(tmp_path: Path) -> None:
    first, second = run(tmp_path / "v.sqlite"), run(tmp_path / "v.sqlite")
    assert first[1:] == ["True", "True"]
    assert second[1:] == ["False", "False"]
    assert len(first[0]) == len(hashlib.sha256().hexdigest())
    assert first[0] == second[0]
