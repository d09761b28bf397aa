"""All metrics of one cell, question by question, with every number counted by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.chunking.base import Chunk, ChunkSet
from evalcore.corpus.document import Corpus, Document
from evalcore.errors import InputError
from evalcore.evalset.items import EvalItem, GoldAnchor
from evalcore.lab import Lab
from evalcore.results.results import Results
from evalcore.scoring.cell import CellScores, Evidence, JudgedChunks, Ranked, score_cell
from evalcore.scoring.matching import Matcher
from evalcore.scoring.overlap import merged, shared, size
from evalcore.text.span import Span
from tests.page import published

# Every word is one token of cl100k_base, with the blank before it.
NUMBERS = "one two three four five six seven eight nine ten"
CORPUS = Corpus((Document("d", NUMBERS), Document("e", "blank note")))
ONE_TWO_THREE, THREE_FOUR_FIVE, SIX_SEVEN, EIGHT_NINE_TEN, BLANK_NOTE = range(5)
CHUNKS = [("d", 0, 13, 3), ("d", 8, 23, 3), ("d", 24, 33, 2), ("d", 34, 48, 3), ("e", 0, 10, 2)]


def chunk_set() -> ChunkSet:
    texts = {document.id: document.text for document in CORPUS}
    return ChunkSet(
        tuple(
            Chunk(Span(d, start, end), texts[d][start:end], tokens, False, (), False)
            for d, start, end, tokens in CHUNKS
        )
    )


def score(*ranked: Ranked, headline: int = 2, top_k: int = 3) -> CellScores:
    chunks = JudgedChunks(chunk_set(), Evidence([one.item for one in ranked], CORPUS))
    return score_cell(ranked, chunks, Matcher(0.9), cut_offs=(1, 3, 5), headline=headline, top_k=top_k)


def asked(
    *quotes: str | tuple[str, ...], ranking: tuple[int, ...], hits: tuple[int, ...] = (), name: str = "q"
) -> Ranked:
    """Return a question whose slots are `quotes`; a tuple holds the alternatives of one slot."""
    slots = [
        tuple(GoldAnchor(None, quote) for quote in ((slot,) if isinstance(slot, str) else slot))
        for slot in quotes
    ]
    item = EvalItem(name, "Which number?", slots)
    texts = [chunk_set().chunks[p].text for p in hits]
    found = sum(any(anchor.quote in text for anchor in slot for text in texts) for slot in slots)
    return Ranked(item, ranking, hits, found)


def values(ranked: Ranked) -> dict[str, float]:
    """Return the values of one question, those that it has."""
    found = {name: float(column[0]) for name, column in score(ranked).values.items()}
    return {name: value for name, value in found.items() if not math.isnan(value)}


def test_ranking_metrics_are_measured_at_every_cut_off_and_the_headlines() -> None:
    # "three four" stands half in chunk 0 and whole in chunk 1.
    ranking = (SIX_SEVEN, THREE_FOUR_FIVE, EIGHT_NINE_TEN, ONE_TWO_THREE)
    found = values(asked("three four", ranking=ranking))
    assert [found[f"recall@{k}"] for k in (1, 2, 3, 5)] == [0.0, 0.5, 0.5, 1.0]
    assert [found[f"precision@{k}"] for k in (1, 2, 3, 5)] == [0.0, 1 / 2, 1 / 3, 2 / 5]
    assert [found[f"hit_rate@{k}"] for k in (1, 2, 3, 5)] == [0.0, 1.0, 1.0, 1.0]
    assert [found[f"mrr@{k}"] for k in (1, 2, 3, 5)] == [0.0, 0.5, 0.5, 0.5]
    assert [found[f"map@{k}"] for k in (1, 2, 3, 5)] == [0.0, 1 / 4, 1 / 4, (1 / 2 + 2 / 4) / 2]
    best = 1 + 1 / math.log2(3)
    assert found["ndcg@2"] == pytest.approx((1 / math.log2(3)) / best)
    assert found["ndcg@5"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)


def test_characters_and_tokens_are_counted_at_the_headlines_cut_off_only() -> None:
    ranking = (SIX_SEVEN, THREE_FOUR_FIVE, EIGHT_NINE_TEN)
    found = values(asked("three four", ranking=ranking))
    assert found["char_recall@2"] == 1.0
    assert found["char_precision@2"] == 10 / 24
    assert found["token_iou@2"] == 2 / 5
    assert found["tokens@2"] == 5
    costly = {"char_recall", "char_precision", "token_iou", "tokens"}
    assert {name for name in found if name.partition("@")[0] in costly} == {f"{name}@2" for name in costly}


def test_chunks_that_overlap_count_their_common_characters_once() -> None:
    found = values(asked("two three", ranking=(ONE_TWO_THREE, THREE_FOUR_FIVE)))
    assert found["char_recall@2"] == 1.0
    assert found["char_precision@2"] == 9 / 23
    assert found["token_iou@2"] == 2 / 5
    assert found["tokens@2"] == 6


def test_passages_that_overlap_count_their_common_characters_once() -> None:
    # "two three" and "three four" together are the 14 characters from "two" to "four".
    found = values(asked("two three", "three four", ranking=(ONE_TWO_THREE,)))
    assert found["char_recall@2"] == 9 / 14
    assert found["char_precision@2"] == 9 / 13
    assert found["token_iou@2"] == 2 / 4


def test_of_alternatives_the_one_counts_of_which_most_was_retrieved() -> None:
    found = values(asked(("nine ten", "blank note"), ranking=(BLANK_NOTE, ONE_TWO_THREE)))
    assert found["char_recall@2"] == 1.0
    assert found["char_precision@2"] == 10 / 23
    assert found["token_iou@2"] == 2 / 5
    assert found["recall@2"] == 1 / 2


def test_gold_recall_is_the_contracts_at_the_runs_k_and_counts_again_at_the_headline() -> None:
    ranking = (SIX_SEVEN, ONE_TWO_THREE, BLANK_NOTE)
    one = asked("one two", ("nine ten", "blank note"), ranking=ranking, hits=(ONE_TWO_THREE, BLANK_NOTE))
    found = values(one)
    assert found["gold_recall@3"] == 1.0
    assert found["gold_recall@2"] == 0.5
    assert found["recall@2"] == 1 / 3
    assert found["recall@3"] == 2 / 3


def test_gold_recall_beyond_the_runs_k_is_absent() -> None:
    found = score(asked("one two", ranking=(0, 1, 2, 3, 4), hits=(0,)), headline=5, top_k=3).values
    assert [name for name in found if name.startswith("gold_recall")] == ["gold_recall@3"]
    assert "char_recall@5" in found


def test_an_empty_ranking_is_zero_on_everything() -> None:
    assert set(values(asked("nine ten", ranking=())).values()) == {0.0}


def test_evidence_that_stands_nowhere_is_counted_and_not_scored_as_zero() -> None:
    lost = asked("eleven twelve", ranking=(ONE_TWO_THREE,))
    found = score(lost, asked("one two", ranking=(ONE_TWO_THREE,), hits=(0,), name="r"))
    assert found.unresolved == ("q",)
    assert (found.unreachable, found.split) == ((), ())
    assert found.evidence_resolvable == 0.5
    assert found.mean("recall@5") == 1.0
    assert found.mean("char_recall@2") == 1.0
    assert values(lost) == {"tokens@2": 3.0, "gold_recall@2": 0.0, "gold_recall@3": 0.0}


def test_evidence_that_no_chunk_holds_counts_for_characters_but_not_for_ranks() -> None:
    # 31 characters, of which the chunks hold 5, 15, 9 and 5.
    cut_apart = asked("three four five six seven eight", ranking=(THREE_FOUR_FIVE, SIX_SEVEN))
    found = values(cut_apart)
    assert found["char_recall@2"] == 24 / 31
    assert found["char_precision@2"] == 1.0
    assert found["token_iou@2"] == 5 / 6
    assert not any(name.startswith(("recall", "precision", "hit", "mrr", "map", "ndcg")) for name in found)
    cell = score(cut_apart)
    assert (cell.unresolved, cell.unreachable, cell.split) == ((), ("q",), ("q",))
    assert cell.evidence_resolvable == 1.0


def test_a_question_with_one_passage_held_and_one_split_is_reachable() -> None:
    found = score(asked("one two", "three four five six seven eight", ranking=(ONE_TWO_THREE,)))
    assert (found.unresolved, found.unreachable, found.split) == ((), (), ("q",))
    assert found.mean("recall@1") == 1.0
    assert found.mean("char_recall@2") == (7 + 5) / (7 + 31)


def test_what_no_question_has_is_absent_and_never_zero() -> None:
    found = score(asked("eleven twelve", ranking=(ONE_TWO_THREE,)))
    assert sorted(found.values) == ["gold_recall@2", "gold_recall@3", "tokens@2"]
    assert found.mean("recall@5") is None
    assert found.mean("anything") is None


def test_a_ranking_that_names_a_chunk_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"names chunk 2 more than once"):
        score(asked("one two", ranking=(SIX_SEVEN, SIX_SEVEN)))


ranges = st.lists(st.tuples(st.sampled_from("de"), st.integers(0, 30), st.integers(0, 30)), max_size=8)


@given(one=ranges, other=ranges)
def test_ranges_cover_and_share_what_counting_single_units_says(
    one: list[tuple[str, int, int]], other: list[tuple[str, int, int]]
) -> None:
    first, second = ({(d, n) for d, a, b in several for n in range(a, b)} for several in (one, other))
    assert size(merged(one)) == len(first)
    assert shared(merged(one), merged(other)) == len(first & second)


@pytest.fixture(scope="module")
def sweep(shared: Path) -> Results:
    """The published page's sweep."""
    source = published(shared)
    lab = Lab(source.corpus)
    lab.grid(chunker=["recursive:512", "recursive:16"], index=["dense", "bm25"], reranker=[None, "lexical"])
    return lab.run(source.evalset, mode="factorial")


