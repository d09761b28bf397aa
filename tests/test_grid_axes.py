"""All axes of a grid: counts in each mode, what is folded, what cannot run, names and labels."""

from __future__ import annotations

from typing import Any

import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.document import Document
from evalcore.errors import SettingsError
from evalcore.grid import Configuration, Grid, Stages, axes_of, build_chunker, complete, expand, grid_of
from evalcore.run.inputs import configuration_from_dict, configuration_to_dict
from evalcore.settings import Settings
from evalcore.specs import Method, Parameter


def settings(**axes: Any) -> Settings:
    return Settings.from_dict({"grid": {"embedder": "tfidf", "mode": "factorial", **axes}})


def labels(grid: Grid) -> list[str]:
    return [c.label for c in grid.configurations]


def counts(grid: Grid) -> tuple[int, int, int, int]:
    return len(grid.configurations), grid.combinations, grid.folded, grid.impossible


SWEEP = {
    "parser": "markdown",
    "chunker": ["recursive:512", "recursive:16"],
    "index": ["dense", "bm25"],
    "reranker": [None, "lexical"],
}


def test_a_factorial_grid_takes_every_combination_with_the_last_axis_fastest() -> None:
    grid = grid_of(settings(**SWEEP))
    assert labels(grid) == [
        "markdown · recursive:512 · tfidf · dense",
        "markdown · recursive:512 · tfidf · dense · lexical@50",
        "markdown · recursive:512 · bm25",
        "markdown · recursive:512 · bm25 · lexical@50",
        "markdown · recursive:16 · tfidf · dense",
        "markdown · recursive:16 · tfidf · dense · lexical@50",
        "markdown · recursive:16 · bm25",
        "markdown · recursive:16 · bm25 · lexical@50",
    ]
    assert counts(grid) == (8, 8, 0, 0)


def test_names_in_the_report_carry_reranker_other_embedder_and_other_parser() -> None:
    grid = grid_of(
        settings(
            parser=["markdown", "text"],
            chunker="structure",
            embedder=["tfidf", "hash"],
            index="dense",
            reranker=[None, "lexical"],
        )
    )
    assert [c.key for c in grid.configurations] == [
        f"{strategy} · {retriever}"
        for strategy in ("structure", "structure+text")
        for retriever in ("dense", "dense+lexical@50", "dense+hash", "dense+hash+lexical@50")
    ]


def test_one_change_at_a_time_starts_from_the_first_value_of_each_axis() -> None:
    grid = grid_of(settings(**SWEEP, mode="ofat"))
    assert labels(grid) == [
        "markdown · recursive:512 · tfidf · dense",
        "markdown · recursive:16 · tfidf · dense",
        "markdown · recursive:512 · bm25",
        "markdown · recursive:512 · tfidf · dense · lexical@50",
    ]
    assert counts(grid) == (4, 4, 0, 0)


def test_ofat_is_the_mode_when_none_is_given() -> None:
    assert len(grid_of(Settings.from_dict({"grid": SWEEP})).configurations) == 4


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        # bm25 under a second embedder
        ({"embedder": ["tfidf", "hash"], "index": ["dense", "bm25"]}, (3, 4, 1, 0)),
        # candidates without a reranker
        ({"reranker": [None, "mmr"], "candidates": [20, 50]}, (3, 4, 1, 0)),
        # no fewer candidates than k
        ({"reranker": "mmr", "candidates": [5, 8, 20], "k": 10}, (2, 3, 1, 0)),
        # dense and hybrid without vectors
        ({"embedder": ["none", "tfidf"], "index": ["dense", "bm25", "hybrid"]}, (3, 6, 1, 2)),
        # parsers that read as auto does
        ({"parser": ["auto", "html", "docx", "pypdf", "pypdf:plain", "text"]}, (2, 6, 4, 0)),
        # one chunker written in two ways
        ({"chunker": ["recursive:64", "recursive:64,overlap=8", "recursive:64,overlap=0"]}, (2, 3, 1, 0)),
        ({"chunker": ["fixed:64", "fixed:64,tokenizer=cl100k_base"]}, (2, 2, 0, 0)),
    ],
)
def test_equal_computations_are_folded_and_impossible_ones_dropped(
    axes: dict[str, Any], expected: tuple[int, int, int, int]
) -> None:
    grid = grid_of(settings(**{"chunker": "fixed:64", "index": "dense", **axes}))
    assert counts(grid) == expected
    assert len({c.key for c in grid.configurations}) == len(grid.configurations)
    assert len(set(labels(grid))) == len(grid.configurations)


def test_labels_show_spec_strings_as_given_and_candidates_as_used() -> None:
    grid = grid_of(
        settings(
            chunker=["fixed:size=64", "fixed:64,tokenizer=cl100k_base"], reranker="mmr:0.5", candidates=3, k=7
        )
    )
    assert labels(grid) == [
        "auto · fixed:64 · tfidf · dense · mmr:0.5@7",
        "auto · fixed:64,tokenizer=cl100k_base · tfidf · dense · mmr:0.5@7",
    ]


def test_strategies_count_cl100k_tokens_and_say_so_when_they_do_not() -> None:
    params = {"chunk_size": 64, "tokenizer": "regex"}
    chosen = Settings.from_dict(
        {"strategies": [{"name": "fixed", "params": params}, {"name": "fixed", "params": {"chunk_size": 64}}]}
    )
    model = "sentence-transformers/all-MiniLM-L6-v2"
    assert labels(grid_of(chosen)) == [
        f"auto · fixed:64,tokenizer=regex · {model} · dense",
        f"auto · fixed:64 · {model} · dense",
    ]


