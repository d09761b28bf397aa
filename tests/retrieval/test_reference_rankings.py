"""bm25 over `fixed` chunks against the published implementation's rankings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalcore.retrieval.bm25 import BM25Retriever
from evalcore.text.tokens import CL100K, get_tokenizer

Place = tuple[str, int, int]


def fixed_windows(documents: dict[str, str], size: int, overlap: int) -> list[Place]:
    """Cut by hand, so that this test stands without the chunkers."""
    places: list[Place] = []
    for name, text in documents.items():
        offsets = get_tokenizer(CL100K).offsets(text)
        start = 0
        while start < len(offsets):
            end = min(start + size, len(offsets))
            places.append((name, int(offsets[start, 0]), int(offsets[end - 1, 1])))
            start = start + size - overlap if end < len(offsets) else len(offsets)
    return places


def reference(shared: Path, name: str) -> dict[str, Any]:
    report = json.loads((shared / "expected" / f"{name}.json").read_text(encoding="utf-8"))
    wanted = ("fixed", "bm25")
    return next(r for r in report["results"] if (r["strategy"], r["retriever"]) == wanted)


def rankings(shared: Path, name: str) -> list[tuple[list[Place], list[Place]]]:
    """Return (ours, theirs) per question."""
    expected = reference(shared, name)
    folder = shared / "data" / name.removesuffix("-128")
    documents = {p.stem: p.read_text(encoding="utf-8-sig") for p in sorted((folder / "docs").iterdir())}
    asked = yaml.load((folder / "questions.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    queries = {q["id"]: q["query"] for q in asked["questions"]}
    places = fixed_windows(documents, expected["config"]["chunk_size"], expected["config"]["overlap"])
    retriever = BM25Retriever([documents[d][start:end] for d, start, end in places])
    ours = retriever.search([queries[q["id"]] for q in expected["per_question"]], 5)
    theirs = [[tuple(place) for place in q["retrieved"]] for q in expected["per_question"]]
    return [([places[c] for c in r.chunks], t) for r, t in zip(ours, theirs, strict=True)]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["evidence_inference", "evidence_inference-128", "clapnq", "tatqa"])
def test_bm25_ranks_as_the_published_implementation(shared: Path, name: str) -> None:
    for ours, theirs in rankings(shared, name):
        assert ours == theirs


@pytest.mark.shared
def test_on_chinese_the_rankings_differ_only_by_chunks_that_share_no_word(shared: Path) -> None:
    found = rankings(shared, "xquad_zh")
    assert all(ours == theirs[: len(ours)] for ours, theirs in found)
    assert sum(len(ours) < len(theirs) for ours, theirs in found) == 8
