from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("--- !?", []),
        ("The quick, brown FOX", ["the", "quick", "brown", "fox"]),
        ("snake_case __init__", ["snake", "case", "init"]),
        ("§ 12.5 kg/m²", ["12", "5", "kg", "m²"]),
        ("Größe l'été", ["größe", "l", "été"]),
        ("don't", ["don", "t"]),
        ("Москва", ["москва"]),
    ],
)
def test_words_are_lower_cased_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("故乡在北方", ["故乡", "乡在", "在北", "北方"]),
        ("丢了 308分，", ["丢了", "30", "08", "8分"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("한국어", ["한국", "국어"]),
        ("กขค", ["กข", "ขค"]),
        ("中", ["中"]),
        ("北方", ["北方"]),
        ("𠀀𠀁𠀂", ["𠀀𠀁", "𠀁𠀂"]),
        ("GPU显卡", ["gp", "pu", "u显", "显卡"]),
    ],
)
def test_a_run_in_a_script_without_spaces_becomes_its_character_pairs(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_no_word_is_empty_and_none_holds_a_space_or_underscore(text: str) -> None:
    for word in words(text):
        assert word
        assert "_" not in word
        assert not any(c.isspace() for c in word)
