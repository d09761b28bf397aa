from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.sentences import is_inside, sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mr. Lee.",
        "Prof. J. R. Miller Jr. and Mrs. Day met on Jan. 5 in St. Louis.",
        "The U.S. Army and the U.K. Navy took part, e.g. in exercises, i.e. not in war.",
        "It costs 3.14 dollars per 1.000 pieces.",
        "See Fig. 3, No. 5, Sec. 2 and pp. 12 of vol. 4.",
        "Smith et al. 2019 found none.",
        "Acme Inc. Holdings bought Beta Ltd. Group.",
        "At 9 a.m. Tuesday the shop opens.",
        "Visit example.com/a.html or write to a.b@example.org today.",
        "Version 1.2.3 runs on Node.js here",
        "He waited ... and left.",
        '"Stop!" he said.',
        "What? she asked herself. no.",
        "1. Open the door.",
        "Er kam am 3. Oktober und ging z.B. Dienstag.",
        "「はい。」と言った。",
        "第３．５章",
        "A line that wraps\nonto the next one.",
    ],
)
def test_these_are_one_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n ", []),
        ("No stop", ["No stop"]),
        ("One is. Two is! Three is? Four is… Five", ["One is.", "Two is!", "Three is?", "Four is…", "Five"]),
        ("He left in 2015. 25 people stayed.", ["He left in 2015.", "25 people stayed."]),
        ("It took 3 days. The end.", ["It took 3 days.", "The end."]),
        ("They live in the U.S. They like it.", ["They live in the U.S.", "They like it."]),
        ("Cups, plates, etc. The rest is there.", ["Cups, plates, etc.", "The rest is there."]),
        ("The answer is no. That is all.", ["The answer is no.", "That is all."]),
        ('She said "go." (She did.) Then [he] went.', ['She said "go."', "(She did.)", "Then [he] went."]),
        ("It is known.[12] Others agree.[3][4] End.", ["It is known.[12]", "Others agree.[3][4]", "End."]),
        ("**Bold.** Next.", ["**Bold.**", "Next."]),
        ("Really?! Yes... Well.", ["Really?!", "Yes...", "Well."]),
        ("It ends. mRNA is next.", ["It ends.", "mRNA is next."]),
        ("spaced out . Next one .", ["spaced out .", "Next one ."]),
        ("今日は。元気ですか？はい！", ["今日は。", "元気ですか？", "はい！"]),
        ("他说：“你好。”然后走了。", ["他说：“你好。”", "然后走了。"]),
        ("你好!今天好吗?好", ["你好!", "今天好吗?", "好"]),
        ("यह पहला है। यह दूसरा है॥ अंत", ["यह पहला है।", "यह दूसरा है॥", "अंत"]),
        ("هل هذا؟ نعم۔ لا", ["هل هذا؟", "نعم۔", "لا"]),
        ("ሰላም ነው። ደህና።", ["ሰላም ነው።", "ደህና።"]),
    ],
)
def test_these_end_where_a_reader_says(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no stop here\n\nnext paragraph", ["no stop here", "next paragraph"]),
        ("no stop here\n \t\nnext", ["no stop here", "next"]),
        ("Dr.\n\nSmith", ["Dr.", "Smith"]),
        ("# Title\nText begins. It goes on.", ["# Title", "Text begins.", "It goes on."]),
        ("Text without a stop\n## Next\nmore", ["Text without a stop", "## Next", "more"]),
        (
            "Buy:\n- milk\n- bread\n1. first\n2) second",
            ["Buy:", "- milk", "- bread", "1. first", "2) second"],
        ),
        ("| a | b |\n| - | - |\nafter", ["| a | b |", "| - | - |", "after"]),
        ("One.\r\n\r\nTwo\r\n\r\nThree", ["One.", "Two", "Three"]),
    ],
)
def test_blank_lines_and_markdown_blocks_end_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


marks = st.sampled_from(
    ["a", "Bc", "Dr", "3", ".", "!", "?", "…", "。", "।", '"', ")", "[1]", " ", "\n", "\n\n", "|", "# ", "- "]
)


@given(st.one_of(st.lists(marks, max_size=40).map("".join), st.text(st.characters(exclude_categories=()))))
def test_every_visible_character_is_in_exactly_one_sentence(text: str) -> None:
    spans = sentence_spans(text)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    gaps = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
    assert not "".join(text[start:end] for start, end in gaps).strip()


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        (0, False),
        (1, True),
        (7, True),
        (8, False),
        (9, False),
        (10, True),
        (16, True),
        (17, False),
        (99, False),
    ],
)
def test_a_place_is_inside_only_strictly_between_the_ends(place: int, inside: bool) -> None:
    assert is_inside([(0, 8), (9, 17)], place) is inside


def test_no_place_is_inside_no_sentence() -> None:
    assert not is_inside([], 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("今日は。" * 12_500, 12_500),
        ("This is a sentence. " * 12_000, 12_000),
        ("Dr. Smith met Mr. Lee. " * 12_000, 12_000),
        ("." * 200_000 + "x", 1),
        ("!" * 200_000 + "x", 1),
        ('."' * 100_000, 1),
        (".[1" * 70_000, 1),
        ("# " * 100_000, 1),
        ("\n" * 200_000 + "x", 1),
        ("\n " * 100_000 + "x", 1),
        ("x" * 200_000, 1),
        ("a. " * 60_000, 1),
    ],
    ids=lambda value: repr(value[:6]) if isinstance(value, str) else str(value),
)
def test_long_texts_take_less_than_a_second(text: str, count: int) -> None:
    began = time.process_time()
    found = sentence_spans(text)
    assert time.process_time() - began < 1
    assert len(found) == count
