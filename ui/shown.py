"""What every view draws from: the results, the metric chosen once, names, colours and the rows picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore.results.names import Names
from evalcore.results.pairs import AllPairs, all_pairs
from evalcore.results.prices import ModelPrice
from evalcore.results.results import Results
from evalcore.results.tables import Spread, spreads
from ui import metricwords
from ui.colours import Colours
from ui.metricwords import COSTS
from ui.state import Here
from ui.text import plain

PICKED = "views.picked"
LEFT, RIGHT = "left", "right"
VIEW = "view"


@dataclass(frozen=True, slots=True)
class Shown:
    """`results` are those that the filters leave of `whole`; colours and names are of the whole run."""

    here: Here
    whole: Results
    results: Results
    metric: str
    names: Names
    colours: Colours
    version: str
    price: ModelPrice | None = None

    @property
    def context(self) -> str:
        """What the price of context stands for."""
        line = COSTS["context_usd_per_1k"].line
        if self.price is None:
            return line
        paid = f"{plain(self.price.model)} at \\${self.price.usd_per_million:,.2f} per million input tokens"
        return f"{line} Here {paid}, as listed on {self.price.listed}; other prices can be set above."

    @property
    def title(self) -> str:
        """The metric as it is called on screen."""
        return metricwords.called(self.metric)

    @property
    def picked(self) -> list[str]:
        """The labels picked in the ranking that the filters leave."""
        here = {run.label for run in self.results.runs}
        return [label for label in st.session_state.get(PICKED, []) if label in here]

    def name(self, label: str) -> str:
        """A configuration's short name."""
        return self.names.short.get(label, label)

    def strength(self, label: str) -> float:
        """How strongly a mark is drawn: fainter when others are picked."""
        picked = self.picked
        return 1.0 if not picked or label in picked else 0.3

    def spreads(self) -> dict[str, Spread]:
        """The interval of every configuration on the metric, by label."""
        return _spreads(self.results, self.metric, self.version)

    def pairs(self) -> AllPairs:
        """All pairs on the metric."""
        return _pairs(self.results, self.metric, self.version)


def pick(labels: Sequence[str]) -> None:
    """Keep which configurations are picked; the first two are those that Compare shows."""
    if list(labels) == st.session_state.get(PICKED, []):
        return
    st.session_state[PICKED] = list(labels)
    if len(labels) > 1:
        st.session_state[LEFT], st.session_state[RIGHT] = labels[:2]


def show_in_ranking(label: str) -> None:
    """Open the ranking with one row picked, from the next drawing on."""
    st.session_state[PICKED] = [label]
    st.session_state[VIEW] = "Ranking"


@st.cache_resource(max_entries=8, show_spinner=False)
def _spreads(_results: Results, metric: str, version: str) -> dict[str, Spread]:
    del version
    return spreads(_results, metric)


@st.cache_resource(max_entries=8, show_spinner="Comparing all pairs …")
def _pairs(_results: Results, metric: str, version: str) -> AllPairs:
    del version
    return all_pairs(_results, metric)
