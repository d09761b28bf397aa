"""Opening report.json files: ours, others', old, new, damaged."""

import json

import pytest

from evalcore.errors import ReportError
from evalcore.reading import read_report

MINIMAL = {
    "schema_version": "1.2",
    "corpus_summary": {
        "num_documents": 1,
        "num_questions": 1,
        "num_scored_questions": 1,
        "embedding_model": "m",
        "top_k": 5,
        "ranking_metric": "recall_at_k",
    },
    "strategy_results": [
        {
            "strategy": "fixed",
            "config": {},
            "recall_at_k": 1.0,
            "hit_rate_at_k": 1.0,
            "mrr": 1.0,
            "precision_at_k": 0.2,
            "chunk_health": {
                "num_chunks": 1,
                "tokens_min": 1,
                "tokens_median": 1,
                "tokens_mean": 1,
                "tokens_max": 1,
                "pct_tiny": 0,
                "pct_oversized": 0,
                "boundary_health": 1,
            },
            "some_new_field": [1, 2],
        }
    ],
    "recommendation": "",
    "generated_at": "2026-01-01T00:00:00Z",
}


def encoded(**changes: object) -> bytes:
    return json.dumps({**MINIMAL, **changes}).encode()


def test_an_older_minor_with_fields_missing_and_unknown_ones_is_opened() -> None:
    report = read_report(encoded(), "old.json")
    assert report.strategy_results[0].retriever == "dense"
    assert report.verdict is None
    assert read_report(b"\xef\xbb\xbf" + encoded(), "bom.json").corpus_summary.top_k == 5


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (encoded(schema_version="2.0"), "schema '2.0'"),
        (encoded(schema_version=None), "schema None"),
        (encoded(schema_version="0.9"), "schema '0.9'"),
        (encoded()[:-20], "not a report.json"),
        (b"[1, 2]", "no strategy_results"),
        (b"\xff\xfe\x00", "not a report.json"),
        (encoded(corpus_summary={"num_documents": 1}), "field corpus_summary.num_questions"),
        (encoded(strategy_results=[]), "no results"),
        (encoded().replace(b'"mrr": 1.0', b'"mrr": NaN'), "NaN"),
        (b"[" * 100_000, "not a report.json"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line_with_the_file(data: bytes, words: str) -> None:
    with pytest.raises(ReportError, match=r"bad\.json: ") as caught:
        read_report(data, "bad.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("bad.json: ")
