"""Plug-ins by name: what they declare, what they may be called, how they read as values of a grid."""

from __future__ import annotations

from typing import Any

import pytest

from evalcore.chunking.names import complete
from evalcore.chunking.registry import CHUNKERS
from evalcore.embedding.registry import EMBEDDERS, build_embedder, embedder_name, embedder_spec
from evalcore.errors import EvalgridError, InputError, PluginError, SettingsError
from evalcore.grid import axes_of, grid_of
from evalcore.plugins import (
    Parameter,
    Plugin,
    identities,
    register_chunker,
    register_embedder,
    register_index,
    register_reranker,
)
from evalcore.retrieval.registry import RETRIEVERS, needs_vectors
from evalcore.retrieval.rerank import RERANKERS, reranker_name
from evalcore.settings import Settings
from tests.plugins.support import lines


def by_lines(size: int = 3, keep: str = "all", share: float = 0.5, quiet: bool = True) -> Any:
    """Cut at line ends.

    More words about it.
    """
    return lines


class First:
    """The chunks in corpus order."""

    def __init__(self, texts: Any, space: Any, step: int = 1) -> None: ...

    def search(self, queries: Any, k: int) -> Any: ...


def grid_settings(**grid: Any) -> Settings:
    return Settings.from_dict({"grid": {"embedder": "tfidf", "index": "bm25", "mode": "factorial", **grid}})


def test_parameters_and_summary_are_read_from_the_signature_and_the_docstring() -> None:
    register_chunker("by-lines", by_lines)
    method = CHUNKERS.get("by-lines")
    assert method.summary == "Cut at line ends."
    assert [(p.name, p.type, p.default, p.main) for p in method.parameters] == [
        ("size", int, 3, True),
        ("keep", str, "all", False),
        ("share", float, 0.5, False),
    ]


def test_an_index_has_its_texts_and_space_before_its_parameters() -> None:
    register_index("first", First)
    assert [p.name for p in RETRIEVERS.get("first").parameters] == ["step"]
    assert not needs_vectors("first:2")
    register_index("second", First, needs_vectors=True)
    assert needs_vectors("second")


def test_declared_parameters_have_bounds_and_defaults_that_the_factory_gets() -> None:
    given: list[int] = []

    def make(size: int) -> Any:
        given.append(size)
        return lines

    size = Parameter("size", int, 10, "Words.", low=1, main=True)
    register_chunker("mine", make, summary="Mine.", parameters=(size,))
    CHUNKERS.build(CHUNKERS.parse("mine"))
    CHUNKERS.build(CHUNKERS.parse("mine:4"))
    assert given == [10, 4]
    with pytest.raises(SettingsError, match="mine: size is '0'; expected a whole number of at least 1"):
        CHUNKERS.parse("mine:0")


def test_plugins_are_values_of_every_axis_with_labels_of_their_own() -> None:
    register_chunker("by-lines", by_lines)
    register_embedder("counts", lambda size=2: None)
    register_index("near", First, needs_vectors=True)
    register_reranker("longest", lambda power=1.0: None)
    grid = grid_of(
        grid_settings(
            chunker=["by-lines:2", "by-lines:size=4", "sentence:1"],
            embedder="counts:size=3",
            index=["near", "bm25"],
            reranker=[None, "longest:2"],
        )
    )
    assert [c.label for c in grid.configurations][:4] == [
        "auto · by-lines:2 · counts:3 · near",
        "auto · by-lines:2 · counts:3 · near · longest:2@50",
        "auto · by-lines:2 · bm25",
        "auto · by-lines:2 · bm25 · longest:2@50",
    ]
    assert len(grid.configurations) == 3 * 2 * 2
    assert {c.strategy for c in grid.configurations} == {"by-lines:2", "by-lines:4", "sentence"}


def test_a_parameter_called_as_an_attribute_of_the_chunker_is_told_apart() -> None:
    """The object's own `limit` is None; what the grid was given decides whether two values are the same."""
    register_chunker("mine", lambda limit=5: lines)
    grid = grid_of(grid_settings(chunker=["mine:5", "mine:6", "mine"]))
    assert [c.strategy for c in grid.configurations] == ["mine:5", "mine:6"]
    assert grid.folded == 1
    assert complete(CHUNKERS.parse("mine:6")) == {"limit": 6}


def test_an_embedder_comes_before_a_model_of_its_name_and_may_have_colons() -> None:
    register_embedder("my:counts", lambda size=2: None)
    assert embedder_name(embedder_spec("my:counts:size=3")) == "my:counts:3"
    assert embedder_spec("my/counts").name == "st"
    assert embedder_spec("st:my:counts").values == {"model": "my:counts"}


