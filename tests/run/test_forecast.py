"""What is predicted of a run: counts as the grid's, tokens as the chunks', time and memory from trials."""

from __future__ import annotations

import pytest

from evalcore.chunking.base import chunk_corpus
from evalcore.corpus.document import Corpus, MediaType
from evalcore.errors import InputError
from evalcore.evalset.items import EvalItem, GoldAnchor
from evalcore.grid import axes_of, build_chunker, grid_of
from evalcore.lab import Lab
from evalcore.run.estimate import Estimate, duration, size
from evalcore.run.forecast import estimate
from evalcore.run.trials import ModelSpeed, sample_of, try_index
from evalcore.settings import Settings

TEXTS = {
    f"doc{i}": f"# Part {i}\n\n" + " ".join(f"Rule {i}.{j} asks for {j + 3} forms." for j in range(40))
    for i in range(6)
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.from_texts(TEXTS)


def words(mode: str = "factorial", **axes: object) -> Settings:
    grid = {
        "chunker": ["recursive:64", "sentence:2"],
        "embedder": ["tfidf"],
        "index": ["dense", "bm25"],
        "reranker": [None, "lexical"],
    }
    return Settings.from_dict({"embedding": {"model": "tfidf"}, "grid": {**grid, **axes, "mode": mode}})


def test_chunks_and_tokens_of_a_small_corpus_are_those_of_its_chunks(corpus: Corpus) -> None:
    """The sample is the whole corpus, so nothing is scaled."""
    settings = words()
    found = estimate(corpus, settings)
    sets = [chunk_corpus(corpus, build_chunker(spec)) for spec in axes_of(settings).chunkers]
    assert found.chunks == sum(len(chunks) for chunks in sets)
    assert found.tokens == sum(int(chunks.tokens.sum()) for chunks in sets)
    assert found.unknown == ()


@pytest.mark.parametrize(("mode", "cells"), [("factorial", 8), ("ofat", 4), ("staged", 4)])
def test_configurations_are_counted_by_the_rules_of_the_grid(mode: str, cells: int, corpus: Corpus) -> None:
    """2 × 2 × 2; the baseline and three changes; of a staged grid the two first and one more of each axis."""
    found = estimate(corpus, words(mode))
    assert found.configurations == cells
    assert dict(found.shape) == {
        "parsers": 1,
        "chunkers": 2,
        "embedders": 1,
        "indexes": 2,
        "rerankers": 2,
        "candidates": 1,
    }


def test_what_is_folded_and_impossible_is_the_grids(corpus: Corpus) -> None:
    settings = words(embedder=["tfidf", "none"])
    found, grid = estimate(corpus, settings), grid_of(settings)
    assert (found.folded, found.impossible) == (grid.folded, grid.impossible) == (4, 4)


def test_twice_the_corpus_is_twice_the_tokens_though_a_part_is_tried() -> None:
    """The sample is bounded, so that a longer corpus of the same kind is scaled."""
    long = {f"{name}-{i}": text * 40 for name, text in TEXTS.items() for i in range(4)}
    longer = {f"{name}-{i}": text for name, text in long.items() for i in range(2)}
    one, two = (estimate(Corpus.from_texts(texts), words()) for texts in (long, longer))
    assert two.tokens == pytest.approx(2 * one.tokens, rel=0.02)
    whole = Corpus.from_texts(long)
    exact = [chunk_corpus(whole, build_chunker(spec)).tokens.sum() for spec in axes_of(words()).chunkers]
    assert one.tokens == pytest.approx(int(sum(exact)), rel=0.05)


def test_the_sample_comes_from_all_over_and_is_bounded() -> None:
    corpus = Corpus.from_texts({f"d{i:03}": "word " * 4_000 for i in range(100)})
    sample = sample_of(corpus, 60_000)
    assert 40_000 <= sum(len(d.text) for d in sample) <= 80_000
    places = [int(d.id[1:]) for d in sample]
    assert places[0] < 34
    assert places[-1] > 65


def test_a_long_document_gives_its_beginning_with_what_stands_in_it() -> None:
    corpus = Corpus.from_texts({"long": "# One\n\n" + "word " * 40_000 + "\n\n# Two\n\nend"})
    part = next(iter(sample_of(corpus)))
    assert len(part.text) <= 40_000
    assert [part.text[h.start : h.end] for h in part.headings] == ["# One"]


def test_a_models_time_grows_with_length_up_to_what_it_reads() -> None:
    """0.01 s for nothing and 0.05 s for 100 tokens: 50 tokens take 0.03 s, 1,000 as long as 100."""
    speed = ModelSpeed(load=1.0, short=0.01, long=0.05, longest=100, dimensions=4, memory=0)
    assert speed.seconds([50]) == pytest.approx(0.03)
    assert speed.seconds([100, 1_000]) == pytest.approx(0.10)


def test_a_query_over_more_chunks_is_not_predicted_to_be_quicker(corpus: Corpus) -> None:
    texts = chunk_corpus(corpus, build_chunker(axes_of(words()).chunkers[0])).texts
    trial = try_index("bm25", texts, None, ["which rule asks for forms"], 10)
    assert trial.query_seconds(10_000_000) >= trial.query_seconds(10) > 0
    assert trial.nbytes > 0


def test_a_method_that_cannot_be_tried_is_named_and_the_rest_predicted(corpus: Corpus) -> None:
    found = estimate(corpus, words(chunker=["recursive:64", "nonsense"]))
    assert len(found.unknown) == 1
    assert "unknown chunker 'nonsense'" in found.unknown[0]
    assert found.seconds > 0
    assert found.tokens > 0


def test_more_questions_take_longer(corpus: Corpus) -> None:
    """The same trials with questions added: each adds its search, so 1,000 take more than 10."""
    item = EvalItem("q", "Which rule asks for 5 forms?", [GoldAnchor("doc1", "Rule 1.2 asks for 5 forms.")])
    few, many = (estimate(corpus, words(), [item] * n) for n in (10, 1_000))
    assert (few.questions, many.questions) == (10, 1_000)
    assert many.stages["search"] > few.stages["search"]


def test_without_text_there_is_nothing_to_predict() -> None:
    with pytest.raises(InputError, match="no document has readable text"):
        estimate(Corpus.from_texts({"empty": "  "}, MediaType.TEXT), words())


def test_the_lab_says_it_in_a_sentence(corpus: Corpus) -> None:
    lab = Lab(corpus).grid(chunker=["recursive:64", "recursive:16"], index=["dense", "bm25"])
    found = lab.estimate("factorial")
    assert found.sentence().startswith(
        "4 configurations (1 parser × 2 chunkers × 1 embedder × 2 indexes × 1 reranker × 1 number of "
        "candidates) over 6 documents: about "
    )
    assert "for 100 questions." in found.sentence()


def test_it_is_kept_as_json(corpus: Corpus) -> None:
    found = estimate(corpus, words())
    assert Estimate.from_dict(found.as_dict()) == found


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "under a second"), (42.4, "42 s"), (200, "3 min"), (5_000, "83 min"), (9_000, "2.5 h")],
)
def test_a_duration_in_words(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(("count", "told"), [(219e6, "220 MB"), (1_540e6, "1.5 GB")])
def test_a_size_in_words(count: float, told: str) -> None:
    assert size(count) == told
