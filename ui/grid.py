"""What the Grid page draws: a form over the settings of the next run, saved as it changes."""

from __future__ import annotations

from typing import NoReturn

import pandas as pd
import streamlit as st

from evalcore.errors import EvalgridError
from evalcore.grid import NONE, Axes, Grid, axes_of, expand, mode_of
from evalcore.plugins import identities, problems
from evalcore.settings import Settings
from ui import axisform, forecast, gridform, setup, starting
from ui.presets import PRESETS
from ui.state import Here
from ui.steps import progress_of
from ui.text import count, plain

TITLE = "Grid"
LINE = "What is compared: every way of cutting with every way of searching. Changes are saved at once."
LAST = "grid.last"
BEFORE = "grid.before"
FORMS = {"strategies": "Strategies and retrievers", "axes": "All axes"}


def draw(here: Here) -> None:
    """Draw the Grid page."""
    setup.need_project(here, TITLE, LINE)
    project = here.project.id if here.project else ""
    saved, revision = here.workspace.settings(project), gridform.revision()
    actions = setup.head(TITLE, LINE)
    parts = st.grid(3, min_column_width=230, gap="small")
    form, side = parts.cell(column_span=2), parts.cell()
    with form:
        _presets(here, project, saved)
        other = _which(saved)
        if other is not None:
            _replace(here, project, other, saved)
        built = (axisform if saved.grid is not None else gridform).draw(project, saved)
    _keep(here, saved, built, revision)
    progress = progress_of(here.workspace, project)
    starting.button(here, actions, progress, key="grid")
    with side:
        starting.reasons(progress, key="grid")
        _count(built)
        forecast.draw(here, project)
        _plugin_problems()
        _file(here, project, built)


def _keep(here: Here, saved: Settings, built: Settings, revision: int) -> None:
    """Save what the form says; when only the saved settings changed (another tab), follow those instead."""
    last = st.session_state.get(LAST)
    st.session_state[LAST] = built
    if built == saved:
        return
    if last == built:
        gridform.renew()
        del st.session_state[LAST]
        st.rerun()
    here.workspace.save_settings(here.link.project or "", built)
    if gridform.revision() != revision:
        st.rerun()  # a row was added or taken out: draw the form anew


def _count(settings: Settings) -> None:
    try:
        axes = axes_of(settings)
        grid = expand(axes, mode_of(settings))
        plugins = identities(axes)
    except EvalgridError:
        return  # said above, among the reasons why it cannot run
    with st.container(border=True, key="grid-count"):
        st.metric("Configurations", f"{len(grid.configurations):,}")
        st.caption(_shape(axes))
        if grid.later:
            st.caption(f"Up to {grid.later:,} more follow from what the first stage finds.")
        if grid.folded:
            st.caption(f"{count(grid.folded, 'combination')} left out: the same as another one.")
        if grid.impossible:
            st.caption(f"{count(grid.impossible, 'combination')} cannot run: vectors without an embedder.")
        for problem in axes.problems:
            st.caption(f":orange[{plain(problem)}] The others run.")
        for plugin, identity in plugins.items():
            st.caption(f":material/extension: {plain(f'{plugin}: {identity}')}")
        if plugins:
            st.caption(
                ":material/warning: Plug-ins run with your rights; what they send is up to their authors."
            )
        elif all(model in (*gridform.MODELS, NONE) for model in axes.embedders):
            st.caption(":material/lock: Nothing leaves this machine.")
        else:
            st.caption(
                ":material/cloud_download: The model is fetched if it is not on this machine. Texts stay."
            )
        _configurations(grid)


def _plugin_problems() -> None:
    for problem in problems():
        st.caption(f":orange[{plain(problem)}]")


def _shape(axes: Axes) -> str:
    """`2 ways of cutting × 3 of searching`, with the other axes where they vary."""
    parts = [
        f"{count(len(axes.chunkers), 'way')} of cutting",
        f"{count(len(axes.indexes), 'way')} of searching",
    ]
    further = {
        "parser": len(axes.parsers),
        "model": len(axes.embedders),
        "way": len(axes.rerankers),
        "number": len(axes.candidates) if any(axes.rerankers) else 1,
    }
    ends = {"way": " of reranking", "number": " of candidates"}
    parts += [f"{count(n, name)}{ends.get(name, '')}" for name, n in further.items() if n > 1]
    return " × ".join(parts)


def _configurations(grid: Grid) -> None:
    with st.expander("Show them"):
        frame = pd.DataFrame(
            {
                "strategy": [c.strategy for c in grid.configurations],
                "retriever": [c.retriever for c in grid.configurations],
            }
        )
        st.dataframe(
            frame,
            hide_index=True,
            height=min(360, 35 * (len(frame) + 1) + 3),
            alt="Configurations: " + "; ".join(c.key for c in grid.configurations),
            column_config={"strategy": "Strategy", "retriever": "Retriever"},
        )


def _file(here: Here, project: str, settings: Settings) -> None:
    with st.container(border=True, key="grid-file"):
        st.markdown("**Settings file**")
        st.caption("The same file works on the command line.")
        st.download_button(
            "Download settings.yaml",
            settings.to_yaml(),
            file_name="settings.yaml",
            mime="application/yaml",
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
        )
        batch = st.session_state.setdefault("grid.batch", 0)
        given = st.file_uploader("Load a settings file", type=["yaml", "yml"], key=f"grid.file.{batch}")
        if given is None:
            return
        try:
            loaded = Settings.from_yaml(given.getvalue(), given.name)
            axes_of(loaded)
        except EvalgridError as error:
            setup.refuse(error)
            return
        st.session_state[f"{BEFORE}.{project}"] = settings
        _save(here, project, loaded)
        st.session_state["grid.batch"] += 1
        setup.say("Settings loaded.")
        st.rerun()


def _save(here: Here, project: str, settings: Settings) -> None:
    here.workspace.save_settings(project, settings)
    gridform.renew()
    st.session_state.pop(LAST, None)


def _which(saved: Settings) -> Settings | None:
    """Draw the choice between the two forms; returns the settings said the other way when it changed."""
    shown = "axes" if saved.grid is not None else "strategies"
    chosen = st.segmented_control(
        "Compare",
        list(FORMS),
        default=shown,
        required=True,
        format_func=lambda name: FORMS[name],
        key=f"grid.which.{gridform.revision()}",
        help="Strategies and retrievers: every way of cutting with every way of searching. "
        "All axes: parsers, embedders, rerankers and candidates too, and other ways to combine them.",
    )
    if chosen == shown:
        return None
    return axisform.from_strategies(saved) if chosen == "axes" else axisform.to_strategies(saved)


def _presets(here: Here, project: str, saved: Settings) -> None:
    """Draw the grids to begin with; choosing one can be undone."""
    with st.container(horizontal=True, vertical_alignment="center", key="grid-presets"):
        st.caption("Begin with")
        for preset in PRESETS:
            if st.button(preset.name, key=f"grid.preset.{preset.name}", help=preset.line):
                _replace(here, project, preset.on(saved), saved)
        before = st.session_state.get(f"{BEFORE}.{project}")
        if before is not None and st.button("Undo", icon=":material/undo:", key="grid.undo"):
            _replace(here, project, before, None)


def _replace(here: Here, project: str, settings: Settings, before: Settings | None) -> NoReturn:
    """Save other settings, keep what was there for the undo, and draw the page anew."""
    st.session_state[f"{BEFORE}.{project}"] = before
    _save(here, project, settings)
    st.rerun()
