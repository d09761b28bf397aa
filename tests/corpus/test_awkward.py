"""Acceptance: 33 awkward real documents, each loaded or refused with one right line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.corpus.document import Document
from evalcore.corpus.loading import LoadResult, read_folder

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def loaded(shared: Path) -> LoadResult:
    return read_folder(shared / "data/awkward/docs")


@pytest.fixture(scope="module")
def documents(loaded: LoadResult) -> dict[str, Document]:
    return {document.metadata["file"]: document for document in loaded.documents}


def test_every_file_is_loaded_or_skipped(loaded: LoadResult) -> None:
    assert loaded.given == 33
    assert len(loaded.documents) == 32
    assert [s.line for s in loaded.skipped] == [
        "r6-both-passwords.pdf: needs a password; save a copy without one and load that"
    ]


def test_documents_come_in_path_order(loaded: LoadResult) -> None:
    files = [document.metadata["file"] for document in loaded.documents]
    assert files == sorted(files)
    assert files[:3] == ["Strict.docx", "UDHR_first_article_all.txt", "caching.md"]


PASSAGES = {
    "Strict.docx": ["Some text"],
    "UDHR_first_article_all.txt": [
        "(Jinan)\n是人都生而自由，在尊严和权利上一律平等。",
        "Universal Declaration of Human Right - First article, all languages",
    ],
    "caching.md": [
        "---\ntitle: Caching overview\nslug: /develop/concepts/architecture/caching\n",
        "@st.cache_data  # 👈 Add the caching decorator\ndef load_data(url):\n    df = pd.read_csv(url)\n",
    ],
    "code_and_formula.pdf": [
        "Listing 1: Simple JavaScript Program\nfunction add (a , b ) {\nreturn a + b ;\n}",
        "gubergren, no sea takimata sanctus est Lorem ipsum dolor sit amet. Lorem ip-\nsum dolor sit amet",
    ],
    "copy-protected.pdf": [
        "LayoutParser: A Uniﬁed Toolkit for Deep\nLearning Based Document Image Analysis",
        "We show\nLayoutParser can be applied in sophisticated and large-scale digitization projects",
    ],
    "docx-tables.docx": [
        "Simple uniform table\n\n| Header Col 1 | Header Col 2 |\n| --- | --- |\n"
        "| Lorem ipsum | A link example |",
        "Nested Table\n\n| a | >b< | c |\n| --- | --- | --- |\n| d | e, f; g&t, h | i |\n| j | k | l |",
        "Table with merged cells\n\n| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| e |  |  |",
    ],
    "example-with-scripts.html": [
        "Russian Offensive Campaign Assessment, December 13",
        "Key Takeaways\n\n- Belarusian forces remain unlikely to attack Ukraine despite a snap Belarusian",
        "- Russian Supporting Effort—Southern Axis\n- Russian Mobilization and Force Generation Efforts",
    ],
    "fake-html-cp1252.html": [
        "My First Heading\n\nMy first paragraph.",
        'Die schöne Frau hat einen Kaffee mit Kuchen gegessen. Sie sagte: "Das war köstlich!"',
        "J'ai acheté un café au lait pour 3,50 €.",
        'La señora dijo: "¡Qué rico!" y pagó 25,75 €.',
    ],
    "fake-text-utf-16-le.txt": ["Doylestown, PA 18901\n", "- Hamburgers are delicious\n"],
    "fake-text-utf-16.txt": ["Doylestown, PA 18901\n", "- Hamburgers are delicious\n"],
    "fr_olap.pdf": [
        "Résumés et interrogations de logs de requêtes OLAP\nJulien Aligon",
        "ploitation et la fouille de ﬁchiers logs de requêtes OLAP.",
    ],
    "habibi.pdf": ["حَبيبي habibi حَبيبي"],
    "handbook-872p.docx": [
        "Executive Office for United States Trustees\n\nHandbook for\n\nChapter 13\n\nStanding Trustees",
        "| Related Provisions: |  |  |\n| --- | --- | --- |\n"
        "|  | 11 U.S.C. § 343 11 U.S.C. § 344 | Examination of the Debtor Self-incrimination; Immunity |\n\n"
        "10. LANGUAGE INTERPRETERS\n\nIndividuals with limited English proficiency",
    ],
    "header-test-doc.pdf": ["Header\nTitle\nHere\nis\na\nlovely\nsentences."],
    "issue-1113-evil-xobjects.pdf": ["Hello world"],
    "layout-parser-paper-fast.pdf": [
        "Zejiang Shen1 ( ), Ruochen Zhang2, Melissa Dell3, Benjamin Charles Germain",
        "eﬀorts to improve reusability and simplify deep learning (DL) model\n",
    ],
    "layout-parser-paper-with-empty-pages.pdf": [
        "computer\nvision, none of them are optimized for challenges"
    ],
    "menu.md": ["  - category: Get started\n    url: /get-started\n    color: orange-70\n"],
    "multicolumn.pdf": [
        "This is a sample document with two columns ﬁlled\nwith Lorem Ipsum text.",
        "Austria 8.9 83,879 Vienna German\nBelgium 11.5 30,689 Brussels Dutch, French, German",
    ],
    "nested.md": ["\t- def1234：\n\t\t- def12345。\n\n- after one empty line\n"],
    "normal_4pages.pdf": [
        "코로나-19가 세계적 유행(Pandemic) 단계\n에 돌입하였음을 선언하였다.",
        "코로나-19 관련 보험약관상 \n재해보험금 지급문제 및 개선과제",
    ],
    "pdf-with-ocr-text.pdf": ["(a) A letter from the Aaalggfitted fc-ugsx Company eecepting"],
    "r6-owner-password.pdf": ["pdf encryption test\npassword: asdfzxcv"],
    "rotated-page-90.pdf": ["Hello World Test Text\nSecond line of text here\nRotated page fixture"],
    "tables-with-incomplete-rows.docx": [
        "one or more rows is missing cells from the end.\n\n| a | b |\n| --- | --- |\n| c | d |",
        "| a |  |\n| --- | --- |\n| b | c |",
        "|  | More |  |\n| Dato |  |  |\n| WTF? |  |  |\n| Strange |  |  |\n|  | Format |  |",
    ],
    "teams_chat.docx": [
        "0:0:3.270 --> 0:0:4.250\nJames Bond\nUmm.\n\n| saved-by | Dennis Forsythe |\n| --- | --- |"
    ],
    "textbox.docx": [
        "Student falls ill\n\n- Suggested Reportable Symptoms:\n  ＊ Fever\n  ＊ Cough\n",
        "- A report must be submitted within 24 hours via the Ministry of Education’s Campus Safety",
    ],
    "umlauts-non-utf8.md": ["## können\n\nkönnen\n\näöüß\n"],
    "zen_of_python_corrupted.pdf": [
        "Special cases aren’t special enough to break the rules.\nAlthough practicality beats purity.\n",
        "Namespaces are one honking great idea −− let’s do more of those!",
    ],
}
WITHOUT_PASSAGE = {"empty.txt", "ocr_test.pdf", "jo.pdf"}


def test_passages_cover_every_document_with_readable_text(documents: dict[str, Document]) -> None:
    assert set(documents) == set(PASSAGES) | WITHOUT_PASSAGE


@pytest.mark.parametrize("name", PASSAGES)
def test_characteristic_passages_are_in_the_text(documents: dict[str, Document], name: str) -> None:
    for passage in PASSAGES[name]:
        assert passage in documents[name].text


def test_text_of_text_boxes_is_there_once(documents: dict[str, Document]) -> None:
    assert documents["textbox.docx"].text.count("Student falls ill") == 1
    assert documents["textbox.docx"].text.count("Case closed.") == 1


def test_scripts_and_styles_are_gone(documents: dict[str, Document]) -> None:
    text = documents["example-with-scripts.html"].text
    assert "function(" not in text
    assert "font-family" not in text
    assert text.count("Ukrainian Counteroffensives—Eastern Ukraine") == 1


WARNINGS = {
    "empty.txt": [
        "empty.txt: there is no text in it; it counts as a document but nothing can be found in it"
    ],
    "ocr_test.pdf": ["ocr_test.pdf: no text on its only page: it is a scan; run OCR first"],
    "layout-parser-paper-with-empty-pages.pdf": [
        "layout-parser-paper-with-empty-pages.pdf: no text on 2 of 4 pages (2, 3) (50%): "
        "if these are scans, run OCR first"
    ],
    "jo.pdf": [
        "jo.pdf: 12% of its characters look wrong: the text may be damaged; compare with the original"
    ],
    "issue-1113-evil-xobjects.pdf": [
        "issue-1113-evil-xobjects.pdf: damaged: its cross-reference table was rebuilt; "
        "compare the text with the original"
    ],
    "fake-html-cp1252.html": [
        "fake-html-cp1252.html: states no encoding; read as cp1252, a guess: check accented letters"
    ],
    "fake-text-utf-16-le.txt": [
        "fake-text-utf-16-le.txt: states no encoding; read as utf-16-le, a guess: check accented letters"
    ],
    "umlauts-non-utf8.md": [
        "umlauts-non-utf8.md: states no encoding; read as cp1252, a guess: check accented letters"
    ],
}


def test_only_what_may_harm_results_is_warned_of(documents: dict[str, Document]) -> None:
    assert {name: list(d.warnings) for name, d in documents.items() if d.warnings} == WARNINGS


def test_documents_without_text_count_but_have_none(loaded: LoadResult) -> None:
    assert [d.id for d in loaded.documents if not d.has_text] == ["empty", "ocr_test"]


def test_elements_are_in_order_and_do_not_overlap(loaded: LoadResult) -> None:
    for document in loaded.documents:
        edges = [edge for e in document.elements for edge in (e.start, e.end)]
        assert edges == sorted(edges)
        assert all(e.start < e.end <= len(document.text) for e in document.elements)


def test_headings_are_found_where_the_format_has_them(documents: dict[str, Document]) -> None:
    def titles(name: str) -> list[tuple[int, str]]:
        document = documents[name]
        return [(e.level, document.text[e.start : e.end]) for e in document.headings]

    assert titles("caching.md")[:3] == [
        (1, "# Caching overview"),
        (2, "## Minimal example"),
        (2, "## Basic usage"),
    ]
    assert titles("handbook-872p.docx")[:2] == [(1, "CHAPTER 1 – INTRODUCTION"), (2, "A. PURPOSE")]
    assert titles("fake-html-cp1252.html") == [(1, "My First Heading")]
    assert titles("menu.md") == []


def test_languages_are_named_only_when_sure(documents: dict[str, Document]) -> None:
    languages = {name: d.metadata.get("language") for name, d in documents.items()}
    assert languages["fr_olap.pdf"] == "fr"
    assert languages["caching.md"] == "en"
    assert languages["normal_4pages.pdf"] == "hangul"
    assert languages["UDHR_first_article_all.txt"] is None
    assert languages["rotated-page-90.pdf"] is None
