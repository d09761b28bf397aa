"""The check before a run says what is wrong with each question, and why it matters."""

import time
from pathlib import Path

import pytest

from evalcore.corpus.document import Corpus, Document
from evalcore.errors import QuestionError
from evalcore.evalset.check import Problem, check, refuse_errors
from evalcore.evalset.files import read_questions
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor

POLICY = "Customers may return goods within 30 days of delivery.\nRefunds are paid after 15 business days.\n"
CORPUS = Corpus(
    (Document("policy", POLICY), Document("terms", "Either party may end this contract in writing."))
)


def about(*items: EvalItem) -> list[Problem]:
    """Return the problems but the one that few questions always give."""
    return [p for p in check(EvalSet("s", items), CORPUS) if p.kind != "few_questions"]


def gold(*quotes: str, question: str = "How long?") -> EvalItem:
    return EvalItem("q1", question, [GoldAnchor(None, quote) for quote in quotes])


def kinds(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(p.kind, p.severity) for p in problems]


def test_a_quoted_passage_has_no_problem() -> None:
    assert about(gold("Customers may return goods within 30 days of delivery.")) == []


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The limit is\r\n10\u00a0MB for  each file.", "The limit is 10 MB for each file."),
        ("They said “it’s a long‑term plan” – truly.", 'They said "it\'s a long-term plan" - truly.'),
        ("The infor\u00admation is kept for ever.", "The information is kept for ever."),
        ("Le cafe\u0301 est ferme\u0301 le lundi matin.", "Le café est fermé le lundi matin."),
        ("THE LIMIT IS TEN MEGABYTES PER FILE.", "The limit is ten megabytes per file."),
        ("All infor-\nmation is kept for ever.", "All information is kept for ever."),
    ],
)
def test_what_looks_the_same_is_found(text: str, quote: str) -> None:
    corpus = Corpus((Document("d", text),))
    assert kinds(check(EvalSet("s", (gold(quote),)), corpus)) == [("few_questions", "warning")]


def test_a_passage_in_no_document_is_an_error_that_says_what_to_do() -> None:
    (problem,) = about(gold("Shipping is free for orders above fifty euros."))
    assert problem == Problem(
        "gold_not_found",
        "error",
        "q1",
        0,
        "question 'q1', gold passage 1 'Shipping is free for orders above fifty euros.' is in no document; "
        "quote a document's own words, or add the document that holds it",
    )


def test_a_passage_with_a_slip_is_a_warning_that_shows_what_stands_there() -> None:
    (problem,) = about(gold("Customers may return godos within 30 days of delivery."))
    assert (problem.kind, problem.severity) == ("gold_inexact", "warning")
    assert "policy" in problem.message
    assert "customers may return goods within 30 days of delivery." in problem.message


def test_a_short_passage_with_a_slip_is_found_nearly_too() -> None:
    assert kinds(about(gold("end this contrct in writng"))) == [("gold_inexact", "warning")]


def test_a_near_passage_with_another_number_is_an_error() -> None:
    (problem,) = about(gold("Customers may return goods within 14 days of delivery."))
    assert (problem.kind, problem.severity) == ("gold_number_differs", "error")
    assert "within 30 days" in problem.message


def test_a_passage_that_cuts_a_number_in_half_is_not_found() -> None:
    corpus = Corpus((Document("d", "Claims close 15 business days after the order."),))
    problem = check(EvalSet("s", (gold("5 business days after the order."),)), corpus)[0]
    assert (problem.kind, problem.severity) == ("gold_number_differs", "error")


def test_each_missing_slot_is_named_by_its_place() -> None:
    problems = about(
        gold("Refunds are paid after 15 business days.", "Nothing of the kind is written here at all.")
    )
    assert [(p.kind, p.slot) for p in problems] == [("gold_not_found", 1)]


def test_a_missing_alternative_of_a_slot_that_can_be_filled_is_a_warning() -> None:
    slot = (GoldAnchor(None, "Nothing of the kind is written here."), GoldAnchor(None, POLICY[:54]))
    assert kinds(about(EvalItem("q1", "How long?", [slot]))) == [("gold_not_found", "warning")]


@pytest.mark.parametrize(
    ("anchor", "kind", "said"),
    [
        (
            GoldAnchor("missing.pdf", POLICY[:54]),
            "gold_document_missing",
            "'missing.pdf', which is not in the corpus",
        ),
        (
            GoldAnchor("terms", POLICY[:54]),
            "gold_in_other_document",
            "is not in document 'terms' but in 'policy'",
        ),
        (
            GoldAnchor("policy", POLICY[:54], occurrence=2),
            "gold_occurrence_missing",
            "occurrence 3 in 'policy', which",
        ),
        (GoldAnchor("policy", "Nothing of the kind is written here."), "gold_not_found", "is in no document"),
    ],
)
def test_a_passage_that_names_its_document_must_be_there(anchor: GoldAnchor, kind: str, said: str) -> None:
    (problem,) = about(EvalItem("q1", "How long?", [anchor]))
    assert (problem.kind, problem.severity) == (kind, "error")
    assert said in problem.message


