from __future__ import annotations

import pytest

from evalcore.corpus.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The contract is concluded between the company and the customer for two years. " * 3, "en"),
        ("Der Vertrag wird zwischen dem Unternehmen und dem Kunden für zwei Jahre geschlossen. " * 3, "de"),
        ("Это документ на русском языке. Мы живём в Москве и каждый день ездим на работу. " * 3, "ru"),
        ("这是一份中文文件。我们住在北京，每天坐地铁上班。" * 3, "han"),
        ("これは日本語の文章です。私たちは東京に住んでいます。" * 3, "kana"),
        ("이 문서는 한국어로 작성되었습니다. 우리는 서울에 살고 있습니다.", "hangul"),
        ("นี่คือเอกสารภาษาไทย เราอาศัยอยู่ในกรุงเทพ", "thai"),
        ("Αυτό είναι ένα έγγραφο στα ελληνικά. Ζούμε στην Αθήνα.", "greek"),
        ("Привет всем, кто это читает", "cyrillic"),
    ],
)
def test_a_language_or_a_script_is_named(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "12 34 56.78 %", "hello world", "x " * 200, "können"])
def test_nothing_is_named_when_unsure(text: str) -> None:
    assert detect_language(text) is None


def test_a_text_in_two_languages_is_not_named() -> None:
    english = "The contract is concluded between the company and the customer for a term of two years. " * 80
    french = "Le contrat est conclu entre la société et le client pour une durée de deux ans. " * 80
    assert detect_language(english + french) is None
