"""Tables: what each column is called, means and looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from evalcore.corpus.document import Document
from evalcore.evalset.check import Problem
from evalcore.evalset.items import EvalItem
from evalcore.models import EvalReport, StrategyResult
from evalcore.workspace import CellState, FileRow
from ui.text import score, share, with_interval
from ui.words import TERMS

ROW = 33
NARROW = 74
MOST_ROWS = 18
STATUS = {"read": "✓ read", "warned": "! warning", "refused": "✕ refused"}
CELL = {"waiting": "·", "running": "… running", "failed": "✕ failed"}


def _height(rows: int) -> int | Literal["content"]:
    """As tall as its rows, up to a limit; beyond it the table scrolls."""
    return "content" if rows <= MOST_ROWS else ROW * (MOST_ROWS + 1)


def _number(label: str, description: str | None = None) -> ColumnConfig:
    return st.column_config.NumberColumn(label, help=description, format="localized", width=NARROW)


def _picked(event: Any) -> list[int]:
    return list(event.selection.rows)


def files(rows: Sequence[FileRow], key: str, opened: Sequence[int] = ()) -> list[FileRow]:
    """Draw the files, at first with the `opened` ones selected; returns those that are selected."""
    frame = pd.DataFrame(
        {
            "name": [r.name for r in rows],
            "status": [STATUS[r.status] for r in rows],
            "kind": [r.kind for r in rows],
            "pages": pd.array([r.pages for r in rows], dtype="Int64"),
            "characters": [r.characters for r in rows],
            "tokens": [r.tokens for r in rows],
            "language": [r.language or "–" for r in rows],
            "headings": [r.headings for r in rows],
            "tables": [r.tables for r in rows],
            "message": [r.message for r in rows],
        }
    )
    event = st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=_height(len(rows)),
        on_select="rerun",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": list(opened), "columns": [], "cells": []}},
        placeholder="–",
        alt=f"{len(rows)} files with their status, size, language and structure",
        column_config={
            "name": st.column_config.TextColumn("Name", width=190, pinned=True),
            "status": st.column_config.TextColumn("Status", width=85),
            "kind": st.column_config.TextColumn("Kind", width=NARROW),
            "pages": _number("Pages"),
            "characters": _number("Characters"),
            "tokens": _number("Tokens", "cl100k_base tokens."),
            "language": st.column_config.TextColumn(
                "Language", width=NARROW, help="Named only when it is clear."
            ),
            "headings": _number("Headings", "Where cutting by structure can cut."),
            "tables": _number("Tables"),
            "message": st.column_config.TextColumn("What to know", width="large"),
        },
    )
    return [rows[i] for i in _picked(event) if i < len(rows)]


def outline(document: Document, key: str) -> int | None:
    """Draw a document's headings, indented by level; returns the position of the selected one."""
    titles = [document.text[h.start : h.end].strip().lstrip("#").strip() for h in document.headings]
    levels = [h.level for h in document.headings]
    frame = pd.DataFrame(
        {"title": ["\u2003" * (max(level, 1) - 1) + t for t, level in zip(titles, levels, strict=True)]}
    )
    event = st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=_height(len(frame)),
        on_select="rerun",
        selection_mode="single-row",
        alt=f"Outline of {len(frame)} headings",
        column_config={"title": st.column_config.TextColumn("Heading")},
    )
    return next(iter(_picked(event)), None)


def questions(
    items: Sequence[EvalItem], problems: dict[str, list[Problem]], key: str, first: int = 0
) -> EvalItem | None:
    """Draw the list of questions, at first with the `first` one selected; returns the selected one."""
    frame = pd.DataFrame(
        {
            "state": [_question_state(problems.get(i.id, [])) for i in items],
            "question": [" ".join(i.question.split()) for i in items],
            "id": [i.id for i in items],
            "type": [i.qtype or "–" for i in items],
            "passages": [len(i.slots) for i in items],
        }
    )
    event = st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=_height(len(items)),
        on_select="rerun",
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [first], "columns": [], "cells": []}},
        alt=f"{len(items)} questions with their problems, types and numbers of passages",
        column_config={
            "state": st.column_config.TextColumn("", width=36, help="✓ fine, ! a warning, ✕ an error"),
            "id": st.column_config.TextColumn("Id", width="small"),
            "question": st.column_config.TextColumn("Question", width=250),
            "type": st.column_config.TextColumn("Type", width="small"),
            "passages": _number("Passages", "Passages that must be found to answer it."),
        },
    )
    place = next(iter(_picked(event)), 0)
    return items[place] if place < len(items) else None


def _question_state(problems: Sequence[Problem]) -> str:
    if any(p.severity == "error" for p in problems):
        return "✕"
    return "!" if problems else "✓"


def matrix(cells: Sequence[CellState]) -> None:
    """Draw the grid while it fills: strategies as rows, retrievers as columns."""
    strategies = list(dict.fromkeys(c.strategy for c in cells))
    retrievers = list(dict.fromkeys(c.retriever for c in cells))
    said = {(c.strategy, c.retriever): _cell(c) for c in cells}
    frame = pd.DataFrame(
        [[s, *(said.get((s, r), "") for r in retrievers)] for s in strategies],
        columns=["strategy", *retrievers],
    )
    st.dataframe(
        frame,
        hide_index=True,
        height=_height(len(frame)),
        alt="The grid: " + "; ".join(f"{c.label} {_cell(c)}" for c in cells),
        column_config={
            "strategy": st.column_config.TextColumn("Strategy", pinned=True),
            **{r: st.column_config.TextColumn(r, alignment="center") for r in retrievers},
        },
    )


