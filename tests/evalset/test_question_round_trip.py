"""Whatever a question holds, every format gives it back as it was."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evalset.files import read_questions, write_questions
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor

AWKWARD = st.sampled_from(
    [
        "no", "NO", "null", "~", "NA", "nan", "None", "007", "1.10", "1e3", "12:30", "2024-01-05", "true",
        "=1+1", "+1", "-1", "@x", "- a", "a: b", "a #b", "# a", "[12]", '["a", "b"]', '["a', "[]", "{a}",
        "*a", "&a", "!a", "%a", "|", ">", "'", '"', "`", "a\u2028b", "a\u2029b", "a\x85b", "a\r\nb", "a\rb",
        "\ta", " a ", "a\n\nb\n", "\ufeffa", "a\ufeff", "😀", "\ue000\u2028", "a;b", "a,b", "a\x00b",
        "\x1b[0m", "---", "...", "<<", "", "?",
    ]
)  # fmt: skip
TEXT = AWKWARD | st.text(st.characters(codec="utf-8"), max_size=40)
FULL = TEXT.filter(lambda text: bool(text.strip()))
SLOT = st.lists(FULL, min_size=1, max_size=3).map(lambda quotes: tuple(GoldAnchor(None, q) for q in quotes))


@st.composite
def question_sets(draw: st.DrawFn) -> EvalSet:
    ids = draw(st.lists(FULL, min_size=1, max_size=4, unique=True))
    items = [
        EvalItem(
            id=question_id,
            question=draw(FULL),
            anchors=draw(st.lists(SLOT, max_size=3)),
            qtype=draw(st.none() | FULL),
            tags=draw(st.lists(FULL, max_size=3)),
            answer=draw(st.none() | FULL),
            reviewed=draw(st.booleans()),
        )
        for question_id in ids
    ]
    return EvalSet("s", tuple(items))


@pytest.mark.parametrize("format_name", ["yaml", "json", "jsonl", "csv"])
@given(evalset=question_sets())
def test_what_is_written_reads_back_equal(format_name: str, evalset: EvalSet) -> None:
    data = write_questions(evalset, format_name)  # type: ignore[arg-type]
    again = read_questions(f"s.{format_name}", data)
    assert again == evalset
    assert again.fingerprint == evalset.fingerprint


@given(evalset=question_sets())
def test_another_yaml_reader_reads_the_same_texts(evalset: EvalSet) -> None:
    document = yaml.safe_load(write_questions(evalset, "yaml").decode("utf-8"))
    assert [q["id"] for q in document["questions"]] == [item.id for item in evalset]
    assert [q["query"] for q in document["questions"]] == [item.question for item in evalset]


@pytest.mark.parametrize("format_name", ["yaml", "json", "jsonl"])
def test_an_empty_answer_is_not_taken_for_none(format_name: str) -> None:
    evalset = EvalSet("s", (EvalItem("a", "q", answer=""), EvalItem("b", "q")))
    again = read_questions(f"s.{format_name}", write_questions(evalset, format_name))  # type: ignore[arg-type]
    assert [item.answer for item in again] == ["", None]


def test_formula_like_questions_stand_in_csv_as_they_are() -> None:
    evalset = EvalSet("s", (EvalItem("q1", '=HYPERLINK("http://x")'),))
    data = write_questions(evalset, "csv")
    assert data == b'\xef\xbb\xbfid,query,gold_snippets\r\nq1,"=HYPERLINK(""http://x"")",\r\n'
