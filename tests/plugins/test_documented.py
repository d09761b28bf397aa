"""docs/plugins.md and the example say what is so."""

from __future__ import annotations

import re
import sys
import tomllib
from typing import Any

import numpy as np
import pytest

from evalcore import plugins, testing
from evalcore.chunking import plugged as chunking
from evalcore.corpus.document import Document
from evalcore.embedding import plugged as embedding
from evalcore.retrieval import plugged as retrieval
from evalcore.retrieval.base import Ranking
from tests.plugins.support import EXAMPLE, ROOT

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLE)
    import evalgrid_example

    yield evalgrid_example
    del sys.modules["evalgrid_example"]


def test_the_registered_chunker_runs_as_written() -> None:
    names: dict[str, Any] = {}
    exec(CODE[0], names)
    results = names["results"]
    assert [run.configuration.chunker_text for run in results] == ["pages:40", "pages:20"]
    # A title of 6 characters, two line ends, a sentence of 31 and a line end: 40.
    assert len(names["pages"](40)("# Fees\n\nA late return costs 15 dollars.\n")) == 1
    testing.check_chunker(lambda: names["pages"](40))


def test_the_groups_and_entry_points_are_those_of_the_program_and_of_the_example() -> None:
    groups = {chunking.GROUP, embedding.GROUP, retrieval.INDEXES, retrieval.RERANKERS}
    assert set(re.findall(r"evalgrid\.[a-z]+(?=[`\"])", PAGE)) == groups
    shown = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    assert shown["project"]["entry-points"] == project["project"]["entry-points"]


def test_every_function_that_the_page_names_is_public() -> None:
    named = set(re.findall(r"\b((?:register|check)_[a-z]+)\b|\b([a-z]+_checks)\b", PAGE))
    flat = {name for pair in named for name in pair if name}
    assert flat == {name for name in (*plugins.__all__, *testing.__all__) if "_" in name}


def test_the_failure_shown_is_what_the_check_says() -> None:
    class Rising:
        def rerank(self, query: str, candidates: Ranking, texts: object, k: int) -> Ranking:
            return Ranking(candidates.chunks[:2], np.array([1.0, 2.0]))

    check = next(check for check in testing.reranker_checks() if check.name == "scores_fall")
    with pytest.raises(testing.ConformanceError) as caught:
        check.run(Rising)
    assert f"    {caught.value}\n" in PAGE


def test_the_example_cuts_at_blank_lines_and_packs(example: Any) -> None:
    """`One.` is 0..4, `Two.` 6..10, the last paragraph 12..28 with the line end inside it."""
    text = "One.\n\nTwo.\n\nThree is\nlonger.\n"
    assert example.Paragraphs(9).cut(Document("d", text)) == [(0, 4), (6, 10), (12, 28)]
    assert example.Paragraphs(10).cut(Document("d", text)) == [(0, 10), (12, 28)]
    assert example.Paragraphs(28).cut(Document("d", text)) == [(0, 28)]


def test_the_example_prefers_words_that_few_candidates_hold(example: Any) -> None:
    """`fee` stands in three candidates, `late` in one: 1/3, 1/3 + 1, 1/3."""
    texts = ["fee fee fee", "fee late", "fee map", "late late"]
    candidates = Ranking(np.array([2, 0, 1]), np.array([3.0, 2.0, 1.0]))
    found = example.rare_words().rerank("late fee", candidates, texts, 2)
    assert found.chunks.tolist() == [1, 0]
    assert found.scores.tolist() == pytest.approx([4 / 3, 1 / 3])
