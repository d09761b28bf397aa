"""Question files are read strictly as text, and a wrong one is refused in one line that says where."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import QuestionError
from evalcore.evalset.decoding import MAX_BYTES
from evalcore.evalset.files import read_questions
from evalcore.evalset.items import EvalItem


def only(name: str, text: str) -> EvalItem:
    (item,) = read_questions(name, text.encode("utf-8"))
    return item


def quotes(item: EvalItem) -> list[list[str]]:
    return [[anchor.quote for anchor in slot] for slot in item.slots]


def refusal(name: str, data: str | bytes) -> str:
    with pytest.raises(QuestionError) as caught:
        read_questions(name, data.encode("utf-8") if isinstance(data, str) else data)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


@pytest.mark.parametrize("name", ["evidence_inference", "clapnq", "tatqa", "xquad_zh"])
def test_the_questions_of_a_published_run_have_its_hash(shared: Path, name: str) -> None:
    expected = json.loads((shared / "expected" / f"{name}.json").read_text("utf-8"))
    evalset = read_questions("questions.yaml", (shared / "data" / name / "questions.yaml").read_bytes())
    assert evalset.fingerprint == expected["questions_sha256"]
    assert len(evalset.scored) == expected["num_scored_questions"]


def test_every_field_of_a_question_is_read_from_yaml() -> None:
    item = only(
        "set.yaml",
        """questions:
- id: q1
  query: How long?
  gold_snippets:
  - Thirty days.
  - [Within a month., In four weeks.]
  gold_answer: 30 days
  tags: [policy, hard]
  reviewed: false
  type: fact
