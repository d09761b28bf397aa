"""The price of context: which model reads the chunks, and a table of prices to edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from evalcore.errors import EvalgridError, InputError
from evalcore.results.prices import LISTED, PriceList, load_prices, save_prices
from ui import setup
from ui.text import plain

BATCH = "prices.batch"
NONE = "(no price)"


def edit(root: Path) -> None:
    """Draw the button that opens the prices of the workspace."""
    known = load_prices(root)
    label = known.price.model if known.price is not None else "no price"
    with st.popover(f"Price: {plain(label)}", icon=":material/payments:", help="What context costs"):
        st.markdown("**What an answering model charges to read the chunks**")
        st.caption(
            f"The defaults are list prices as published on {LISTED}, no claim about today: set what you pay. "
            "They are kept in this workspace and hold for every project, view and CSV file."
        )
        batch = st.session_state.setdefault(BATCH, 0)
        _choose(root, known, batch)
        _table(root, known, batch)


def _choose(root: Path, known: PriceList, batch: int) -> None:
    models = [NONE, *(price.model for price in known.prices)]
    chosen = st.selectbox(
        "Model that reads the chunks",
        models,
        models.index(known.chosen) if known.chosen is not None else 0,
        key=f"prices.model.{batch}",
    )
    if chosen != (known.chosen or NONE):
        _save(root, PriceList(known.prices, None if chosen == NONE else chosen))


def _table(root: Path, known: PriceList, batch: int) -> None:
    frame = pd.DataFrame(
        {
            "model": [price.model for price in known.prices],
            "usd": [price.usd_per_million for price in known.prices],
            "listed": [price.listed for price in known.prices],
        }
    )
    with st.form(f"prices.form.{batch}", border=False):
        edited = st.data_editor(
            frame,
            num_rows="dynamic",
            hide_index=True,
            height=300,
            alt=f"Prices of {len(frame)} models, to edit",
            key=f"prices.table.{batch}",
            column_config={
                "model": st.column_config.TextColumn("Model", required=True, width=160),
                "usd": st.column_config.NumberColumn(
                    "$ per million",
                    help="US dollars per million input tokens.",
                    min_value=0.0,
                    format="$%.3f",
                    required=True,
                    width=110,
                ),
                "listed": st.column_config.DateColumn(
                    "As of", help="The day of the price; a price you change is of today.", width=95
                ),
            },
        )
        if st.form_submit_button("Save prices", icon=":material/save:"):
            _keep(root, known, edited.to_dict("records"))
    if st.button("Back to the defaults", icon=":material/undo:", key="prices.defaults", type="tertiary"):
        _save(root, PriceList())


def _keep(root: Path, known: PriceList, rows: Sequence[Mapping[Any, Any]]) -> None:
    written = [(_text(row["model"]), _number(row["usd"]), _day(row["listed"])) for row in rows]
    try:
        edited = known.edited(written, datetime.now(UTC).date())
    except InputError as error:
        setup.refuse(error)
        return
    _save(root, edited)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _day(value: Any) -> date | None:
    return None if pd.isna(value) else pd.Timestamp(value).date()


def _save(root: Path, prices: PriceList) -> None:
    try:
        save_prices(root, prices)
    except EvalgridError as error:
        setup.refuse(error)
        return
    st.session_state[BATCH] += 1
    setup.say("Prices saved.")
    st.rerun()
