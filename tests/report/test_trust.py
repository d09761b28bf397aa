"""What the help of a verdict says of such calls is what the docs print of the simulation."""

from __future__ import annotations

from pathlib import Path

from evalcore.report.grade import Grade
from evalcore.report.trust import FIELDS, TRUST, trust_of

DOCS = Path(__file__).resolve().parents[2] / "docs" / "verdict.md"


def test_the_figures_are_those_of_the_docs() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if line.startswith(("| recall_at_k", "| balanced"))
    ]
    assert len(rows) == len(TRUST) == 4
    for metric, grade, calls, right, false in rows:
        trust = TRUST[metric, Grade(grade)]
        assert calls == f"{trust.calls:,}"
        assert right == f"{trust.right:,} ({100 * trust.right / trust.calls:.1f} %)"
        assert false == f"{trust.false_calls:,} ({100 * trust.false_calls / trust.equal:.1f} %)"
        assert trust.equal * 2 == FIELDS


def test_proven_calls_reach_the_aim() -> None:
    """At least 97 % right, at most 5 % of equal fields."""
    proven = [trust for (_, grade), trust in TRUST.items() if grade is Grade.PROVEN]
    assert all(trust.right / trust.calls >= 0.97 for trust in proven)
    assert all(trust.false_calls / trust.equal <= 0.05 for trust in proven)


def test_an_open_verdict_has_no_figure_and_others_go_by_recall() -> None:
    assert trust_of("recall_at_k", Grade.OPEN) is None
    assert trust_of("mrr", Grade.CLEAR) is TRUST["recall_at_k", Grade.CLEAR]
    assert trust_of("balanced", Grade.PROVEN) is TRUST["balanced", Grade.PROVEN]
