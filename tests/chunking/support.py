"""Documents of every kind and a stand-in for an embedding model, for the tests of the chunkers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from evalcore.corpus.document import Document, Element, ElementKind
from evalcore.text.tokens import get_tokenizer

TOKENIZERS = ("cl100k_base", "regex", "character")
WORDS = [
    "a",
    "bb",
    "Zebra",
    "word",
    "3.14",
    "Dr.",
    "今日",
    "は",
    "🙂",
    "👩‍👩‍👧",
    "é",
    "नमस्ते",
    "\ud83d",
    "<|endoftext|>",
]
BETWEEN = [
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n \n",
    "\t",
    "\xa0",
    "",
    ". ",
    "? ",
    "! ",
    "; ",
    ", ",
    "。",
    "।",
    "...",
    "| ",
]

mixed_text = st.lists(st.sampled_from(WORDS + BETWEEN), max_size=60).map("".join)
repeating_text = st.builds(
    lambda part, times: part * times,
    st.lists(st.sampled_from(WORDS[:4] + BETWEEN), min_size=1, max_size=4).map("".join),
    st.integers(1, 30),
)
any_character = st.text(st.characters(exclude_categories=()), max_size=40)
texts = st.one_of(mixed_text, repeating_text, any_character)

KINDS = st.sampled_from(list(ElementKind))


@st.composite
def structured_documents(draw: st.DrawFn) -> Document:
    """Draw a document of headings, paragraphs and tables, its elements placed by construction."""
    text = draw(st.sampled_from(["", "\n", "intro\n\n"]))
    elements: list[Element] = []
    for kind in draw(st.lists(KINDS, max_size=8)):
        level = draw(st.integers(1, 6)) if kind is ElementKind.HEADING else 0
        block = _block(draw, kind, level)
        if block.strip():
            elements.append(Element(kind, len(text), len(text) + len(block), level))
        text += block + draw(st.sampled_from(["\n", "\n\n", "\n\n\n"]))
    return Document("doc", text, tuple(elements))


def _block(draw: st.DrawFn, kind: ElementKind, level: int) -> str:
    if kind is ElementKind.HEADING:
        return "#" * level + " " + draw(st.sampled_from(["One", "Two words", "标题"]))
    if kind is ElementKind.TABLE:
        return "\n".join(["| a | b |", "| --- | --- |", *["| 1 | two words |"] * draw(st.integers(0, 12))])
    return draw(mixed_text)


documents = st.one_of(texts.map(lambda text: Document("doc", text)), structured_documents())


def fake_vectors(passages: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return unit rows that depend on nothing but each text."""
    rows = np.zeros((len(passages), 4), dtype=np.float32)
    for row, passage in zip(rows, passages, strict=True):
        digest = hashlib.sha256(passage.encode("utf-8", "surrogatepass")).digest()
        row[:] = np.frombuffer(digest[:4], dtype=np.uint8).astype(np.float32) - 127.5
    unit: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def uncovered(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Return the characters outside all ranges, white space left out."""
    covered = np.zeros(len(text), dtype=bool)
    for start, end in ranges:
        covered[start:end] = True
    return "".join(c for c, inside in zip(text, covered, strict=True) if not inside).strip()


def widest_character(text: str, tokenizer: str) -> int:
    """Return the largest number of tokens that one character of `text` has."""
    return max((get_tokenizer(tokenizer).count(c) for c in set(text)), default=0)