def test_a_value_that_cannot_be_used_stays_as_a_cell_that_says_why() -> None:
    axes = axes_of(
        settings(
            chunker=["fixed:64", "nonsense:3", "fixed:0"],
            index=["dense", "faiss"],
            parser=["auto", "ocr"],
            reranker=[None, "cohere"],
        )
    )
    assert [line.split(";")[0] for line in axes.problems] == [
        "unknown chunker 'nonsense'",
        "fixed: chunk_size is '0'",
        "unknown parser 'ocr'",
        "unknown retriever 'faiss'",
        "unknown reranker 'cohere'",
    ]
    grid = expand(axes, "ofat")
    assert labels(grid) == [
        "auto · fixed:64 · tfidf · dense",
        "ocr · fixed:64 · tfidf · dense",
        "auto · nonsense:3 · tfidf · dense",
        "auto · fixed:0 · tfidf · dense",
        "auto · fixed:64 · faiss",
        "auto · fixed:64 · tfidf · dense · cohere@50",
    ]
    with pytest.raises(SettingsError, match="chunk_size is '0'"):
        build_chunker(grid.configurations[3].chunker)


@pytest.mark.parametrize("axis", ["chunker", "parser", "index", "reranker"])
def test_an_axis_without_a_usable_value_is_refused(axis: str) -> None:
    with pytest.raises(SettingsError, match=r"unknown .* 'nothing'"):
        grid_of(settings(**{axis: ["nothing"]}))


def test_no_reranker_may_be_written_as_none() -> None:
    assert labels(grid_of(settings(chunker="fixed:9", reranker=["none", "mmr"]))) == [
        "auto · fixed:9 · tfidf · dense",
        "auto · fixed:9 · tfidf · dense · mmr@50",
    ]


def test_a_staged_grid_knows_its_first_stage_and_how_many_may_follow() -> None:
    grid = grid_of(settings(**SWEEP, mode="staged"))
    assert labels(grid) == [
        "markdown · recursive:512 · tfidf · dense",
        "markdown · recursive:16 · tfidf · dense",
    ]
    assert (grid.later, grid.combinations) == (2, 4)
    lone = grid_of(settings(chunker="fixed:64", mode="staged"))
    assert (labels(lone), lone.later) == (["auto · fixed:64 · tfidf · dense"], 0)


def keys(stage: tuple[Configuration, ...] | None) -> list[str]:
    assert stage is not None
    return [c.key for c in stage]


def test_each_stage_varies_one_axis_from_the_best_so_far() -> None:
    stages = Stages(axes_of(settings(**SWEEP, mode="staged")))
    assert keys(stages.next()) == ["recursive:512 · dense", "recursive:16 · dense"]
    stages.settle({"recursive:512 · dense": 0.5, "recursive:16 · dense": 0.7})
    assert keys(stages.next()) == ["recursive:16 · dense", "recursive:16 · bm25"]
    assert not stages.is_last
    stages.settle({"recursive:16 · dense": 0.7, "recursive:16 · bm25": 0.7})
    assert keys(stages.next()) == ["recursive:16 · dense", "recursive:16 · dense+lexical@50"]
    assert stages.is_last
    assert stages.next() is None


def test_a_value_whose_cell_failed_is_not_chosen() -> None:
    stages = Stages(axes_of(settings(**SWEEP)))
    stages.next()
    stages.settle({"recursive:16 · dense": 0.0})
    assert keys(stages.next())[0] == "recursive:16 · dense"
    stages.settle({})
    assert keys(stages.next())[0] == "recursive:16 · dense"


def test_a_stage_leaves_out_what_cannot_run() -> None:
    stages = Stages(axes_of(settings(chunker="fixed:9", embedder=["none", "tfidf"], index=["dense", "bm25"])))
    assert keys(stages.next()) == ["fixed · dense+tfidf"]
    stages.settle({"fixed · dense+tfidf": 0.1})
    assert keys(stages.next()) == ["fixed · dense+tfidf", "fixed · bm25"]


def test_configurations_come_back_equal_from_json() -> None:
    for configuration in grid_of(settings(**SWEEP)).configurations:
        assert configuration_from_dict(configuration_to_dict(configuration)) == configuration


def test_a_configuration_of_an_earlier_version_keeps_its_label() -> None:
    written = {
        "parser": "auto",
        "chunker": {"name": "fixed", "params": [["chunk_size", 512]]},
        "embedder": "tfidf",
        "index": "dense",
        "reranker": None,
        "candidates": None,
        "strategy": "fixed",
        "retriever": "dense",
    }
    read = configuration_from_dict(written)
    assert read.label == "auto · fixed:512 · tfidf · dense"
    assert configuration_to_dict(read) == written


class Halves:
    """A chunker of somebody else, which keeps no attribute for its parameter."""

    tokenizer, limit, needs_vectors = "regex", None, False

    def cut(self, document: Document, vectors: object = None) -> list[tuple[int, int]]:
        middle = len(document.text) // 2
        return [(0, middle), (middle, len(document.text))]


def test_a_registered_chunker_is_a_value_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHUNKERS, "_methods", dict(CHUNKERS._methods))
    parameter = Parameter("at", float, 0.5, "Where to cut.", main=True)
    CHUNKERS.register(Method("halves", "Two halves.", lambda at=0.5: Halves(), (parameter,)))
    grid = grid_of(settings(chunker=["halves", "halves:0.25"]))
    assert labels(grid) == ["auto · halves · tfidf · dense", "auto · halves:0.25 · tfidf · dense"]
    assert [c.strategy for c in grid.configurations] == ["halves:0.5", "halves:0.25"]
    assert complete(grid.configurations[1].chunker) == {"at": 0.25}
