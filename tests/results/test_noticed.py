"""What a run notices: each kind of warning on a run that gives cause for it, and on none that does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from evalcore.corpus.document import Corpus, Document
from evalcore.embedding.quality import EmbeddingQuality
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.lab import Lab
from evalcore.results.build import build_results
from evalcore.results.noticed import noticed
from evalcore.results.results import Results
from evalcore.results.run_result import RunResult
from evalcore.results.warnings import RunWarning, Severity, WarningLog
from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import RunInputs, RunRecord
from evalcore.settings import DEFAULT_MODEL

FISH = "Fish swim in cold water"
CORPUS = Corpus.from_texts({"a.md": "Cats sleep all day long.", "c.md": f"{FISH}."})


def items(count: int, **changes: Any) -> tuple[EvalItem, ...]:
    """Return questions about fish, all alike but for their ids."""
    values: dict[str, Any] = {"anchors": [GoldAnchor("c.md", FISH)], "qtype": "fish", **changes}
    return tuple(EvalItem(f"q{i}", "Where do fish swim?", **values) for i in range(count))


def ran(
    questions: Sequence[EvalItem] = items(15), corpus: Corpus = CORPUS, mode: str = "factorial", **grid: Any
) -> RunRecord:
    budget = grid.pop("budget_seconds", None)
    settings = Lab(corpus).grid(**grid).settings(mode, budget)
    inputs = RunInputs(corpus, EvalSet("set", tuple(questions)), settings)
    sink = MemorySink()
    run_grid(inputs, sink)
    return sink.record(inputs)


def results(*arguments: Any, **grid: Any) -> Results:
    return build_results(ran(*arguments, **grid))


def about(log: WarningLog, code: str) -> RunWarning:
    (found,) = log.with_code(code)
    return found


def test_a_run_without_fault_notices_nothing() -> None:
    log = results().warnings
    assert list(log) == []
    assert str(log) == "no warnings"
    assert log.by_severity() == {}


def test_combinations_that_cannot_run_or_are_the_same_are_counted() -> None:
    """tfidf and none under dense, bm25 and hybrid: two searches lack vectors; bm25 is one computation."""
    log = results(embedder=["tfidf", None], index=["dense", "bm25", "hybrid"]).warnings
    impossible, folded = about(log, "impossible_combinations"), about(log, "folded_combinations")
    assert (impossible.severity, impossible.stage, impossible.subject) == ("warning", "grid", "")
    assert impossible.message.startswith("2 combinations cannot run")
    assert (folded.severity, folded.stage) == ("info", "grid")
    assert folded.message.startswith("1 combination would compute the same")


def test_a_run_that_ended_early_says_how_far_it_got_and_names_its_budget() -> None:
    log = results(index=["dense", "bm25"], budget_seconds=1e-6).warnings
    assert about(log, "partial_run").message == (
        "This run is partial: it finished 1 of 2 configurations (time budget 1e-06 s)."
    )
    assert "no further configuration begins" in about(log, "time_budget").message


def test_a_configuration_that_fails_is_named_with_its_reason() -> None:
    found = results(chunker=["recursive:512", "nonsense"])
    failed = about(found.warnings, "failed_configuration")
    assert failed.severity is Severity.ERROR
    assert failed.subject == found.failed[0].label == "markdown · nonsense · tfidf · dense"
    assert "unknown chunker 'nonsense'" in failed.message
    assert found.failed[0].reason in failed.message


def test_documents_that_gave_trouble_are_named() -> None:
    first = next(iter(CORPUS))
    scan = replace(first, id="scan.md", text="")
    odd = replace(first, id="odd.md", warnings=("odd.md: two pages could not be read.",))
    log = results(corpus=Corpus((*CORPUS, scan, odd))).warnings
    assert about(log, "document_without_text").subject == "scan.md"
    assert about(log, "document").message == "odd.md: two pages could not be read."
    assert about(log, "document").subject == "odd.md"


def test_documents_without_headings_are_told_where_headings_count() -> None:
    found = about(results(chunker="structure").warnings, "document_without_headings")
    assert found.message == "structure cuts documents without headings by size: 2 documents (a.md, c.md)."
    assert found.severity is Severity.INFO


def test_few_questions_are_told_below_fifteen() -> None:
    assert "only 14 questions" in about(results(items(14)).warnings, "few_questions").message


@pytest.mark.parametrize(
    ("changes", "code", "severity", "said"),
    [
        ({"anchors": []}, "question_without_evidence", "warning", "no passage is quoted: 1 question (odd)"),
        ({"anchors": [GoldAnchor("c.md", "Fish swim")]}, "short_evidence", "warning", "under 5 tokens"),
        ({"reviewed": False}, "question_not_reviewed", "info", "1 question (odd)"),
        ({"qtype": None}, "question_without_type", "info", "1 question (odd)"),
    ],
)
def test_questions_that_are_unlike_the_others_are_named(
    changes: dict[str, Any], code: str, severity: str, said: str
) -> None:
    (odd,) = items(1, **changes)
    log = results((*items(15), replace_id(odd, "odd"))).warnings
    (found,) = log
    assert (found.code, found.severity, found.stage, found.subject) == (code, severity, "score", "")
    assert said in found.message


def replace_id(item: EvalItem, name: str) -> EvalItem:
    return EvalItem(name, item.question, item.slots, item.qtype, reviewed=item.reviewed)


def test_no_question_with_a_type_needs_no_word_about_types() -> None:
    assert list(results(items(15, qtype=None)).warnings) == []


def test_each_question_without_evidence_in_the_documents_is_named() -> None:
    lost = [EvalItem(name, "Where?", [GoldAnchor(None, "nowhere to be found here")], "fish") for name in "xy"]
    found = results((*items(15), *lost)).warnings.with_code("unresolved_gold")
    assert [(w.subject, w.severity, w.stage) for w in found] == [
        ("x", "error", "score"),
        ("y", "error", "score"),
    ]
    assert found[0].message == "x is not scored: its evidence stands in no document; check the quote."


def test_evidence_that_one_parser_hides_is_told_of_that_parser() -> None:
    record = ran(parser=["markdown", "text"], index="bm25")

    def hidden(run: RunResult) -> RunResult:
        if run.configuration.parser == "markdown":
            return run
        return replace(run, cell=replace(run.cell, unresolved=("q3",)))

    (found,) = noticed(record, measured(record, hidden))
    assert (found.code, found.subject) == ("unresolved_gold", "q3")
    assert "in no document as text reads them" in found.message


def measured(record: RunRecord, change: Callable[[RunResult], RunResult] | None = None) -> list[RunResult]:
    runs = build_results(record).runs
    return [change(run) if change is not None else run for run in runs]


def test_evidence_between_chunks_is_unreachable_and_split() -> None:
    """In pieces of two words none holds half of the passage: `Fish swim`, `in cold`, `water.`"""
    log = results(chunker=["recursive:512", "recursive:2,overlap=0"]).warnings
    unreachable, split = about(log, "unreachable_evidence"), about(log, "split_evidence")
    label = "markdown · recursive:2,overlap=0 · tfidf · dense"
    assert (unreachable.stage, unreachable.subject, unreachable.severity) == ("chunk", label, "warning")
    assert "15 questions (q0, q1, q2, q3, q4 and 10 more)" in unreachable.message
    assert (split.stage, split.subject) == ("chunk", label)


def test_chunks_above_their_limit_are_counted_once_per_way_of_cutting() -> None:
    record = ran(index=["dense", "bm25"])
    ((strategy, chunk_set),) = record.chunk_sets.items()
    large = replace(chunk_set, chunks=(replace(chunk_set.chunks[0], oversized=True), *chunk_set.chunks[1:]))
    (found,) = build_results(replace(record, chunk_sets={strategy: large})).warnings
    assert (found.code, found.severity, found.stage) == ("oversized_chunks", "info", "chunk")
    assert found.message.startswith("recursive:512: 1 chunk above its limit")


def with_model(record: RunRecord) -> RunRecord:
    """Say that the cells were searched by the packaged model, without running it."""
    cells = [
        replace(cell, configuration=replace(cell.configuration, embedder=DEFAULT_MODEL))
        for cell in record.cells
    ]
    return replace(record, cells=tuple(cells))


def test_chunks_longer_than_the_model_reads_are_counted() -> None:
    """The packaged model reads 256 tokens; 300 words of one token each are more."""
    long = Corpus.from_texts({"c.md": f"{FISH}.", "long.md": "word " * 300})
    found = about(build_results(with_model(ran(corpus=long))).warnings, "chunks_beyond_model")
    assert (found.severity, found.stage) == ("warning", "embed")
    assert found.message.startswith(
        f"{DEFAULT_MODEL} on recursive:512: 1 chunk (50%) longer than the 256 tokens"
    )


def test_a_model_that_learnt_english_only_on_other_documents() -> None:
    german = Corpus(tuple(in_language(d, "de") for d in CORPUS))
    found = about(build_results(with_model(ran(corpus=german))).warnings, "language_mismatch")
    assert "not all documents are English (2 in de)" in found.message
    assert not results(corpus=german).warnings.with_code("language_mismatch")


def in_language(document: Document, language: str) -> Document:
    return replace(document, metadata={**document.metadata, "language": language})


def test_vectors_that_hardly_differ_are_told_once() -> None:
    record = ran(index=["dense", "hybrid"])
    poor = EmbeddingQuality(0.3, 0.9, 0.01, 3.0, 0.25, 384)
    found = list(noticed(record, measured(record, lambda run: replace(run, embedding_quality=poor))))
    assert [(w.code, w.stage, w.severity) for w in found] == [
        ("collapsed_embedding", "embed", "warning"),
        ("weak_embedding", "embed", "warning"),
    ]
    assert "25% of the chunks" in found[0].message
    assert "0.30" in found[1].message


def test_a_log_is_read_by_severity_subject_and_code() -> None:
    lost = EvalItem("lost", "Where?", [GoldAnchor(None, "nowhere to be found here")])
    log = results((*items(2), lost)).warnings
    assert [severity.value for severity in log.by_severity()] == ["error", "warning", "info"]
    assert [w.code for w in log.about("lost")] == ["unresolved_gold"]
    assert len(log) == 3
    assert str(log).splitlines()[0].startswith("warning: only 3 questions with evidence")
    assert log.plus([log[0]])[-1] == log[0]