""",
    )
    assert (item.id, item.question, item.answer) == ("q1", "How long?", "30 days")
    assert quotes(item) == [["Thirty days."], ["Within a month.", "In four weeks."]]
    assert (item.tags, item.reviewed, item.qtype) == (("policy", "hard"), False, "fact")


def test_the_set_is_called_as_its_file_unless_told_otherwise() -> None:
    data = b"- {id: a, query: b}"
    assert read_questions("folder/legal.yml", data).id == "legal"
    assert read_questions("legal.yml", data, set_id="s1").id == "s1"


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "NO",
        "yes",
        "on",
        "007",
        "0x1F",
        "12:30",
        "2024-01-05",
        "null",
        "~",
        "NULL",
        "1.10",
        "1e3",
        ".inf",
    ],
)
def test_yaml_values_stay_the_text_as_written(text: str) -> None:
    item = only(
        "q.yaml", f"- id: {text}\n  query: {text}\n  gold: [{text}]\n  gold_answer: {text}\n  tags: [{text}]"
    )
    assert (item.id, item.question, item.answer, item.tags) == (text, text, text, (text,))
    assert quotes(item) == [[text]]


def test_an_empty_yaml_value_is_absent_and_an_empty_text_is_not() -> None:
    item = only("q.yaml", "- id: a\n  query: b\n  gold_answer:\n  tags:\n  reviewed:\n  gold_snippets:\n")
    assert (item.answer, item.tags, item.reviewed, item.slots) == (None, (), True, ())
    assert only("q.yaml", "- id: a\n  query: b\n  gold_answer: ''\n").answer == ""


@pytest.mark.parametrize("text", ["NA", "null", "nan", "None", "N/A", "007", "1.10", "TRUE", "1,5"])
def test_csv_cells_stay_the_text_as_written(text: str) -> None:
    item = only("q.csv", f'id,query,gold_snippets,gold_answer\n"{text}","{text}","{text}","{text}"\n')
    assert (item.id, item.question, item.answer, quotes(item)) == (text, text, text, [[text]])


def test_json_numbers_and_truth_values_keep_their_letters() -> None:
    item = only(
        "q.jsonl", '{"id": 7, "query": 1.10, "gold": [1e3, true], "gold_answer": false, "tags": [0.0]}'
    )
    assert (item.id, item.question, item.answer, item.tags) == ("7", "1.10", "false", ("0.0",))
    assert quotes(item) == [["1e3"], ["true"]]


def test_a_bom_does_not_hide_the_first_column() -> None:
    (item,) = read_questions("q.csv", b"\xef\xbb\xbfid,question\r\n1,Why?\r\n")
    assert (item.id, item.question) == ("1", "Why?")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"]
)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "id,query\n1,Größe?\n"),
        ("q.yaml", "- id: 1\n  query: Größe?\n"),
        ("q.json", '[{"id": "1", "query": "Größe?"}]'),
        ("q.jsonl", '{"id": "1", "query": "Größe?"}'),
    ],
)
def test_unicode_encodings_are_told_apart(encoding: str, name: str, text: str) -> None:
    (item,) = read_questions(name, text.encode(encoding))
    assert (item.id, item.question) == ("1", "Größe?")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "id,query\r\n\r\n1,a\r\n,\r\n\r\n2,b"),
        ("q.jsonl", '{"id": "1", "query": "a"}\r\n\r\n  \r\n{"id": "2", "query": "b"}'),
        ("q.jsonl", '\n{"id": "1", "query": "a"}\n{"id": "2", "query": "b"}\n\n'),
        ("q.yaml", "\r\n- id: 1\r\n  query: a\r\n\r\n- id: 2\r\n  query: b"),
        ("q.json", '\r\n[{"id": "1", "query": "a"},\r\n\r\n{"id": "2", "query": "b"}]'),
    ],
)
def test_blank_lines_crlf_and_a_missing_last_newline_do_no_harm(name: str, text: str) -> None:
    assert [(i.id, i.question) for i in read_questions(name, text.encode())] == [("1", "a"), ("2", "b")]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_unicode_line_separators_stay_inside_their_text(mark: str) -> None:
    text = f"a{mark}b"
    yaml_item = only("q.yaml", f"- id: 1\n  query: {text}\n  gold: ['{text}', \"{text}\"]\n")
    assert (yaml_item.question, quotes(yaml_item)) == (text, [[text], [text]])
    assert only("q.jsonl", f'{{"id": "1", "query": "{text}"}}').question == text
    assert only("q.csv", f"id,query\n1,{text}\n").question == text


def test_csv_gold_is_one_passage_or_a_json_list() -> None:
    evalset = read_questions(
        "q.csv",
        b'id,query,gold\n1,a,"one, two"\n2,a,"[""x"", [""y"", ""z""]]"\n3,a,[12] says so\n'
        b'4,a,"[1, 2]"\n5,a,[]\n',
    )
    found = [quotes(item) for item in evalset]
    assert found == [[["one, two"]], [["x"], ["y", "z"]], [["[12] says so"]], [["[1, 2]"]], []]


def test_csv_with_semicolons_or_tabs_is_read_by_its_header() -> None:
    assert only("q.csv", 'id;query;tags\n007;a, b;"x; y"\n').tags == ("x", "y")
    assert only("q.csv", "ID\tQuestion \tReviewed\n007\ta, b\tFALSE\n") == EvalItem(
        "007", "a, b", reviewed=False
    )


def test_a_cell_may_hold_line_breaks_and_later_errors_name_the_right_line() -> None:
    assert only("q.csv", 'id,query\n1,"a\nb"\n').question == "a\nb"
    message = refusal("q.csv", 'id,query\n1,"a\nb"\n2,\n')
    assert message == "q.csv: line 4: question '2': query is empty; expected the question's text"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "q.yaml",
            "- id: a\n  query: b\n- id: a\n  query: c\n",
            "line 3: question 'a': this id is on line 1 already",
        ),
        ("q.csv", "id,query\n7,b\n7,c\n", "line 3: question '7': this id is on line 2 already"),
        (
            "q.jsonl",
            '{"id":"a","query":"b"}\n{"id":"a","query":"c"}',
            "line 2: question 'a': this id is on line 1",
        ),
        (
            "q.json",
            '[{"id":"a","query":"b"},\n\n{"id":"a","query":"c"}]',
            "line 3: question 'a': this id is on line 1",
        ),
    ],
)
def test_an_id_used_twice_is_refused_with_both_lines(name: str, text: str, message: str) -> None:
    assert refusal(name, text).startswith(f"{name}: {message}")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "q.yaml",
            "- id: a\n  query: b\n  query: c\n",
            "line 3: question 'a': key 'query' is on line 2 already",
        ),
        ("q.jsonl", '{"id":"a","query":"b","query":"c"}', "line 1: question 'a': key 'query' appears twice"),
        (
            "q.json",
            '[\n{"id":"a","query":"b","query":"c"}]',
            "line 2: question 'a': key 'query' appears twice",
        ),
        ("q.csv", "id,query,query\na,b,c\n", "line 1: column query appears twice; give it once"),
        (
            "q.yaml",
            "- id: a\n  query: b\n  question: c\n",
            "line 3: question 'a': query is given twice, once as question",
        ),
    ],
)
def test_a_key_given_twice_is_refused(name: str, text: str, message: str) -> None:
    assert refusal(name, text).startswith(f"{name}: {message}")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("q.yaml", "- id: a\n  query: b\n  answer: c\n", "line 3: question 'a': unknown field 'answer'"),
        ("q.jsonl", '{"id":"a","query":"b","answer":"c"}', "line 1: question 'a': unknown field 'answer'"),
        ("q.csv", "id,query,answer\na,b,c\n", "line 1: unknown column 'answer'"),
    ],
)
def test_an_unknown_field_is_refused_with_the_known_ones(name: str, text: str, line: str) -> None:
    known = "known: id, query, gold_snippets, gold_answer, tags, reviewed, type"
    assert refusal(name, text) == f"{name}: {line}; {known}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"query": "b"}', "has no id; expected a text of its own"),
        ('{"id": null, "query": "b"}', "has no id; expected a text of its own"),
        ('{"id": " ", "query": "b"}', "has no id; found ' '; expected a text of its own"),
        ('{"id": "a"}', "question 'a': query is empty; expected the question's text"),
        ('{"id": "a", "query": " "}', "question 'a': query is empty; expected the question's text"),
        ('{"id": "a", "query": ["b"]}', "question 'a': query is a list; expected a text"),
        ('{"id": "a", "query": "b", "gold": ["c", ""]}', "question 'a': gold_snippets entry 2 is empty"),
        ('{"id": "a", "query": "b", "gold": [null]}', "question 'a': gold_snippets entry 1 is empty"),
        ('{"id": "a", "query": "b", "gold": [[]]}', "question 'a': gold_snippets entry 1 is an empty list"),
        (
            '{"id": "a", "query": "b", "gold": [["c", ["d"]]]}',
            "question 'a': gold_snippets entry 1 is a list",
        ),
        ('{"id": "a", "query": "b", "gold": [{"c": 1}]}', "question 'a': gold_snippets entry 1 is a mapping"),
        ('{"id": "a", "query": "b", "tags": ["x", " "]}', "question 'a': a tag is empty"),
        (
            '{"id": "a", "query": "b", "reviewed": "maybe"}',
            "question 'a': reviewed is 'maybe'; expected true or",
        ),
        ('{"id": "a", "query": "\\ud83d"}', "question 'a': query holds half a character ('\\ud83d')"),
        ('"a"', "found 'a'; expected a question as {...}"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(text: str, message: str) -> None:
    assert refusal("q.jsonl", text).startswith(f"q.jsonl: line 1: {message}")


def test_a_pair_of_surrogate_escapes_is_one_character() -> None:
    assert only("q.jsonl", '{"id": "a", "query": "\\ud83d\\ude00"}').question == "😀"


def test_a_single_text_counts_as_a_list_of_one() -> None:
    item = only("q.yaml", "- id: a\n  query: b\n  gold: one passage\n  tags: hard\n")
    assert (quotes(item), item.tags) == ([["one passage"]], ("hard",))


def test_broken_json_on_line_seven_is_said_to_be_on_line_seven() -> None:
    good = "".join(f'{{"id": "q{n}", "query": "x"}}\n' for n in range(1, 7))
    message = refusal("q.jsonl", good + '{"id": "q7", "query": "x" "y"}\n')
    assert message == "q.jsonl: line 7: question 'q7': not valid JSON: Expecting ',' delimiter"
    listed = "[\n" + ",\n".join(good.splitlines()) + ',\n{"id": "q7", "query": x}]'
    assert refusal("q.json", listed) == "q.json: line 8: question 'q7': not valid JSON: Expecting value"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"id":"a","query":"b"},\n]', "line 2: question 'a': not valid JSON: a comma before ]"),
        ('[{"id":"a","query":"b"}\n{"id":"b"}]', "line 2: question 'a': not valid JSON: expected ','"),
        ('{"id":"a","query":"b"}', "line 1: unknown key 'id'; known: questions"),
        ('{"questions": {}}', "line 1: questions is no list; expected [...]"),
        ('{"questions": [], "questions": []}', "line 1: repeated key 'questions'; known: questions"),
        ("{}", "line 1: no key questions; known: questions"),
        ('{"questions": [', "line 1: not valid JSON: Expecting value"),
        ("", 'line 1: expected {"questions": [...]} or a list of questions'),
        ("[" * 100_000, "line 1: nested too deeply; expected a list of questions"),
    ],
)
def test_json_of_another_shape_is_refused(text: str, message: str) -> None:
    assert refusal("q.json", text) == f"q.json: {message}"


def test_json_lines_under_the_wrong_name_are_recognised() -> None:
    message = refusal("q.json", '[{"id":"a","query":"b"}]\n{"id":"b","query":"c"}')
    assert message.endswith("name a file with one question a line .jsonl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "- id: a\n  query: what: is it\n",
            "line 2: question 'a': not valid YAML: mapping values are not allowed",
        ),
        (
            '- id: a\n  query: b\n- id: c\n  query: "d\n',
            "line 4: question 'c': not valid YAML: a quotation mark",
        ),
        ("- id: a\n  query: @b\n", "line 2: question 'a': not valid YAML: found character that cannot start"),
        ("- id: a\n  query: x\x07y\n", "line 2: question 'a': control character U+0007; remove it"),
        ("- id: a\n  query: {b: c}\n", "line 2: question 'a': query is a mapping; expected a text"),
        ("- id: a\n---\n- id: b\n", "line 2: question 'a': a second YAML document begins"),
        ("- id: a\n  query: !!python/name:os.system x\n", "line 2: question 'a': tag"),
        ("- [a]\n", "line 1: found ['a']; expected a question with id and query"),
        ("hello\n", "line 1: expected questions: and a list, or a list of questions"),
        ("items: []\n", "line 1: unknown key 'items'; known: questions"),
    ],
)
def test_yaml_of_another_shape_is_refused(text: str, message: str) -> None:
    assert refusal("q.yaml", text).startswith(f"q.yaml: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'id,query\n1,"a\n2,b\n',
            "line 2: not valid CSV: unexpected end of data; check the quotes of this row",
        ),
        (
            'id,query\n1,"a"b\n',
            "line 2: not valid CSV: ',' expected after '\"'; check the quotes of this row",
        ),
        ("id,query\n1,a,b\n", "line 2: 3 cells under 2 columns; quote a cell that holds the delimiter"),
        ("query\na\n", "line 1: no column id; found 'query'"),
        (",id,query\n0,1,a\n", "line 2: '0' stands in a column without a name; name or remove it"),
        (
            'id,query,gold\n1,a,"[""x"", "\n',
            "line 2: question '1': gold_snippets begins like a JSON list but",
        ),
        (f"id,query\n1,{'x' * 140_000}\n", "line 2: not valid CSV: field larger than field limit (131072)"),
    ],
)
def test_csv_of_another_shape_is_refused(text: str, message: str) -> None:
    assert refusal("q.csv", text).startswith(f"q.csv: {message}")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("q.csv", b""),
        ("q.csv", b"id,query\n"),
        ("q.yaml", b""),
        ("q.yaml", b"questions:\n"),
        ("q.yaml", b"questions: []"),
        ("q.jsonl", b"\n\n"),
        ("q.json", b"[]"),
        ("q.json", b'{"questions": []}'),
    ],
)
def test_a_file_without_questions_is_refused(name: str, data: bytes) -> None:
    assert refusal(name, data) == f"{name}: holds no questions; expected at least one with id and query"


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    assert refusal("q.csv", b"id,query\n1,caf\xe9\n").startswith("q.csv: line 2: byte 0xe9 is not UTF-8 text")
    assert refusal("q.csv", b"PK\x03\x04rest").startswith("q.csv: is a spreadsheet or zip file")
    assert refusal("q.csv", b"\xff\xfei\x00\x00\xd8").startswith(
        "q.csv: line 1: byte 0x00 is not UTF-16-LE text"
    )


def test_a_file_above_the_limit_is_refused_unread() -> None:
    assert refusal("q.csv", bytes(MAX_BYTES + 1)) == (
        "q.csv: has 52,428,801 bytes; expected at most 52,428,800; split the file"
    )


def test_other_extensions_are_refused_with_the_known_ones() -> None:
    known = "expected one of .yaml, .yml, .json, .jsonl, .csv"
    assert refusal("q.xlsx", b"") == f"q.xlsx: extension '.xlsx'; {known}"
    assert refusal("q", b"") == f"q: extension none; {known}"


def test_a_file_name_with_a_line_break_still_gives_one_line() -> None:
    assert refusal("a\nb.csv", b"").startswith("'a\\nb.csv': holds no questions")


PIECES = st.sampled_from(
    ["id", "query", "questions", ": ", "\n", "\r", "- ", "  ", "[", "]", "{", "}", '"', "'", ",", ";", "\t",
     "&a ", "*a", "!!x ", "|", "#", "a", "1", "null", "\\ud83d", "\\", "\u2028", "\x00", "---\n", "? ", "<<"]
)  # fmt: skip
NAMES = st.sampled_from(["q.yaml", "q.json", "q.jsonl", "q.csv"])


@given(
    name=NAMES, data=st.binary(max_size=80) | st.lists(PIECES, max_size=25).map(lambda p: "".join(p).encode())
)
def test_any_bytes_give_questions_or_one_line(name: str, data: bytes) -> None:
    try:
        message = f"{name}: {len(read_questions(name, data))} questions"
    except QuestionError as error:
        message = str(error)
    assert message.splitlines() == [message]
    assert message.startswith(f"{name}: ")
