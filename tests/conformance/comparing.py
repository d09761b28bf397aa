"""The whole comparison of one of our runs with the reference's report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcore.models import EvalReport, PerQuestion
from evalcore.report.build import build_report
from evalcore.run.record import RunRecord
from tests.conformance.quirks import as_the_reference_ranks, table_integrity_with_line_ends
from tests.conformance.reference import check_axis, check_outcome, check_row, rows, same_up_to_ties, spans

OURS = {"fixed": "fixed", "recursive": "langchain:recursive"}


def check_run(record: RunRecord, expected: Mapping[str, Any]) -> None:
    """Compare everything: what went in, our own rankings, and all numbers but for the known quirks."""
    report = build_report(record)
    check_fingerprints(report, expected)
    check_own_rankings(report, expected)
    as_reference = build_report(as_the_reference_ranks(record))
    check_results(record, as_reference, expected)
    check_verdict(as_reference, expected)


def check_fingerprints(report: EvalReport, expected: Mapping[str, Any]) -> None:
    """Compare what went in."""
    for name in ("corpus_sha256", "questions_sha256", "num_documents", "num_scored_questions"):
        assert getattr(report.corpus_summary, name) == expected[name], name


def check_own_rankings(report: EvalReport, expected: Mapping[str, Any]) -> None:
    """Compare rankings as we give them: dense up to ties; bm25 exactly, ours ending where words end."""
    ours = rows(report)
    for reference in expected["results"]:
        questions = by_id(ours[reference["strategy"], reference["retriever"]].per_question)
        for outcome in reference["per_question"]:
            question = questions[outcome["id"]]
            if reference["retriever"] == "bm25":
                found = spans(question)
                assert found == outcome["retrieved"][: len(found)]
                assert question.found_gold_indices == outcome["found"]
            if reference["retriever"] == "dense":
                assert same_up_to_ties(question, outcome["retrieved"])
                check_outcome(question, outcome)


def check_results(record: RunRecord, report: EvalReport, expected: Mapping[str, Any]) -> None:
    """Compare every row: rankings, outcomes, means, intervals, and the order of the table."""
    ours = rows(report)
    for reference in expected["results"]:
        row = ours[reference["strategy"], reference["retriever"]]
        questions = by_id(row.per_question)
        for outcome in reference["per_question"]:
            question = questions[outcome["id"]]
            if row.retriever == "bm25":
                assert spans(question) == outcome["retrieved"]
            else:
                assert same_up_to_ties(question, outcome["retrieved"]), (row.strategy, row.retriever, outcome)
            check_outcome(question, outcome)
        check_row(row, reference)
        chunk_set = record.chunk_sets[OURS[reference["strategy"]]]
        tables = table_integrity_with_line_ends(record.inputs.corpus, chunk_set)
        assert tables == reference["chunk_health"]["table_integrity"]
    assert list(ours) == [(r["strategy"], r["retriever"]) for r in expected["results"]]


def check_verdict(report: EvalReport, expected: Mapping[str, Any]) -> None:
    """Compare the decision on both axes."""
    assert report.verdict is not None
    assert report.verdict.retrieval is not None
    check_axis(report.verdict.chunking.model_dump(mode="json"), expected["verdict"]["chunking"])
    check_axis(report.verdict.retrieval.model_dump(mode="json"), expected["verdict"]["retrieval"])


def by_id(questions: list[PerQuestion]) -> dict[str, PerQuestion]:
    """Return questions by id."""
    return {question.question_id: question for question in questions}
