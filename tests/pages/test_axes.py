"""The Grid page over all axes: values in, settings out, counted as the engine counts them."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.grid import axes_of, grid_of
from evalcore.run.estimate import Estimate
from evalcore.settings import Settings
from evalcore.workspace import Forecast
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import Staged
from ui.axisform import from_strategies
from ui.presets import PRESETS


def key(app: AppTest, project: str, name: str) -> str:
    return f"axes.{project}.{int(app.session_state['grid.revision'])}.{name}"


def clicked(app: AppTest, name: str) -> AppTest:
    return checked(app.get_by_key(name).click().run())


@pytest.fixture
def app(workspace: Staged, filled: str, open_page: Open) -> AppTest:
    """The form over all axes with two values of chunker, one of the rest."""
    grid = {"chunker": ["recursive:512", "recursive:16"], "embedder": ["tfidf"], "index": ["dense"]}
    grid_mode = {**grid, "mode": "factorial", "k": 10, "headline": "recall@5"}
    workspace.save_settings(filled, Settings.from_dict({"embedding": {"model": "tfidf"}, "grid": grid_mode}))
    return open_page("grid", project=filled)


def added(app: AppTest, project: str, axis: str, value: str) -> AppTest:
    app = checked(app.get_by_key(key(app, project, f"{axis}.add")).set_value(value).run())
    return clicked(app, key(app, project, f"{axis}.add.go"))


def saved(workspace: Staged, project: str) -> Settings:
    settings = workspace.settings(project)
    assert Settings.from_yaml(settings.to_yaml(), "settings.yaml") == settings
    return settings


def shown_count(app: AppTest) -> str:
    return str(next(m.value for m in app.main.metric if m.label == "Configurations"))


def test_the_form_shows_what_is_saved_and_changes_nothing(
    app: AppTest, workspace: Staged, filled: str
) -> None:
    before = workspace.settings(filled)
    checked(app.run())
    after = saved(workspace, filled)
    assert grid_of(after) == grid_of(before)
    assert shown_count(app) == "2"


def test_the_pages_grid_is_chosen_by_clicks(app: AppTest, workspace: Staged, filled: str) -> None:
    """2 chunkers × 2 indexes × 2 rerankers: the eight labels of the published page, but for its parser."""
    app = added(app, filled, "index", "bm25")
    app = added(app, filled, "reranker", "lexical")
    grid = grid_of(saved(workspace, filled))
    assert [c.label for c in grid.configurations][:3] == [
        "auto · recursive:512 · tfidf · dense",
        "auto · recursive:512 · tfidf · dense · lexical@50",
        "auto · recursive:512 · bm25",
    ]
    assert shown_count(app) == "8" == str(len(grid.configurations))
    assert "2 ways of cutting × 2 ways of searching × 2 ways of reranking" in said(app)


@pytest.mark.parametrize(("mode", "cells"), [("factorial", "8"), ("ofat", "4"), ("staged", "2")])
def test_a_mode_is_chosen_and_counted(
    mode: str, cells: str, app: AppTest, workspace: Staged, filled: str
) -> None:
    """Staged knows its first stage only: the two chunkers; two more may follow."""
    app = added(app, filled, "index", "bm25")
    app = added(app, filled, "reranker", "lexical")
    app = checked(app.get_by_key(key(app, filled, "mode")).set_value(mode).run())
    assert saved(workspace, filled).grid.mode == mode  # type: ignore[union-attr]
    assert shown_count(app) == cells
    assert ("Up to 2 more follow" in said(app)) == (mode == "staged")


def test_a_copy_is_a_smaller_variant_and_a_value_is_taken_out(
    app: AppTest, workspace: Staged, filled: str
) -> None:
    app = clicked(app, key(app, filled, "chunker.0.copy"))
    assert saved(workspace, filled).grid.chunker == ("recursive:512", "recursive:256", "recursive:16")  # type: ignore[union-attr]
    app = clicked(app, key(app, filled, "chunker.2.out"))
    app = clicked(app, key(app, filled, "chunker.0.out"))
    assert saved(workspace, filled).grid.chunker == ("recursive:256",)  # type: ignore[union-attr]
    assert app.get_by_key(key(app, filled, "chunker.0.out")).proto.disabled


def test_a_parameter_is_edited(app: AppTest, workspace: Staged, filled: str) -> None:
    app = checked(app.get_by_key(key(app, filled, "chunker.0.chunk_size")).set_value(384).run())
    assert saved(workspace, filled).grid.chunker[0] == "recursive:384"  # type: ignore[union-attr]
    checked(app.run())


def test_what_cannot_run_and_what_is_the_same_is_said(app: AppTest, workspace: Staged, filled: str) -> None:
    app = added(app, filled, "index", "bm25")
    app = added(app, filled, "embedder", "none")
    words = said(app)
    assert "2 combinations left out: the same as another one." in words
    assert "2 combinations cannot run: vectors without an embedder." in words
    assert shown_count(app) == "4"


def test_a_value_that_cannot_be_used_says_why_and_the_others_run(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    grid = {"chunker": ["recursive:512", "nonsense"], "embedder": ["tfidf"], "mode": "factorial"}
    workspace.save_settings(filled, Settings.from_dict({"grid": grid}))
    app = open_page("grid", project=filled)
    assert said(app).count("unknown chunker 'nonsense'") == 2
    assert not app.get_by_key("grid.start").proto.disabled
    assert shown_count(app) == "2"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: str(preset.name))
def test_a_preset_is_chosen_and_undone(
    preset: object, workspace: Staged, filled: str, open_page: Open
) -> None:
    before = workspace.settings(filled)
    app = open_page("grid", project=filled)
    app = clicked(app, f"grid.preset.{preset.name}")  # type: ignore[attr-defined]
    chosen = saved(workspace, filled)
    assert chosen.grid is not None
    assert shown_count(app) == str(len(grid_of(chosen).configurations))
    assert not axes_of(chosen).problems
    app = clicked(app, "grid.undo")
    assert workspace.settings(filled) == before


def test_the_two_forms_say_the_same_grid(workspace: Staged, filled: str, open_page: Open) -> None:
    before = Settings()
    axes = from_strategies(before)
    assert [(c.chunker.name, c.index) for c in grid_of(axes).configurations] == [
        (c.chunker.name, c.index) for c in grid_of(before).configurations
    ]
    app = open_page("grid", project=filled)
    app = checked(app.get_by_key("grid.which.0").set_value("axes").run())
    assert grid_of(saved(workspace, filled)) == grid_of(axes)
    revision = int(app.session_state["grid.revision"])
    checked(app.get_by_key(f"grid.which.{revision}").set_value("strategies").run())
    assert workspace.settings(filled).grid is None


def test_two_hundred_configurations_are_counted(workspace: Staged, filled: str, open_page: Open) -> None:
    sizes = [f"recursive:{size}" for size in range(32, 32 + 50)]
    grid = {"chunker": sizes, "embedder": ["tfidf"], "index": ["dense", "bm25"], "mode": "factorial"}
    grid["reranker"] = [None, "lexical"]
    workspace.save_settings(filled, Settings.from_dict({"grid": grid}))
    assert shown_count(open_page("grid", project=filled)) == "200"


def test_a_value_is_made_the_baseline(app: AppTest, workspace: Staged, filled: str) -> None:
    app = clicked(app, key(app, filled, "chunker.1.first"))
    assert saved(workspace, filled).grid.chunker == ("recursive:16", "recursive:512")  # type: ignore[union-attr]
    assert "first: the baseline" in said(app)
    assert app.get_by_key(key(app, filled, "chunker.0.first")).proto.disabled


def test_what_a_run_takes_is_predicted_beside_the_grid(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    workspace.predicted = Forecast(
        Estimate(
            configurations=2,
            shape={"chunkers": 2},
            folded=0,
            impossible=0,
            documents=1,
            questions=3,
            chunks=1_234,
            tokens=98_765,
            stages={"chunk": 2.0, "embed": 130.4, "search": 0.4},
            memory=1_540_000_000,
            unknown=("Not predicted: reranker x.",),
        )
    )
    app = open_page("grid", project=filled)
    shown = {metric.label: metric.value for metric in app.main.metric}
    assert (shown["Predicted time"], shown["Memory"]) == ("2 min", "1.5 GB")
    words = said(app)
    assert "About 99,000 tokens in 1,200 chunks to index, for 3 questions." in words
    assert "2 s to cut, 2 min to embed." in words
    assert "Not predicted: reranker x" in words


def test_no_prediction_says_why(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.predicted = Forecast(problem="a run is at work")
    assert "No prediction: A run is at work." in said(open_page("grid", project=filled))
