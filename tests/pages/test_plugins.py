"""Plug-ins on the Grid page: chosen and edited like our own values, and what is wrong with one is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.plugins import Parameter, register_chunker, register_embedder, register_index, register_reranker
from evalcore.settings import Settings
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import Staged
from tests.pages.test_axes import added, clicked, key, saved, shown_count
from tests.plugins.support import forget_plugins, lines, publish
from ui.axisform import from_strategies
from ui.text import plain

SIZE = Parameter("size", int, 100, "Words per chunk.", low=1, main=True)


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin with our own methods only."""
    forget_plugins(monkeypatch)


@pytest.fixture
def with_axes(workspace: Staged, filled: str) -> str:
    grid = {"chunker": ["recursive:512"], "embedder": ["tfidf"], "index": ["dense"], "mode": "factorial"}
    workspace.save_settings(filled, Settings.from_dict({"embedding": {"model": "tfidf"}, "grid": grid}))
    return filled


def test_a_plugin_of_each_axis_is_added_by_clicks(workspace: Staged, with_axes: str, open_page: Open) -> None:
    register_chunker("mine", lambda size: lines, summary="My cuts.", parameters=(SIZE,), version=3)
    register_embedder("counts", lambda: None)
    register_index("near", lambda texts, space: None, needs_vectors=True)
    register_reranker("longest", lambda: len)
    app = open_page("grid", project=with_axes)
    options = app.get_by_key(key(app, with_axes, "chunker.add")).options
    assert options[-1] == "mine: My cuts."
    for axis, name in {
        "chunker": "mine",
        "embedder": "counts",
        "index": "near",
        "reranker": "longest",
    }.items():
        app = added(app, with_axes, axis, name)
    assert shown_count(app) == "16"
    words = said(app)
    assert "chunker mine: registered in this process, version 3" in words
    assert "reranker longest: registered in this process" in words
    assert "Plug-ins run with your rights" in words
    assert "Nothing leaves this machine" not in words


def test_its_parameter_is_edited_within_its_bounds_and_copied_as_a_variant(
    workspace: Staged, with_axes: str, open_page: Open
) -> None:
    register_chunker("mine", lambda size: lines, parameters=(SIZE,))
    app = added(open_page("grid", project=with_axes), with_axes, "chunker", "mine")
    field = app.get_by_key(key(app, with_axes, "chunker.1.size"))
    assert (field.value, field.min, field.help) == (100, 1, "Words per chunk.")
    app = checked(field.set_value(60).run())
    app = clicked(app, key(app, with_axes, "chunker.1.copy"))
    assert saved(workspace, with_axes).grid.chunker == ("recursive:512", "mine:60", "mine:30")  # type: ignore[union-attr]


def test_the_form_of_strategies_takes_a_plugin_too(workspace: Staged, filled: str, open_page: Open) -> None:
    register_chunker("mine", lambda size: lines, summary="My cuts.", parameters=(SIZE,))
    workspace.save_settings(filled, Settings.from_dict({"strategies": [{"name": "mine"}, {"name": "fixed"}]}))
    app = open_page("grid", project=filled)
    assert "My cuts." in said(app)
    assert shown_count(app) == "2"


def test_a_broken_plugin_is_said_on_the_page_in_one_line(
    with_axes: str, open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    publish(site, "odd-cuts", {}, {"evalgrid.chunkers": {"odd": "not_there:make"}})
    monkeypatch.syspath_prepend(site)
    line = "chunker plug-in odd = not_there:make of odd-cuts 0.1.0 cannot be used: ModuleNotFoundError"
    assert said(open_page("grid", project=with_axes)).count(plain(line)) == 1


def test_a_plugin_that_is_gone_is_said_and_breaks_no_page(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    strategies = Settings.from_dict(
        {"strategies": [{"name": "gone", "params": {"size": 4}}, {"name": "fixed"}]}
    )
    workspace.save_settings(filled, strategies)
    assert "This program does not know it." in said(open_page("grid", project=filled))
    axes = from_strategies(strategies)
    assert axes.grid is not None
    assert axes.grid.chunker == ("gone:size=4", "fixed:tokenizer=cl100k_base")
    workspace.save_settings(filled, axes)
    assert "unknown chunker 'gone'" in said(open_page("grid", project=filled))
