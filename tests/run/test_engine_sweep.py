"""The sweep of the views page through the engine: chunks, rankings, embedding quality."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import CellResult, RunInputs, RunRecord
from evalcore.settings import Settings
from tests.page import published

GRID = {
    "parser": "markdown",
    "chunker": ["recursive:512", "recursive:16"],
    "embedder": "tfidf",
    "index": ["dense", "bm25"],
    "reranker": [None, "lexical"],
    "mode": "factorial",
    "k": 10,
    "headline": "recall@5",
}
RECALL_AT_5 = {
    "markdown · recursive:512 · tfidf · dense": 1.0,
    "markdown · recursive:512 · tfidf · dense · lexical@50": 1.0,
    "markdown · recursive:512 · bm25": 1.0,
    "markdown · recursive:512 · bm25 · lexical@50": 1.0,
    "markdown · recursive:16 · tfidf · dense": 0.8076923076923077,
    "markdown · recursive:16 · tfidf · dense · lexical@50": 0.7307692307692307,
    "markdown · recursive:16 · bm25": 0.8076923076923077,
    "markdown · recursive:16 · bm25 · lexical@50": 0.7307692307692307,
}


def inputs_of_page(shared: Path) -> RunInputs:
    given = published(shared)
    return RunInputs(given.corpus, given.evalset, Settings.from_dict({"grid": GRID}))


@pytest.fixture(scope="module")
def record(shared: Path) -> RunRecord:
    given = inputs_of_page(shared)
    sink = MemorySink()
    run_grid(given, sink)
    return sink.record(given)


def recall_at_5(record: RunRecord, cell: CellResult) -> float:
    """Return the mean share of relevant chunks (with half of the passage) among the first five."""
    chunks = record.chunk_sets[cell.configuration.strategy].chunks
    values = []
    for item, ranking in zip(record.inputs.evalset.scored, cell.rankings, strict=True):
        anchor = item.slots[0][0]
        document = record.inputs.corpus.get(anchor.source_id or "")
        assert document is not None
        start = document.text.index(anchor.quote)
        end = start + len(anchor.quote)
        relevant = {
            place
            for place, chunk in enumerate(chunks)
            if chunk.span.doc_id == document.id
            and min(end, chunk.span.end) - max(start, chunk.span.start) >= len(anchor.quote) / 2
        }
        values.append(len(relevant & set(ranking[:5])) / len(relevant))
    return sum(values) / len(values)


@pytest.mark.shared
def test_labels_chunks_and_recall_are_the_pages(record: RunRecord) -> None:
    assert {s: len(c) for s, c in record.chunk_sets.items()} == {"recursive:512": 8, "recursive:16": 63}
    found = {cell.configuration.label: recall_at_5(record, cell) for cell in record.cells}
    assert list(found) == list(RECALL_AT_5)
    assert found == pytest.approx(RECALL_AT_5)


@pytest.mark.shared
def test_embedding_quality_is_the_pages_and_only_where_there_are_vectors(record: RunRecord) -> None:
    qualities = {c.configuration.label: c.measures and c.measures.embedding_quality for c in record.cells}
    dense = qualities["markdown · recursive:512 · tfidf · dense"]
    assert dense is not None
    assert round(dense.score, 3) == 0.643
    assert dense.separation is None
    assert [label for label, quality in qualities.items() if quality is None] == [
        label for label in RECALL_AT_5 if "bm25" in label
    ]


@pytest.mark.shared
def test_every_cell_knows_what_it_cost(record: RunRecord) -> None:
    for cell in record.cells:
        assert cell.measures is not None
        assert len(cell.measures.query_ms) == 13
        assert all(ms > 0 for ms in cell.measures.query_ms)
        assert cell.measures.build_ms > 0
        assert cell.measures.index_bytes > 0
        assert cell.measures.usd_per_1k == 0.0
