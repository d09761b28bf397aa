from __future__ import annotations

from evalcore.corpus.document import Document, ElementKind, MediaType
from evalcore.corpus.reading import read_bytes, read_text
from tests.corpus.files import outline


def page(body: str) -> Document:
    return read_text("d", f"<html><head><title>T</title></head><body>{body}</body></html>", MediaType.HTML)


def test_blocks_come_in_order_with_exact_spans() -> None:
    document = page(
        "<h1>Terms &amp; <em>conditions</em></h1><p>First\n  line<br>second line.</p>loose text"
        "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul><pre>x = 1\n  y</pre><h3>Sub</h3>"
    )
    assert outline(document) == [
        (ElementKind.HEADING, 1, "Terms & conditions"),
        (ElementKind.PARAGRAPH, 0, "First line\nsecond line."),
        (ElementKind.PARAGRAPH, 0, "loose text"),
        (ElementKind.LIST, 0, "- a\n  1. b\n  2. c\n- d"),
        (ElementKind.CODE, 0, "x = 1\n  y"),
        (ElementKind.HEADING, 3, "Sub"),
    ]


def test_a_table_stands_where_it_was_as_a_markdown_table() -> None:
    document = page(
        "<p>before</p><table><caption>Fees</caption><tr><th>Plan</th><th>Fee</th></tr>"
        "<tr><td rowspan=2>Pro|Team</td><td>10 <b>EUR</b></td></tr><tr><td>12</td></tr>"
        "<tr><td colspan=2>all</td></tr></table><p>after</p>"
    )
    assert document.text == (
        "before\n\nFees\n\n| Plan | Fee |\n| --- | --- |\n| Pro\\|Team | 10 EUR |\n|  | 12 |\n| all |  |"
        "\n\nafter"
    )
    assert [document.text[e.start : e.end].count("\n") for e in document.tables] == [4]


def test_scripts_styles_navigation_and_hidden_text_are_left_out() -> None:
    document = page(
        "<script>alert(1)</script><style>p{}</style><nav><a href=/>Home</a></nav><p>kept</p>"
        "<div hidden>a</div><div style='display:none'>b</div><span aria-hidden=true>c</span><!-- d -->"
        "<noscript>e</noscript><template>f</template>"
    )
    assert document.text == "kept"


def test_layout_tables_are_read_as_blocks() -> None:
    document = page("<table><tr><td><h2>Head</h2><p>one</p></td><td><p>two</p></td></tr></table>")
    assert document.text == "Head\n\none\n\ntwo"
    assert document.tables == ()


def test_the_encoding_a_page_declares_is_used() -> None:
    data = '<meta charset="windows-1251"><p>Привет, мир</p>'.encode("cp1251")
    document = read_bytes("a.html", data)
    assert (document.text, document.metadata["encoding"]) == ("Привет, мир", "cp1251")
    assert document.warnings == ()


def test_latin1_means_windows_1252_as_in_browsers() -> None:
    document = read_bytes("a.htm", b"<meta charset=iso-8859-1><p>15 \x80</p>")
    assert document.text == "15 €"


def test_a_false_declaration_falls_back_to_the_bytes() -> None:
    document = read_bytes("a.html", "<meta charset=shift_jis><p>Grüße aus Köln</p>".encode())
    assert document.text == "Grüße aus Köln"


def test_deep_nesting_is_read_or_refused_but_never_a_crash() -> None:
    assert "deep" in page("<div>" * 200 + "deep" + "</div>" * 200).text


def test_broken_markup_still_gives_its_text() -> None:
    assert page("<p>one<p>two</b><table><tr><td>x").text.split() == ["one", "two", "x"]
