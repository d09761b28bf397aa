"""The published implementation's chunks, out of its reports in ../shared/expected."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalcore.chunking.base import ChunkSet, chunk_corpus
from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.document import Document
from evalcore.text.sentences import is_inside, sentence_spans

pytestmark = pytest.mark.shared
CORPORA = {
    "clapnq": "clapnq",
    "evidence_inference": "evidence_inference",
    "evidence_inference-128": "evidence_inference",
    "tatqa": "tatqa",
    "xquad_zh": "xquad_zh",
}
OURS = {"fixed": "fixed", "recursive": "langchain:recursive"}
CASES = [(report, strategy) for report in CORPORA for strategy in OURS]


def read(folder: Path) -> list[Document]:
    return [Document(p.stem, p.read_bytes().decode("utf-8-sig")) for p in sorted(folder.iterdir())]


def results(shared: Path, report: str, strategy: str) -> list[dict[str, Any]]:
    expected = json.loads((shared / "expected" / f"{report}.json").read_text(encoding="utf-8"))
    found = [row for row in expected["results"] if row["strategy"] == strategy]
    assert len(found) == 3
    return found


def cut(shared: Path, report: str, strategy: str) -> tuple[list[Document], ChunkSet]:
    documents = read(shared / "data" / CORPORA[report] / "docs")
    config = results(shared, report, strategy)[0]["config"]
    return documents, chunk_corpus(documents, CHUNKERS.build(CHUNKERS.spec(OURS[strategy], config)))


@pytest.mark.parametrize(("report", "strategy"), CASES)
def test_counts_sizes_and_boundaries_equal_the_reference(shared: Path, report: str, strategy: str) -> None:
    documents, chunks = cut(shared, report, strategy)
    health = results(shared, report, strategy)[0]["chunk_health"]
    assert len(chunks) == health["num_chunks"]
    assert int(chunks.tokens.min()) == health["tokens_min"]
    assert float(np.median(chunks.tokens)) == health["tokens_median"]
    assert float(chunks.tokens.mean()) == pytest.approx(health["tokens_mean"], abs=1e-9)
    assert int(chunks.tokens.max()) == health["tokens_max"]
    assert float((chunks.tokens < 200).mean()) == pytest.approx(health["pct_tiny"], abs=1e-9)
    buckets = Counter(int(tokens) // 100 * 100 for tokens in chunks.tokens)
    assert [list(bucket) for bucket in sorted(buckets.items())] == health["token_histogram"]
    sentences = {d.id: sentence_spans(d.text) for d in documents}
    whole = [
        not any(is_inside(sentences[c.span.doc_id], place) for place in (c.span.start, c.span.end))
        for c in chunks.chunks
    ]
    assert float(np.mean(whole)) == pytest.approx(health["boundary_health"], abs=1e-9)


@pytest.mark.parametrize(("report", "strategy"), CASES)
def test_every_chunk_the_reference_retrieved_is_one_of_ours(shared: Path, report: str, strategy: str) -> None:
    _, chunks = cut(shared, report, strategy)
    ours = {(c.span.doc_id, c.span.start, c.span.end) for c in chunks.chunks}
    retrieved = {
        tuple(place)
        for row in results(shared, report, strategy)
        for question in row["per_question"]
        for place in question["retrieved"]
    }
    assert len(retrieved) > 30
    assert retrieved <= ours
