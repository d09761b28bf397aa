"""Strangers' YAML cannot exhaust the machine, and what is written reads back."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evalset.yaml_text import YamlError, dump, parse, texts, typed


def read(text: str) -> object:
    node = parse(text)
    assert node is not None
    return typed(node)


def test_an_alias_stands_for_its_anchor() -> None:
    node = parse("a: &x [1, 2]\nb: *x\n")
    assert node is not None
    assert texts(node) == {"a": ["1", "2"], "b": ["1", "2"]}


def test_aliases_that_multiply_are_refused_at_once() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    begin = time.monotonic()
    with pytest.raises(YamlError, match="aliases unfold to more than 100,000 nodes"):
        parse("\n".join(rows))
    assert time.monotonic() - begin < 2


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    with pytest.raises(YamlError, match=r"alias \*x has no anchor before it"):
        parse("&x [*x]")


@pytest.mark.parametrize("text", ["[" * 40, "[" * 200_000, "- " * 3000, "{a: " * 3000])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(YamlError, match="nest"):
        parse(text)


def test_errors_count_lines_from_one() -> None:
    with pytest.raises(YamlError) as caught:
        parse("a: 1\nb: c: d\n")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("False", False), ("no", "no"), ("", None), ("~", None), ("null", None),
        ("'null'", "null"), ("5", 5), ("-5", -5), ("0.50", 0.5), ("1e-3", 0.001), (".5", 0.5), ("'5'", "5"),
        ("1.2.3", "1.2.3"), ("12:30", "12:30"), ("2024-01-05", "2024-01-05"), ("0x1F", "0x1F"),
        (".inf", ".inf"), ("1_000", "1_000"),
    ],
)  # fmt: skip
def test_typed_values_follow_yaml_1_2(text: str, value: object) -> None:
    found = read(f"k: {text}\n")
    assert found == {"k": value}
    assert isinstance(found, dict)
    assert type(found["k"]) is type(value)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | st.sampled_from(["1e3", "no", "~", "1.", ".5", "0o7", "+1", "true", "", "\u2028", "\x85", "\ufeff"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(value=st.dictionaries(st.sampled_from("abcdef"), VALUES, min_size=1, max_size=4))
def test_dumped_values_read_back_equal(value: dict[str, object]) -> None:
    assert read(dump(value)) == value
