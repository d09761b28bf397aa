"""The normal form: what looks the same becomes the same, and every character knows where it came from."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.normal import fold, normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Two\r\n\tWords ", "two words"),
        ("10\u00a0MB", "10 mb"),
        ("o\ufb03ce", "office"),
        ("cafe\u0301", "caf\u00e9"),
        ("\u201cquoted\u201d \u2018it\u2019s\u2019", "\"quoted\" 'it's'"),
        ("2010\u20132015 \u2014 on", "2010-2015 - on"),
        ("co\u00adoper\u200bate", "cooperate"),
        ("op-\nposite direction", "opposite direction"),
        ("op-  \r\n  posite", "opposite"),
        ("op\u00ad\nposite", "opposite"),
        ("2010-\n2015", "2010- 2015"),
        ("A-\nB", "a- b"),
        ("x - \n y", "x - y"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("\u0130", "i\u0307"),
        ("", ""),
        (" \n\t ", ""),
    ],
)
def test_what_looks_the_same_becomes_the_same(text: str, expected: str) -> None:
    assert normalise(text).text == expected
    assert fold(text) == expected


def test_offsets_lead_back_to_the_original_characters() -> None:
    text = "The  o\ufb03ce op-\nposite"
    normal = normalise(text)
    start = normal.text.index("office")
    assert text[slice(*normal.original(start, start + len("office")))] == "o\ufb03ce"
    start = normal.text.index("opposite")
    assert text[slice(*normal.original(start, start + len("opposite")))] == "op-\nposite"


AWKWARD = st.text(
    st.one_of(st.characters(), st.sampled_from("aé-\n\r\t \u00ad\u0301\u200b\u201c\ufb01\u1100\u1161"))
)


@given(AWKWARD)
def test_both_ways_of_folding_agree_and_the_map_fits(text: str) -> None:
    normal = normalise(text)
    assert fold(text) == normal.text
    assert len(normal.starts) == len(normal.ends) == len(normal.text)
    assert all(0 <= s < e <= len(text) for s, e in zip(normal.starts, normal.ends, strict=True))
    assert list(normal.starts) == sorted(normal.starts)
    assert "  " not in normal.text
    assert normal.text == normal.text.strip()


@given(st.text(st.sampled_from("abc XYZ 12.\n"), max_size=60))
def test_plain_text_is_only_lower_cased_and_its_blanks_folded(text: str) -> None:
    assert fold(text) == " ".join(text.lower().split())


@given(st.text(st.characters(categories=["Ll", "Lo", "Mn", "Nd"])))
def test_composed_and_decomposed_forms_meet(text: str) -> None:
    composed = unicodedata.normalize("NFKC", text)
    assert fold(unicodedata.normalize("NFKD", composed)) == fold(composed)
