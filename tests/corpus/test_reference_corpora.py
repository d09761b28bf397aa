"""The corpora of the expected reports: equal hashes, equal languages, every table found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcore.corpus.loading import LoadResult, read_folder

pytestmark = pytest.mark.shared
CORPORA = ["clapnq", "evidence_inference", "tatqa", "xquad_zh"]


@pytest.fixture(scope="module")
def results(shared: Path) -> dict[str, LoadResult]:
    return {name: read_folder(shared / "data" / name / "docs") for name in CORPORA}


@pytest.mark.parametrize("name", CORPORA)
def test_corpus_hash_equals_the_published_one(
    shared: Path, results: dict[str, LoadResult], name: str
) -> None:
    expected = json.loads((shared / "expected" / f"{name}.json").read_text(encoding="utf-8"))
    assert results[name].corpus.fingerprint == expected["corpus_sha256"]
    assert len(results[name].corpus) == expected["num_documents"]
    assert results[name].skipped == ()


@pytest.mark.parametrize("name", CORPORA)
def test_languages_equal_the_published_ones(shared: Path, results: dict[str, LoadResult], name: str) -> None:
    expected = json.loads((shared / "expected" / f"{name}.json").read_text(encoding="utf-8"))
    found = {d.id: d.metadata["language"] for d in results[name].documents if "language" in d.metadata}
    assert found == expected["detected_languages"]


def test_every_financial_report_has_its_one_table(results: dict[str, LoadResult]) -> None:
    assert [len(d.tables) for d in results["tatqa"].documents] == [1] * 30


def test_plain_text_has_paragraphs_only(results: dict[str, LoadResult]) -> None:
    kinds = {e.kind.value for d in results["evidence_inference"].documents for e in d.elements}
    assert kinds == {"paragraph"}
