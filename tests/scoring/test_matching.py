"""When a passage counts as found: the same words, or nearly, and always the same numbers."""

import pytest

from evalcore.scoring.matching import Matcher


def found(quote: str, text: str, threshold: float = 0.90) -> bool:
    return Matcher(threshold).contains(text, quote)


def test_case_blanks_and_quotes_do_not_matter() -> None:
    assert found("The \u201cretention\u201d period", 'see: the  "Retention"\nperiod applies')


def test_a_passage_with_another_number_is_not_the_passage() -> None:
    text = "The customer may cancel the contract within 30 days of the delivery of the goods."
    assert found("cancel the contract within 30 days of the delivery", text)
    assert not found("cancel the contract within 14 days of the delivery", text)


def test_an_exact_match_may_not_cut_a_number_in_half() -> None:
    assert not found("5 business days", "within 15 business days")
    assert not found("5 business days", "within 1.5 business days")
    assert not found("up to 2", "up to 25 users")
    assert not found("up to 2", "up to 2.5 users")
    assert found("up to 2", "up to 2. Then")
    assert found("5 business days", "15 business days, or 5 business days")


def test_a_fragment_of_the_answer_is_not_the_answer() -> None:
    answer = "all data is retained for thirty days after closure and then deleted for good"
    assert not found(answer, "all data is retained for thirty days")
    assert found(answer, answer.removesuffix("d"))


def test_a_close_match_with_other_numbers_is_set_aside_and_the_rest_searched() -> None:
    wrong = "Plan A includes 5 seats and 100 GB of storage for every workspace. "
    right = "Plan A includes 7 seats and 100 GB of storage for every workspace! "
    quote = "plan a includes 7 seats and 100 gb of storage for every workspaces"
    assert found(quote, wrong + right)
    assert found(quote, right + wrong)
    assert not found(quote, wrong + wrong)


def test_numbers_keep_their_order() -> None:
    assert not found(
        "between 10 and 20 devices per gateway are supported in this mode",
        "between 20 and 10 devices per gateway are supported in this mode",
    )


def test_where_a_chunk_ends_in_the_passage_only_numbers_that_can_be_there_are_asked_for() -> None:
    quote = "patients in the treated group improved on the main scale at week 24 (mean 2.6), p 0.001"
    assert found(quote, "Overall, " + quote.removesuffix(", p 0.001"))
    assert not found(quote, "Overall, " + quote.removesuffix(".001"))


@pytest.mark.parametrize("quote", ["", "   ", "\u200b"])
def test_a_passage_without_characters_is_nowhere(quote: str) -> None:
    assert not found(quote, "some text")


def test_no_text_holds_nothing() -> None:
    assert not found("anything", "")


def test_the_threshold_is_kept() -> None:
    text = "invoices are generated on the first day of each calendar month"
    quote = "invoices are created on the first day of every calendar month"
    assert not found(quote, text, 0.95)
    assert found(quote, text, 0.75)
