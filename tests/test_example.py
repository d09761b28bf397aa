"""The example corpus and its questions are what the pages and the README say they are."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from evalcore.corpus.document import Corpus
from evalcore.corpus.loading import LoadResult, read_files, read_folder

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
DOCS = EXAMPLES / "docs"
KINDS = {"fact", "number", "table", "procedure", "policy", "multi", "contrast", "german", "paraphrase"}


def normal(text: str) -> str:
    return " ".join(text.lower().split())


def passages(slot: str | list[str]) -> list[str]:
    return [slot] if isinstance(slot, str) else slot


@pytest.fixture(scope="module")
def loaded() -> LoadResult:
    return read_folder(DOCS)


@pytest.fixture(scope="module")
def corpus(loaded: LoadResult) -> Corpus:
    return loaded.corpus


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    content = yaml.safe_load((EXAMPLES / "questions.yaml").read_text(encoding="utf-8"))
    return list(content["questions"])


@pytest.fixture(scope="module")
def build_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_build", EXAMPLES / "build.py")
    if spec is None or spec.loader is None:
        raise ImportError("examples/build.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_of_the_example_is_read_without_a_warning(loaded: LoadResult) -> None:
    assert loaded.skipped == ()
    assert loaded.warnings == ()
    assert len(loaded.documents) == len([p for p in DOCS.iterdir() if p.is_file()]) == 19


def test_the_example_is_long_enough_to_be_searched(corpus: Corpus) -> None:
    sizes = sorted((len(d.text) for d in corpus), reverse=True)
    assert 130_000 <= sum(sizes) <= 200_000
    assert sizes[3] >= 10_000


def test_the_example_holds_every_format_and_two_languages(corpus: Corpus) -> None:
    endings = Counter(Path(d.metadata["file"]).suffix for d in corpus)
    assert set(endings) == {".md", ".txt", ".html", ".pdf", ".docx"}
    assert {d.metadata.get("language") for d in corpus} == {"en", "de"}


def test_the_pdf_has_pages_and_the_word_file_has_tables(corpus: Corpus) -> None:
    documents = {Path(d.metadata["file"]).suffix: d for d in corpus}
    assert int(documents[".pdf"].metadata["pages"]) >= 4
    assert len(documents[".docx"].tables) >= 3
    assert len(documents[".docx"].headings) >= 10


def test_the_thread_has_no_headings(corpus: Corpus) -> None:
    thread = corpus.get("aldermoor-rollout-thread")
    assert thread is not None
    assert thread.headings == ()


def test_the_two_warranty_terms_are_near_duplicates(corpus: Corpus) -> None:
    old, new = (corpus.get(f"warranty-terms-{year}") for year in (2024, 2025))
    assert old is not None
    assert new is not None
    words = [Counter(re.findall(r"\w+", d.text.lower())) for d in (old, new)]
    shared = sum((words[0] & words[1]).values())
    assert old.text != new.text
    assert shared / max(sum(w.values()) for w in words) > 0.8


def test_questions_have_ids_of_one_form_each_once(questions: list[dict[str, Any]]) -> None:
    assert len(questions) >= 90
    assert [q["id"] for q in questions] == [f"q-{n:03d}" for n in range(1, len(questions) + 1)]
    assert len({q["query"] for q in questions}) == len(questions)


def test_every_kind_of_question_has_several(questions: list[dict[str, Any]]) -> None:
    counts = Counter(q["tags"][0] for q in questions)
    assert set(counts) == KINDS
    assert min(counts.values()) >= 8


def test_some_questions_need_two_passages_and_some_passages_have_alternatives(
    questions: list[dict[str, Any]],
) -> None:
    slots = list(chain.from_iterable(q["gold_snippets"] for q in questions))
    assert sum(len(q["gold_snippets"]) > 1 for q in questions) >= 12
    assert sum(len(passages(slot)) > 1 for slot in slots) >= 10


def test_every_passage_stands_in_the_text_that_is_searched(
    corpus: Corpus, questions: list[dict[str, Any]]
) -> None:
    texts = [normal(d.text) for d in corpus]
    missing = [
        (question["id"], passage)
        for question in questions
        for slot in question["gold_snippets"]
        for passage in passages(slot)
        if not any(normal(passage) in text for text in texts)
    ]
    assert missing == []


def test_every_document_answers_a_question(corpus: Corpus, questions: list[dict[str, Any]]) -> None:
    gold = [normal(p) for q in questions for slot in q["gold_snippets"] for p in passages(slot)]
    unused = [d.id for d in corpus if not any(p in normal(d.text) for p in gold)]
    assert unused == []


def test_two_builds_of_the_binary_files_are_equal(build_script: ModuleType, tmp_path: Path) -> None:
    first, second = (build_script.build(tmp_path / name) for name in ("a", "b"))
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_the_committed_binary_files_are_those_that_the_script_builds(
    build_script: ModuleType, corpus: Corpus, tmp_path: Path
) -> None:
    built = build_script.build(tmp_path)
    fresh = read_files([(path.name, path.read_bytes()) for path in built]).corpus
    committed = {document.id: document.text for document in corpus}
    assert {d.id: d.text for d in fresh} == {d.id: committed[d.id] for d in fresh}
    assert len(fresh) == 2