def _cell(cell: CellState) -> str:
    return f"✓ {score(cell.recall)}" if cell.state == "done" else CELL[cell.state]


def provisional(cells: Sequence[CellState]) -> None:
    """Draw the finished cells, best recall first."""
    done = sorted((c for c in cells if c.state == "done"), key=lambda c: (-(c.recall or 0.0), c.key))
    frame = pd.DataFrame(
        {
            "name": [c.key for c in done],
            "recall": [c.recall for c in done],
            "mrr": [c.mrr for c in done],
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        height=_height(len(frame)),
        alt="Finished configurations, best recall first",
        column_config={
            "name": st.column_config.TextColumn("Configuration", width=190),
            "recall": _score("recall"),
            "mrr": _score("mrr"),
        },
    )


def _score(term: str) -> ColumnConfig:
    return st.column_config.NumberColumn(TERMS[term].name, help=TERMS[term].help, format="%.2f", width=NARROW)


def names_of(results: Sequence[StrategyResult]) -> list[str]:
    """What each row is called: the strategy, and the retriever where several were compared."""
    several = len({r.retriever for r in results}) > 1
    return [f"{r.strategy} · {r.retriever}" if several else r.strategy for r in results]


OUT = "ruled out"
MARKS = {"winner": "#1F9D6B", "leads": "#4C6EF5", OUT: "#7C8698"}


def marks(report: EvalReport) -> list[list[str]]:
    """What the verdict says of each row."""
    if report.verdict is None:
        return [[] for _ in report.strategy_results]
    return [_marks_of(row, place, report) for place, row in enumerate(report.strategy_results)]


def _marks_of(row: StrategyResult, place: int, report: EvalReport) -> list[str]:
    verdict = report.verdict
    if verdict is None:
        return []
    retrieval = verdict.retrieval
    won = verdict.chunking.winner == row.strategy and (retrieval is None or retrieval.winner == row.retriever)
    found = ["winner"] if won else (["leads"] if place == 0 else [])
    out = row.strategy in verdict.chunking.ruled_out
    out = out or (retrieval is not None and row.retriever in retrieval.ruled_out)
    return [*found, OUT] if out else found


def ranking(report: EvalReport) -> None:
    """Draw the ranked table."""
    rows = report.strategy_results
    frame = pd.DataFrame(
        {
            "name": names_of(rows),
            "marks": marks(report),
            "recall": [with_interval(r.recall_at_k, r.ci95) for r in rows],
            "balanced": [r.balanced_score for r in rows],
            "hit": [r.hit_rate_at_k for r in rows],
            "mrr": [r.mrr for r in rows],
            "precision": [r.precision_at_k for r in rows],
            "tokens": [round(r.retrieved_tokens_at_k) for r in rows],
            "chunks": [r.chunk_health.num_chunks for r in rows],
        }
    )
    st.dataframe(
        frame,
        key="results.ranking",
        column_order=[c for c in frame.columns if c != "marks" or report.verdict is not None],
        hide_index=True,
        height=_height(len(rows)),
        alt="Ranked table: "
        + "; ".join(f"{n} {v}" for n, v in zip(frame["name"], frame["recall"], strict=True)),
        column_config={
            "name": st.column_config.TextColumn("Configuration", width=170, pinned=True),
            "marks": st.column_config.MultiselectColumn(
                "Verdict",
                options=list(MARKS),
                color=list(MARKS.values()),
                help="What the evidence says of this row.",
                width=95,
            ),
            "recall": st.column_config.TextColumn(TERMS["recall"].name, help=TERMS["recall"].help, width=135),
            "balanced": _score("balanced"),
            "hit": _score("hit"),
            "mrr": _score("mrr"),
            "precision": _score("precision"),
            "tokens": _number(TERMS["tokens"].name, TERMS["tokens"].help),
            "chunks": _number(TERMS["chunks"].name, TERMS["chunks"].help),
        },
    )


def health(results: Sequence[StrategyResult]) -> None:
    """Draw chunk health, one row per strategy."""
    found = {r.strategy: r.chunk_health for r in results}
    frame = pd.DataFrame(
        {
            "strategy": list(found),
            "chunks": [h.num_chunks for h in found.values()],
            "median": [round(h.tokens_median) for h in found.values()],
            "range": [f"{h.tokens_min:,}–{h.tokens_max:,}" for h in found.values()],
            "tiny": [share(h.pct_tiny) for h in found.values()],
            "oversized": [share(h.pct_oversized) for h in found.values()],
            "boundaries": [share(h.boundary_health) for h in found.values()],
            "tables": [share(h.table_integrity) for h in found.values()],
        }
    )
    text = st.column_config.TextColumn
    st.dataframe(
        frame,
        key="results.health",
        hide_index=True,
        height=_height(len(frame)),
        alt="Chunk health of each strategy",
        column_config={
            "strategy": text("Strategy", pinned=True),
            "chunks": _number(TERMS["chunks"].name, TERMS["chunks"].help),
            "median": _number("Median tokens", "Half of the chunks are smaller."),
            "range": text("Smallest–largest", help="In cl100k_base tokens.", alignment="right"),
            **{
                key: text(TERMS[key].name, help=TERMS[key].help, alignment="right")
                for key in ("tiny", "oversized", "boundaries", "tables")
            },
        },
    )
