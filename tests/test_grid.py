"""Axes to configurations and their names."""

from __future__ import annotations

import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.errors import SettingsError
from evalcore.grid import Axes, axes_of, complete, expand, grid_of, strategy_names
from evalcore.settings import Settings


def names(*specs: str) -> list[str]:
    return list(strategy_names([CHUNKERS.parse(spec) for spec in specs]).values())


def settings(**changes: object) -> Settings:
    return Settings.from_dict({"strategies": [{"name": "fixed"}, {"name": "recursive"}], **changes})


def test_a_method_that_stands_once_keeps_its_name() -> None:
    assert names("fixed:256", "recursive:128,overlap=0", "semantic_no_floor") == [
        "fixed",
        "recursive",
        "semantic_no_floor",
    ]


def test_variants_carry_their_main_parameter_and_what_does_not_follow_from_it() -> None:
    assert names("recursive:512", "recursive:256") == ["recursive:512", "recursive:256"]
    assert names("fixed:512", "fixed:512,overlap=0") == ["fixed:512", "fixed:512,overlap=0"]
    assert names("recursive:512", "recursive:512,tokenizer=regex") == [
        "recursive:512",
        "recursive:512,tokenizer=regex",
    ]
    assert names("langchain:recursive:64", "langchain:recursive:32") == [
        "langchain:recursive:64",
        "langchain:recursive:32",
    ]


def test_every_strategy_meets_every_retriever_in_order() -> None:
    grid = grid_of(settings(retrieval={"compare": ["dense", "bm25"]}))
    assert [c.key for c in grid.configurations] == [
        "fixed · dense",
        "fixed · bm25",
        "recursive · dense",
        "recursive · bm25",
    ]
    assert (grid.combinations, grid.folded, grid.impossible) == (4, 0, 0)


def test_bm25_under_two_embedders_is_one_computation_and_another_embedder_is_named() -> None:
    grid = expand(axes_of(settings(grid=None)))
    assert [c.retriever for c in grid.configurations] == ["dense", "dense"]
    axes = Axes(("auto",), (CHUNKERS.parse("fixed"),), ("tfidf", "hash"), ("dense", "bm25"))
    grid = expand(axes)
    assert [c.retriever for c in grid.configurations] == ["dense", "bm25", "dense+hash"]
    assert (grid.combinations, grid.folded) == (4, 1)
    assert [c.embedder for c in grid.configurations] == ["tfidf", None, "hash"]


def test_one_at_a_time_is_the_baseline_and_one_change_each() -> None:
    axes = Axes(
        ("auto",),
        tuple(CHUNKERS.parse(s) for s in ("fixed", "recursive", "sentence")),
        ("tfidf",),
        ("dense", "bm25"),
    )
    assert [c.key for c in expand(axes, "ofat").configurations] == [
        "fixed · dense",
        "recursive · dense",
        "sentence · dense",
        "fixed · bm25",
    ]


def test_labels_name_every_part_and_leave_out_an_unused_embedder() -> None:
    axes = Axes(("auto",), (CHUNKERS.parse("recursive:512"),), ("tfidf",), ("dense", "bm25"))
    assert [c.label for c in expand(axes).configurations] == [
        "auto · recursive:512 · tfidf · dense",
        "auto · recursive:512 · bm25",
    ]


def test_spec_strings_count_regex_tokens_unless_they_name_a_tokenizer() -> None:
    chosen = Settings.from_dict({"grid": {"chunker": ["fixed:64", "fixed:64,tokenizer=cl100k_base"]}})
    tokenizers = [spec.values["tokenizer"] for spec in axes_of(chosen).chunkers]
    assert tokenizers == ["regex", "cl100k_base"]


def test_a_configuration_runs_with_its_defaults_filled_in() -> None:
    assert complete(CHUNKERS.parse("fixed:80")) == {"chunk_size": 80, "overlap": 10}
    assert complete(CHUNKERS.parse("structure")) == {"max_tokens": 800}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"strategies": [{"name": "fixed"}, {"name": "fixed"}]}, "twice|times"),
        ({"strategies": [{"name": "fixed", "params": {"chunk_size": 5, "overlap": 5}}]}, "overlap"),
        ({"strategies": [{"name": "nothing"}]}, "unknown chunker 'nothing'"),
        (
            {"grid": {"chunker": ["fixed"], "index": ["faiss"]}, "strategies": None},
            "unknown retriever 'faiss'",
        ),
        ({"grid": {"chunker": ["fixed"], "parser": ["ocr"]}, "strategies": None}, "parser"),
    ],
)
def test_what_cannot_run_is_refused_in_one_line(changes: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError, match=words) as caught:
        grid_of(Settings.from_dict(changes))
    assert "\n" not in str(caught.value)
