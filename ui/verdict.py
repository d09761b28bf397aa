"""The decision in words and as a card, from the report's verdict."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from evalcore.models import AxisVerdict, EvalReport
from evalcore.report.grade import Grade
from evalcore.report.trust import trust_of
from evalcore.report.words import by_document_words, judged_rows, settled_by
from ui import charts
from ui.text import count, listed, plain, score
from ui.words import AXES, TERMS


@dataclass(frozen=True, slots=True)
class Told:
    """A verdict on one axis in words: a heading and a sentence."""

    heading: str
    sentence: str


def axes(report: EvalReport) -> list[AxisVerdict]:
    """The axes that were judged, the way of cutting first."""
    if report.verdict is None:
        return []
    found = [report.verdict.chunking, report.verdict.retrieval]
    return [axis for axis in found if axis is not None]


def tell(axis: AxisVerdict, questions: int) -> Told:
    """Say a verdict in words."""
    if len(axis.probability_best) < 2:
        return Told(
            f"Only {axis.leader} was tried", "With one candidate there is nothing to compare it with."
        )
    chance = score(axis.probability_best.get(axis.leader))
    over = f"over {count(questions, 'scored question')}"
    if axis.decided:
        heading = f"Use {axis.winner or axis.leader}"
        sentence = f"It came out best in {chance} of resamples {over}{_margin(axis)}."
    else:
        heading = f"No single winner; {axis.leader} leads"
        sentence = f"It came out best in only {chance} of resamples {over}; 0.90 would decide{_margin(axis)}."
    return Told(heading, sentence)


def headline(report: EvalReport) -> str:
    """The whole verdict in one or two sentences."""
    questions = report.corpus_summary.num_scored_questions
    told = [(AXES[axis.axis][0], tell(axis, questions).heading) for axis in axes(report)]
    if not told:
        return report.recommendation
    return ". ".join(f"{name}: {heading[0].lower()}{heading[1:]}" for name, heading in told) + "."


def _margin(axis: AxisVerdict) -> str:
    margin = axis.margin
    if margin is None:
        return ""
    low, high = (f"{value:+.2f}".replace("-", "−") for value in margin.ci95)
    difference = f"{margin.difference:+.2f}".replace("-", "−")
    return f". Recall against {margin.runner_up}: {difference} [{low} to {high}]"


def settle(axis: AxisVerdict, report: EvalReport) -> str:
    """What would settle an axis; nothing when it is decided."""
    if axis.decided or len(axis.probability_best) < 2:
        return ""
    candidates = judged_rows(axis, report.strategy_results)
    return settled_by(axis, candidates, report.corpus_summary.num_scored_questions)


def card(axis: AxisVerdict, report: EvalReport, grade: Grade | None = None) -> None:
    """Draw one axis: the verdict, how sure it is, who is in play and what would settle it."""
    told = tell(axis, report.corpus_summary.num_scored_questions)
    title, noun = AXES[axis.axis]
    with st.container(key=f"verdict-{axis.axis}"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(f"**{title}** · {noun}")
            _grade(axis, grade, report.corpus_summary.ranking_metric)
        st.subheader(plain(told.heading), anchor=False)
        st.text(told.sentence)
        if len(axis.probability_best) > 1:
            st.caption("Chance of being best", help=TERMS["chance"].help)
            st.altair_chart(charts.chances(axis), alt=charts.chances_alt(axis))
        _places(axis)
        caution = by_document_words(axis)
        if caution:
            st.text(caution)
        settling = settle(axis, report)
        if settling:
            st.markdown(f"**What would settle it.** {plain(settling)}")
        if axis.held:
            st.caption(f"Measured with {plain(axis.held)}, the best on the other axis.")


def _grade(axis: AxisVerdict, grade: Grade | None, metric: str) -> None:
    if grade is Grade.PROVEN:
        line = (
            "Best in at least 0.90 of resamples, and told apart from every other candidate question by "
            "question, their number allowed for (Holm)."
        )
        st.badge("Proven", icon=":material/verified:", color="green", help=_trusted(line, metric, grade))
    elif axis.decided:
        line = "Best in at least 0.90 of resamples, but not told apart from every other candidate."
        help_text = _trusted(line, metric, Grade.CLEAR)
        st.badge("Clear", icon=":material/check_circle:", color="blue", help=help_text)
    else:
        st.badge(
            "Open", icon=":material/balance:", color="orange", help="Nobody is best in 0.90 of resamples"
        )


def _trusted(line: str, metric: str, grade: Grade) -> str:
    trust = trust_of(metric, grade)
    return line if trust is None else f"{line}\n\n{trust.sentence()}"


def _places(axis: AxisVerdict) -> None:
    in_play = listed([plain(name) for name in axis.in_play])
    st.markdown(f"**Still in play.** {in_play or 'nobody'}")
    if axis.ruled_out:
        st.markdown(f"**Ruled out.** {listed([plain(name) for name in axis.ruled_out])}")
