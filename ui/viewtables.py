"""Tables of the views: columns with their meaning, and the table behind a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

MOST_ROWS = 18
ROW = 35


def number(label: str, help_text: str, form: str = "%.2f", width: int | None = None) -> ColumnConfig:
    """A column of numbers: what they are in one line, and how they are written."""
    return st.column_config.NumberColumn(label, help=help_text, format=form, width=width)


def text(label: str, help_text: str | None = None, width: int | None = None) -> ColumnConfig:
    """A column of text."""
    return st.column_config.TextColumn(label, help=help_text, width=width)


def draw(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, ColumnConfig], alt: str) -> None:
    """Draw rows as a table that scrolls when it is long."""
    st.dataframe(
        pd.DataFrame(list(rows), columns=list(columns)),
        hide_index=True,
        height="content" if len(rows) <= MOST_ROWS else ROW * (MOST_ROWS + 1),
        placeholder="–",
        alt=alt,
        column_config=dict(columns),
    )


def behind(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, ColumnConfig], alt: str, title: str = "Table"
) -> None:
    """Draw the table behind a chart, one click away."""
    with st.expander(title, icon=":material/table:"):
        draw(rows, columns, alt)
