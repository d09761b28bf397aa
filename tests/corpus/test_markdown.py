from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalcore.corpus.document import Corpus, Document, ElementKind, MediaType
from evalcore.corpus.reading import read_bytes, read_text
from tests.corpus.files import kinds, outline


def markdown(text: str) -> Document:
    return read_text("d", text, MediaType.MARKDOWN)


def test_blocks_are_found_with_exact_spans() -> None:
    text = "# One\n\nText of\ntwo lines.\n\n- a\n  - b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n    code\n"
    assert outline(markdown(text)) == [
        (ElementKind.HEADING, 1, "# One"),
        (ElementKind.PARAGRAPH, 0, "Text of\ntwo lines."),
        (ElementKind.LIST, 0, "- a\n  - b"),
        (ElementKind.TABLE, 0, "| x | y |\n|---|---|\n| 1 | 2 |"),
        (ElementKind.CODE, 0, "code"),
    ]


def test_a_hash_in_a_code_fence_is_no_heading() -> None:
    text = "# Real\n\n```python\n# a comment\nx = 1\n```\n\n~~~\n# another\n~~~\n"
    document = markdown(text)
    assert [text[e.start : e.end] for e in document.headings] == ["# Real"]
    assert kinds(document) == ["heading", "code", "code"]


def test_setext_headings_have_their_level_and_underline() -> None:
    assert outline(markdown("Title\n=====\n\nSub\n---\n"))[:2] == [
        (ElementKind.HEADING, 1, "Title\n====="),
        (ElementKind.HEADING, 2, "Sub\n---"),
    ]


def test_front_matter_is_one_block_and_makes_no_heading() -> None:
    document = markdown("---\ntitle: A\n# not a heading\ntags: [a, b]\n---\n\n# Body\n")
    assert outline(document) == [
        (ElementKind.CODE, 0, "---\ntitle: A\n# not a heading\ntags: [a, b]\n---"),
        (ElementKind.HEADING, 1, "# Body"),
    ]


def test_a_rule_at_the_start_is_no_front_matter() -> None:
    document = markdown("---\n\n# Head\n\nText here.\n\n---\n\nMore.\n")
    assert kinds(document) == ["heading", "paragraph", "paragraph"]


def test_unclosed_front_matter_is_ordinary_text() -> None:
    assert [e.level for e in markdown("---\ntitle: A\n\n# Head\n").headings] == [1]


def test_line_ends_stay_as_they_are() -> None:
    text = "# One\r\n\r\nText\rmore\r\n\r\n## Two\r\n"
    document = markdown(text)
    assert document.text == text
    assert [(k.value, part) for k, _, part in outline(document)] == [
        ("heading", "# One"),
        ("paragraph", "Text\rmore"),
        ("heading", "## Two"),
    ]


def test_a_byte_order_mark_does_not_detach_the_first_heading() -> None:
    document = read_bytes("a.md", b"\xef\xbb\xbf# Title\n\ntext\n")
    assert document.text == "# Title\n\ntext\n"
    assert outline(document)[0] == (ElementKind.HEADING, 1, "# Title")
    assert markdown("\ufeff# Title").text == "# Title"


def test_unicode_line_separators_do_not_shift_spans() -> None:
    document = markdown("a\u2028b\x85c\x0cd\n\n# Head\n")
    assert outline(document)[-1] == (ElementKind.HEADING, 1, "# Head")


def test_jsx_tags_are_text() -> None:
    document = markdown('<Note title="x">\n\nBody.\n\n</Note>\n\n# Head\n')
    assert kinds(document) == ["paragraph", "paragraph", "paragraph", "heading"]


def test_lone_surrogates_are_repaired_and_counted() -> None:
    document = markdown("a\ud83d b \ud83d\ude00")
    assert document.text == "a\ufffd b 😀"
    assert document.warnings == (
        "d: 1 lone surrogates (halves of characters) became U+FFFD",
        "d: 1 replacement characters (U+FFFD) stand where characters could not be read",
        "d: 17% of its characters look wrong: the text may be damaged; compare with the original",
    )
    document.text.encode()


def test_a_corpus_is_built_from_texts_in_their_order() -> None:
    corpus = Corpus.from_texts({"b": "# B\n\ntext", "a": "plain"})
    assert [d.id for d in corpus] == ["b", "a"]
    assert len(corpus.documents[0].headings) == 1


@given(st.text(st.sampled_from("# -*|`>\n\r\tab1.=~<:\ud83d\x00é"), max_size=60))
def test_elements_of_any_text_are_in_order_inside_it(text: str) -> None:
    document = markdown(text)
    edges = [edge for e in document.elements for edge in (e.start, e.end)]
    assert edges == sorted(edges)
    assert all(document.text[e.start : e.end].strip() for e in document.elements)
    assert len(document.text) == len(text)


@given(st.text(st.sampled_from("ab \n\r\t"), max_size=60))
def test_paragraphs_of_any_plain_text_hold_all_its_words(text: str) -> None:
    document = read_text("d", text, MediaType.TEXT)
    joined = " ".join(document.text[e.start : e.end] for e in document.elements)
    assert joined.split() == text.split()
