from __future__ import annotations

import codecs

import pytest

from evalcore.corpus.encoding import decode
from evalcore.corpus.reading import read_bytes
from evalcore.errors import DocumentError

GERMAN = "Die Prüfung für größere Verträge dauert länger; das Übliche gilt."


@pytest.mark.parametrize(
    ("encoding", "mark", "name"),
    [
        ("utf-8", codecs.BOM_UTF8, "utf-8-sig"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "utf-32"),
        ("utf-32-be", codecs.BOM_UTF32_BE, "utf-32"),
    ],
)
def test_a_byte_order_mark_decides_and_goes(encoding: str, mark: bytes, name: str) -> None:
    decoded = decode(mark + GERMAN.encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (GERMAN, name, False)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [GERMAN, "这是一份中文文件。\n我们住在北京 2020，\n每天坐地铁上班。"])
def test_wide_encodings_are_known_without_a_mark(encoding: str, text: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (text, encoding, True)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "café"),
        ("cp1252", GERMAN),
        ("cp1252", "ÜBERPRÜFUNG DER GESCHÄFTSFÄHIGKEIT: ÄÖÜ"),
        ("cp1252", "L’entreprise où l’œuvre naïve coûte 3 €… “déjà”"),
        ("cp1252", "¿Qué pasó? ¡Nada! Señor Núñez, 5º piso"),
        ("cp1252", "São João não está à venda; ações, coração"),
        ("cp1252", "Samningurinn gildir í tvö ár milli fyrirtækisins og viðskiptavinarins, það er þessi."),
        ("cp1250", "Umowa zostaje zawarta między firmą a klientem na okres dwóch lat, łącznie z opłatą."),
        ("cp1250", "Kupující a prodávající uzavřeli smlouvu na dobu určitou. Příliš žluťoučký kůň."),
        ("cp1250", "A szerződés időtartama két év. A vevő köteles fizetni a szolgáltatás díját."),
        ("cp1254", "Sözleşme, şirket ile müşteri arasında iki yıl süreyle yapılır."),
        (
            "cp1257",
            "Sutartis sudaroma dvejiems metams tarp įmonės ir kliento, už paslaugas mokama kas mėnesį.",
        ),
        ("cp1251", "Это документ на русском языке. Мы живём в Москве и каждый день ездим на работу."),
        ("koi8_r", "Это документ на русском языке. Мы живём в Москве и каждый день ездим на работу."),
        ("cp932", "これは日本語の文章です。私たちは東京に住んでいます。毎日電車で会社に行きます。"),
        ("gb18030", "这是一份中文文件。我们住在北京，每天坐地铁上班。"),
        ("cp1253", "Αυτό είναι ένα έγγραφο στα ελληνικά. Ζούμε στην Αθήνα."),
    ],
)
def test_older_encodings_give_the_right_text_and_are_called_a_guess(encoding: str, text: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.guessed) == (text, True)


def test_one_broken_byte_does_not_turn_utf8_into_another_encoding() -> None:
    data = ("Grüße an alle Kunden, " * 50).encode() + b"\xff und Schluss"
    document = read_bytes("a.txt", data)
    assert document.text == "Grüße an alle Kunden, " * 50 + "\ufffd und Schluss"
    assert document.metadata["encoding"] == "utf-8"
    assert document.warnings == (
        "a.txt: 1 replacement characters (U+FFFD) stand where characters could not be read",
    )


def test_a_guess_is_a_warning_and_no_letter_is_lost() -> None:
    document = read_bytes("bad.txt", b"caf\xe9")
    assert (document.text, document.metadata["encoding"]) == ("café", "cp1252")
    assert document.warnings == (
        "bad.txt: states no encoding; read as cp1252, a guess: check accented letters",
    )


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "a PNG image"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"PK\x03\x04....", "a zip archive (as .docx, .xlsx and .zip are)"),
    ],
)
def test_a_binary_file_with_a_text_ending_is_refused_by_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_bytes("notes.md", data)
    assert str(caught.value) == (
        f"notes.md: is {what}, not text; give it the ending that fits, or leave it out"
    )


def test_unknown_binary_data_is_refused() -> None:
    with pytest.raises(DocumentError) as caught:
        read_bytes("notes.txt", bytes(range(256)) * 20)
    assert str(caught.value) == "notes.txt: is binary data, not text; leave it out, or save it as text"


@pytest.mark.parametrize("data", [b"", b"   \n", b"\n" * 40, b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", ["md", "txt", "html"])
def test_a_file_without_text_is_loaded_with_a_warning(data: bytes, ending: str) -> None:
    document = read_bytes(f"empty.{ending}", data)
    assert not document.has_text
    assert document.elements == ()
    assert document.warnings == (
        f"empty.{ending}: there is no text in it; it counts as a document but nothing can be found in it",
    )