def label(size: int, rest: str) -> str:
    vectors = "tfidf · " if rest.startswith("dense") else ""
    return f"markdown · recursive:{size} · {vectors}{rest}"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("size", "rest", "chunks", "recall"),
    [
        *[(512, rest, 8, 1.0) for rest in ("dense", "bm25", "dense · lexical@50", "bm25 · lexical@50")],
        *[(16, rest, 63, 10.5 / 13) for rest in ("dense", "bm25")],
        *[(16, rest, 63, 9.5 / 13) for rest in ("dense · lexical@50", "bm25 · lexical@50")],
    ],
)
def test_the_pages_sweep_has_its_chunks_and_its_recall(
    sweep: Results, size: int, rest: str, chunks: int, recall: float
) -> None:
    run = sweep.get(label(size, rest))
    assert run.chunks == chunks
    assert run.cell.mean("recall@5") == pytest.approx(recall, abs=1e-12)


@pytest.mark.shared
def test_the_page_differs_on_three_questions_as_it_says(sweep: Results) -> None:
    run = sweep.get(label(16, "dense"))
    missed = {question: 1 - recall for question, recall in run.scores("recall@5").items() if recall < 1}
    assert missed == {"q6": 0.5, "q8": 1.0, "q9": 1.0}


@pytest.mark.shared
def test_the_pages_best_run_brings_all_evidence_back(sweep: Results) -> None:
    cell = sweep.best().cell
    assert cell.mean("char_recall@5") == 1.0
    assert cell.mean("gold_recall@5") == 1.0
    assert cell.evidence_resolvable == 1.0
    assert (cell.unresolved, cell.unreachable, cell.split) == ((), (), ())
