"""What the Grid page draws: a form over the settings of the next run, saved as it changes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evalcore.errors import EvalgridError, InputError
from evalcore.grid import Grid, axes_of, expand
from evalcore.settings import Settings
from ui import gridform, setup, starting
from ui.state import Here
from ui.steps import progress_of
from ui.text import count, plain

TITLE = "Grid"
LINE = "What is compared: every way of cutting with every way of searching. Changes are saved at once."
LAST = "grid.last"


def draw(here: Here) -> None:
    """Draw the Grid page."""
    setup.need_project(here, TITLE, LINE)
    project = here.project.id if here.project else ""
    saved, revision = here.workspace.settings(project), gridform.revision()
    actions = setup.head(TITLE, LINE)
    parts = st.grid(3, min_column_width=230, gap="small")
    form, side = parts.cell(column_span=2), parts.cell()
    with form:
        built = _file_grid(saved) if saved.grid is not None else gridform.draw(project, saved)
    _keep(here, saved, built, revision)
    progress = progress_of(here.workspace, project)
    starting.button(here, actions, progress, key="grid")
    with side:
        starting.reasons(progress, key="grid")
        _count(built)
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
        grid = expand(axes, settings.grid.mode if settings.grid else "factorial")
    except EvalgridError:
        return  # said above, among the reasons why it cannot run
    with st.container(border=True, key="grid-count"):
        st.metric("Configurations", f"{len(grid.configurations):,}")
        st.caption(
            f"{count(len(axes.chunkers), 'way')} of cutting × {count(len(axes.indexes), 'way')} of searching"
            + (f" × {count(len(axes.embedders), 'model')}" if len(axes.embedders) > 1 else "")
        )
        if grid.folded:
            st.caption(f"{count(grid.folded, 'combination')} left out: the same as another one.")
        if all(model in gridform.MODELS for model in axes.embedders):
            st.caption(":material/lock: Nothing leaves this machine.")
        else:
            st.caption(
                ":material/cloud_download: The model is fetched if it is not on this machine. Texts stay."
            )
        _configurations(grid)


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
        _replace(here, project, loaded)
        st.session_state["grid.batch"] += 1
        setup.say("Settings loaded.")
        st.rerun()


def _replace(here: Here, project: str, settings: Settings) -> None:
    here.workspace.save_settings(project, settings)
    gridform.renew()
    st.session_state.pop(LAST, None)


def _file_grid(settings: Settings) -> Settings:
    """Show a grid that came as axes in a settings file; it is edited there."""
    try:
        axes = axes_of(settings)
    except InputError:
        axes = None
    with st.container(border=True):
        st.markdown("**These axes come from a settings file**")
        st.caption("Edit them in the file and load it again, or go back to the form.")
        if axes is not None:
            st.markdown(
                "**Chunkers.** " + ", ".join(plain(str(gridform.spec_text(c))) for c in axes.chunkers)
            )
            st.markdown("**Embedders.** " + ", ".join(plain(e) for e in axes.embedders))
            st.markdown("**Retrievers.** " + ", ".join(plain(i) for i in axes.indexes))
        if st.button("Back to the form", icon=":material/edit:"):
            gridform.renew()
            return settings.model_copy(update={"grid": None})
    return settings
