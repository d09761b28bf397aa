"""Runs on published data give the numbers of the published reference implementation."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalcore.corpus.loading import read_folder
from evalcore.evalset.files import read_questions
from evalcore.report.build import build_report
from evalcore.run.record import RunRecord
from tests.conformance.comparing import check_run, check_verdict
from tests.conformance.runs import run, settings

FILES = ("clapnq", "tatqa", "xquad_zh", "evidence_inference", "evidence_inference-128")


@cache
def expected(shared: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((shared / "expected" / f"{name}.json").read_text())
    return content


@cache
def record(shared: Path, name: str) -> RunRecord:
    data = shared / "data" / name.removesuffix("-128")
    config = expected(shared, name)["results"][0]["config"]
    corpus = read_folder(data / "docs").corpus
    evalset = read_questions("questions.yaml", (data / "questions.yaml").read_bytes())
    return run(corpus, evalset, settings(config["chunk_size"], config["overlap"]))


@pytest.mark.parametrize("name", FILES)
def test_rankings_outcomes_means_intervals_and_verdict_agree(shared: Path, name: str) -> None:
    check_run(record(shared, name), expected(shared, name))


@pytest.mark.parametrize("name", ["tatqa", "evidence_inference", "evidence_inference-128"])
def test_without_quirks_in_play_the_verdict_is_the_same(shared: Path, name: str) -> None:
    check_verdict(build_report(record(shared, name)), expected(shared, name))


def test_documents_languages_are_told_as_the_reference_tells_them(shared: Path) -> None:
    for name in FILES:
        languages = build_report(record(shared, name)).corpus_summary.detected_languages
        assert languages == expected(shared, name)["detected_languages"], name