def test_the_identity_of_a_value_is_its_source_and_version() -> None:
    register_chunker("mine", by_lines, version="2026-12")
    register_reranker("longest", lambda: None)
    axes = axes_of(grid_settings(chunker=["mine:7", "fixed"], reranker=["longest", None]))
    assert identities(axes) == {
        "chunker mine": "registered in this process, version 2026-12",
        "reranker longest": "registered in this process",
    }


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("recursive", "chunker 'recursive' is there already, a part of this program"),
        ("recursive:512", "chunker 'recursive:512' reads like 'recursive' with a parameter"),
        ("langchain", "chunker 'langchain' reads like 'langchain:recursive' with a parameter"),
        ("none", "this name cannot be used"),
        ("a b", "this name cannot be used"),
        ("a,b", "this name cannot be used"),
        ("a@5", "this name cannot be used"),
        ("", "this name cannot be used"),
    ],
)
def test_a_name_that_means_something_else_is_refused(name: str, found: str) -> None:
    with pytest.raises(SettingsError, match=found):
        register_chunker(name, by_lines, replace=True)


def test_the_name_of_the_default_model_is_no_embedder() -> None:
    with pytest.raises(SettingsError, match="this name cannot be used"):
        register_embedder("all-MiniLM-L6-v2", lambda: None)


def test_a_plugin_is_replaced_only_on_purpose() -> None:
    register_chunker("mine", by_lines)
    with pytest.raises(
        SettingsError, match="'mine' is there already, registered in this process; choose another name"
    ):
        register_chunker("mine", by_lines)
    register_chunker("mine", lambda: lines, replace=True)
    assert CHUNKERS.get("mine").parameters == ()


@pytest.mark.parametrize(
    ("factory", "parameters", "found"),
    [
        ("no function", None, "found str; expected a function, a class or a Plugin"),
        (
            lambda size: lines,
            None,
            "cannot be called with its parameters: missing a required argument: 'size'",
        ),
        (lambda: lines, (Parameter("size", int, 1, ""),), "got an unexpected keyword argument 'size'"),
        (lambda size=1: lines, ("size",), "found 'size'; expected a Parameter"),
        (lambda size=1: lines, (Parameter("size", int, 0, "", low=1),), "size is 0; expected a whole number"),
        (
            lambda a=1, b=1: lines,
            (Parameter("a", int, 1, "", main=True), Parameter("b", int, 1, "", main=True)),
            "one of them main at most",
        ),
    ],
)
def test_a_declaration_that_cannot_work_is_refused_in_one_line(
    factory: Any, parameters: Any, found: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        register_chunker("mine", factory, parameters=parameters)
    line = str(caught.value)
    assert line.startswith("chunker mine (registered in this process)")
    assert found in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("factory", "found"),
    [
        (lambda: 5, "made int; expected an object with cut"),
        (lambda: 1 / 0, "failed, when it was made: ZeroDivisionError: division by zero"),
        (
            lambda: type("Odd", (), {"cut": lines, "limit": 0}),
            "its limit is 0; expected None or a whole number",
        ),
        (lambda: type("Odd", (), {"cut": lines, "tokenizer": "no"}), "unknown tokenizer 'no'"),
    ],
)
def test_a_chunker_that_cannot_be_made_is_a_problem_of_its_value(factory: Any, found: str) -> None:
    register_chunker("mine", factory)
    problems = axes_of(grid_settings(chunker=["mine", "sentence:1"])).problems
    assert len(problems) == 1
    assert problems[0].startswith("chunker mine (registered in this process)")
    assert found in problems[0]


def test_an_embedder_and_a_reranker_that_are_none_are_refused_when_they_are_made() -> None:
    register_embedder("odd", lambda: 5)
    with pytest.raises(PluginError, match=r"embedder odd .* made int; expected an object with encode"):
        build_embedder("odd")
    register_reranker("odd", lambda: 5)
    with pytest.raises(SettingsError, match=r"reranker odd .* made int; expected an object with rerank"):
        RERANKERS.build(RERANKERS.parse(reranker_name("odd")))


def test_a_fault_of_a_plugin_is_an_error_for_a_person_but_not_of_the_input() -> None:
    assert issubclass(PluginError, EvalgridError)
    assert not issubclass(PluginError, InputError)
    assert Plugin(by_lines).version is None
    assert EMBEDDERS.problems == ()
