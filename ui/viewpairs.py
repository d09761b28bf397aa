"""Every pair of configurations, and how many would stand out by chance."""

from __future__ import annotations

import streamlit as st

from evalcore.results.pairs import AllPairs, Pair
from ui import viewheat, viewtables
from ui.shown import Shown
from ui.text import count

MOST_IN_MATRIX = 16
MOST_IN_TABLE = 2_000


def every_pair(shown: Shown) -> None:
    """Draw the difference of every pair and how many would stand out by chance."""
    pairs = shown.pairs()
    if not pairs.pairs:
        st.info("With one configuration there are no pairs.", icon=":material/balance:")
        return
    st.caption(
        f"{count(len(pairs.pairs), 'pair')}: {pairs.distinguishable:,} distinguishable when each is taken "
        f"alone, of which about {pairs.by_chance:,.1f} (5 % of the pairs) could be so by chance alone; "
        f"{pairs.holding:,} when all are taken together (Holm)."
    )
    picked = shown.picked
    labels = [label for label in pairs.labels if label in picked] if len(picked) > 2 else list(pairs.labels)
    _matrix(shown, pairs, labels)
    _table(shown, pairs)


def _matrix(shown: Shown, pairs: AllPairs, labels: list[str]) -> None:
    top = set(labels[:MOST_IN_MATRIX])
    drawn = [pair for pair in pairs.pairs if {pair.left, pair.right} <= top]
    told = "; ".join(f"{shown.name(p.left)} − {shown.name(p.right)} {p.difference:+.2f}" for p in drawn[:20])
    st.altair_chart(
        viewheat.matrix(drawn, shown.names.short), alt=f"Gaps on {shown.title}, row less column: {told}"
    )
    st.caption(
        f"{shown.title}, row less column. ● distinguishable among all pairs, ◐ only when taken alone, "
        "no mark: tied."
    )
    if len(labels) < len(pairs.labels):
        st.caption("Drawn are the rows picked in Ranking.")
    elif len(labels) > MOST_IN_MATRIX:
        st.caption(
            f"The best {MOST_IN_MATRIX} of {len(labels):,} are drawn; pick others in Ranking or filter above."
        )


def _table(shown: Shown, pairs: AllPairs) -> None:
    written = sorted(pairs.pairs, key=_by_p)[:MOST_IN_TABLE]
    number = viewtables.number
    title = "Table"
    if len(written) < len(pairs.pairs):
        title += f": the {len(written):,} pairs of {len(pairs.pairs):,} with the smallest p"
    viewtables.behind(
        [
            {
                "left": shown.name(p.left),
                "right": shown.name(p.right),
                "gap": p.difference,
                "low": p.low,
                "high": p.high,
                "p": p.p_value,
                "holm": p.p_holm,
                "n": p.n,
            }
            for p in written
        ],
        {
            "left": viewtables.text("Left", "The better one of the two."),
            "right": viewtables.text("Right"),
            "gap": number("Gap", f"Left less right on {shown.title}.", "%.3f"),
            "low": number("Low", "Lower end of the gap's 95 % interval.", "%.3f"),
            "high": number("High", "Upper end of the gap's 95 % interval.", "%.3f"),
            "p": number("p", "Two-sided sign-flip test, 2,000 draws, of this pair alone.", "%.4f"),
            "holm": number("p (Holm)", "The same, adjusted for the number of pairs.", "%.4f"),
            "n": number("n", "Questions that count under both.", "localized"),
        },
        f"{len(written)} pairs with gap, interval and p",
        title,
    )


def _by_p(pair: Pair) -> tuple[float, float]:
    return pair.p_value, -abs(pair.difference)
