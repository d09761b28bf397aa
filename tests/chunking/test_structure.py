from __future__ import annotations

import re

import pytest

from evalcore.chunking.base import Chunk, chunk_corpus
from evalcore.chunking.structure import StructureChunker, section_depth
from evalcore.corpus.document import Document, Element, ElementKind, MediaType
from evalcore.corpus.reading import read_text


def markdown(text: str) -> Document:
    """Place headings and tables by their first characters; good for texts without code fences."""
    found = [
        Element(ElementKind.HEADING, m.start(), m.end(), len(m[1]))
        for m in re.finditer(r"^(#+) .*$", text, re.MULTILINE)
    ]
    found += [
        Element(ElementKind.TABLE, m.start(), m.end())
        for m in re.finditer(r"(?:^\|.*$\n?)+", text, re.MULTILINE)
    ]
    return Document("doc", text, tuple(sorted(found, key=lambda e: e.start)))


def cut(document: Document, size: int = 100) -> tuple[Chunk, ...]:
    return chunk_corpus([document], StructureChunker(size, "regex")).chunks


def texts(text: str, size: int = 100) -> list[str]:
    return [c.text for c in cut(markdown(text), size)]


def test_sections_begin_at_headings_and_text_before_the_first_is_one_too() -> None:
    text = "Before.\n\n# One\n\nFirst.\n\n## Two\n\nSecond.\n"
    assert texts(text) == ["Before.", "# One\n\nFirst.", "## Two\n\nSecond."]


def test_deeper_headings_stay_in_their_section() -> None:
    assert texts("### A\n\nx\n\n#### B\n\ny\n\n### C\n\nz") == ["### A\n\nx\n\n#### B\n\ny", "### C\n\nz"]


def test_a_deeper_level_begins_sections_when_it_is_the_most_common() -> None:
    assert texts("# A\n\nx\n\n#### B\n\ny\n\n#### C\n\nz") == ["# A\n\nx", "#### B\n\ny", "#### C\n\nz"]


@pytest.mark.parametrize(
    ("levels", "depth"), [([], 3), ([1, 1, 2], 3), ([1, 4, 4], 4), ([4, 4, 1, 1], 3), ([5, 5, 4, 4, 4], 4)]
)
def test_sections_reach_to_level_three_or_the_most_common_one(levels: list[int], depth: int) -> None:
    assert section_depth(Element(ElementKind.HEADING, n, n, level) for n, level in enumerate(levels)) == depth


def test_a_section_of_headings_only_joins_the_next() -> None:
    assert texts("# A\n\n## B\n\n### C\n\nx\n\n# D\n\ny") == ["# A\n\n## B\n\n### C\n\nx", "# D\n\ny"]


def test_a_last_heading_without_text_is_kept() -> None:
    assert texts("# A\n\nx\n\n# End\n") == ["# A\n\nx", "# End"]


def test_a_large_section_is_split_at_its_paragraphs() -> None:
    assert texts("# A\n\none two three\n\nfour five six\n\n# B\n\nseven", 6) == [
        "# A\n\none two three",
        "four five six",
        "# B\n\nseven",
    ]


TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"  # 5, 9, 5 and 5 tokens


def test_a_table_that_fits_is_never_cut() -> None:
    found = cut(markdown(f"# T\n\none two three four five six\n\n{TABLE}\n\nafter it"), 25)
    assert [c.text for c in found] == ["# T\n\none two three four five six", TABLE, "after it"]
    assert [c.contains_table for c in found] == [False, True, False]


def test_a_table_that_alone_is_too_large_is_cut_between_rows() -> None:
    assert texts(f"intro\n\n{TABLE}", 15) == ["intro\n\n| a | b |\n| --- | --- |", "| 1 | 2 |\n| 3 | 4 |"]


def test_a_document_without_headings_falls_back_to_size() -> None:
    assert texts("one two\n\nthree four\n\nfive six", 4) == ["one two\n\nthree four", "five six"]


def test_chunks_know_the_headings_above_them() -> None:
    found = cut(markdown("Before\n\n# One\n\nx\n\n## Two\n\ny\n\n# Three\n\nz"))
    assert [c.section_path for c in found] == [(), ("One",), ("One", "Two"), ("Three",)]


def test_a_comment_in_a_code_fence_begins_no_section() -> None:
    text = "# Install\n\nRun this:\n\n```python\n# not a heading\nrun()\n```\n\n# Use\n\nCall it.\n"
    found = cut(read_text("doc", text, MediaType.MARKDOWN))
    assert [c.text.split("\n")[0] for c in found] == ["# Install", "# Use"]
    assert "# not a heading" in found[0].text
