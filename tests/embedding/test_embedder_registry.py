from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalcore.embedding.hashing import HashEmbedder
from evalcore.embedding.registry import (
    EMBEDDERS,
    build_embedder,
    embedder_name,
    embedder_spec,
    sentence_vectors,
)
from evalcore.embedding.text import TextEmbedder
from evalcore.embedding.tfidf import TfidfEmbedder
from evalcore.errors import ModelError, SettingsError
from evalcore.specs import Spec
from tests.embedding.models_on_disk import write_model


@pytest.mark.parametrize(
    ("text", "spec", "name"),
    [
        ("tfidf", Spec("tfidf"), "tfidf"),
        ("tfidf:2000", Spec("tfidf", (("features", 2000),)), "tfidf:2000"),
        (" hash:dims=64 ", Spec("hash", (("dims", 64),)), "hash:64"),
        ("all-MiniLM-L6-v2", Spec("st", (("model", "all-MiniLM-L6-v2"),)), "all-MiniLM-L6-v2"),
        ("st:intfloat/e5-small", Spec("st", (("model", "intfloat/e5-small"),)), "intfloat/e5-small"),
        ("st", Spec("st"), "sentence-transformers/all-MiniLM-L6-v2"),
        ("C:\\models\\a,b=c", Spec("st", (("model", "C:\\models\\a,b=c"),)), "C:\\models\\a,b=c"),
    ],
)
def test_an_embedder_is_named_by_a_spec_string_a_model_name_or_a_folder(
    text: str, spec: Spec, name: str
) -> None:
    assert embedder_spec(text) == spec
    assert embedder_name(spec) == name


def test_every_spec_string_reads_back_as_itself() -> None:
    for text in ("tfidf", "hash:64", "st:intfloat/e5-small"):
        assert embedder_spec(EMBEDDERS.format(embedder_spec(text))) == embedder_spec(text)


@pytest.mark.parametrize("text", ["", "  ", "hash:0", "hash:x", "tfidf:size=3"])
def test_wrong_embedders_are_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        embedder_spec(text)


def test_each_kind_is_built(tmp_path: Path) -> None:
    assert isinstance(build_embedder("tfidf"), TfidfEmbedder)
    assert isinstance(build_embedder("hash"), HashEmbedder)
    built = build_embedder(str(write_model(tmp_path / "my,model=1")))
    assert isinstance(built, TextEmbedder)
    assert built.max_tokens == 128
    assert build_embedder("hash").max_tokens is None


def test_a_model_that_is_not_here_is_said_before_anything_runs() -> None:
    with pytest.raises(ModelError, match="model no/such-model is not on this machine"):
        build_embedder("no/such-model", fetch=False)


@pytest.mark.parametrize("name", ["hash", "tfidf"])
def test_sentence_vectors_are_dense_unit_rows(name: str) -> None:
    rows = sentence_vectors(build_embedder(name))(["red apple", "blue sea", "red sea"])
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
