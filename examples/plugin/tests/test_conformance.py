"""The example keeps the laws of chunkers and rerankers."""

import pytest
from evalgrid_example import Paragraphs, rare_words

from evalcore.testing import Check, chunker_checks, reranker_checks


@pytest.mark.parametrize("check", chunker_checks())
@pytest.mark.parametrize("characters", [1, 80, 800])
def test_paragraphs(characters: int, check: Check) -> None:
    check.run(lambda: Paragraphs(characters))


@pytest.mark.parametrize("check", reranker_checks())
@pytest.mark.parametrize("power", [0.0, 1.0])
def test_rare_words(power: float, check: Check) -> None:
    check.run(lambda: rare_words(power))