def test_a_passage_of_under_five_tokens_is_a_warning() -> None:
    problems = about(gold("in writing."))
    assert kinds(problems) == [("gold_short", "warning")]
    assert "has 3 tokens" in problems[0].message


def test_a_question_without_gold_and_a_draft_are_warnings() -> None:
    draft = EvalItem("q2", "When?", [GoldAnchor(None, POLICY[:54])], reviewed=False)
    assert kinds(about(EvalItem("q1", "How long?"), draft)) == [
        ("no_gold", "warning"),
        ("unreviewed", "warning"),
    ]


def test_a_set_in_which_nothing_can_be_scored_is_an_error() -> None:
    problems = about(EvalItem("q1", "How long?"))
    assert [(p.kind, p.question_id) for p in problems] == [("no_gold", "q1"), ("nothing_to_score", None)]


@pytest.mark.parametrize(("count", "few"), [(14, True), (15, False)])
def test_fewer_than_fifteen_scored_questions_are_a_warning(count: int, few: bool) -> None:
    items = [EvalItem(f"q{n}", f"Number {n}?", [GoldAnchor(None, POLICY[:54])]) for n in range(count)]
    items.append(EvalItem("extra", "Not scored?"))
    found = [p.message for p in check(EvalSet("s", tuple(items)), CORPUS) if p.kind == "few_questions"]
    assert len(found) == few
    assert all(message.startswith("14 scored questions") for message in found)


def test_a_question_asked_twice_is_a_warning_on_the_second() -> None:
    again = EvalItem("q2", "how  LONG?", [GoldAnchor(None, POLICY[:54])])
    other = EvalItem("q3", "How long?", [GoldAnchor(None, "Either party may end this contract in writing.")])
    problems = about(gold(POLICY[:54]), again, other)
    assert [(p.kind, p.question_id) for p in problems] == [
        ("duplicate_query", "q2"),
        ("duplicate_query", "q3"),
    ]
    assert problems[0].message == "question 'q2' asks the same as 'q1' and counts twice; remove one"
    assert "has other gold passages" in problems[1].message


def test_every_message_is_one_line_even_for_awkward_texts() -> None:
    problems = about(EvalItem("q\n1", "a\u2028b", [GoldAnchor(None, "x\r\ny\u2028z")], reviewed=False))
    assert problems
    assert all(p.message.splitlines() == [p.message] for p in problems)


def test_a_passage_of_invisible_characters_is_not_found_everywhere() -> None:
    assert ("gold_not_found", "error") in kinds(about(gold("\u200b\u00ad")))


def test_a_set_with_errors_is_refused_in_one_line_and_warnings_are_let_pass() -> None:
    problems = about(gold("Nothing of the kind is written here.", "Nor is this anywhere to be seen."))
    with pytest.raises(QuestionError) as caught:
        refuse_errors(problems, "set.yaml")
    assert str(caught.value).startswith("set.yaml: question 'q1', gold passage 1")
    assert str(caught.value).endswith("(and 1 more)")
    refuse_errors(about(gold("in writing.")), "set.yaml")


def test_published_sets_have_no_errors(shared: Path) -> None:
    for name in ("evidence_inference", "clapnq", "tatqa", "xquad_zh", "hotpotqa100", "xquad_th"):
        folder = shared / "data" / name
        files = sorted((folder / "docs").iterdir())
        corpus = Corpus(tuple(Document(f.stem, f.read_text("utf-8")) for f in files))
        evalset = read_questions("questions.yaml", (folder / "questions.yaml").read_bytes())
        assert [p for p in check(evalset, corpus) if p.severity == "error"] == []


def test_hundreds_of_questions_over_a_large_corpus_are_checked_at_once(shared: Path) -> None:
    folder = shared / "data" / "chroma"
    corpus = Corpus(
        tuple(Document(f.stem, f.read_text("utf-8")) for f in sorted((folder / "docs").iterdir()))
    )
    evalset = read_questions("questions.yaml", (folder / "questions.yaml").read_bytes())
    assert sum(len(d.text) for d in corpus) > 1_400_000
    assert len(evalset) == 472
    begin = time.process_time()
    check(evalset, corpus)
    assert time.process_time() - begin < 2
