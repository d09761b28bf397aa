"""Where evidence stands, and which chunks hold it: places and grades by hand, and against all pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalcore.corpus.document import Corpus, Document
from evalcore.evalset.items import EvalItem, GoldAnchor, Slot
from evalcore.scoring.relevance import (
    POLICIES,
    ChunkSpans,
    Judged,
    LocatedSpan,
    find_quote,
    judge,
    locate,
)
from evalcore.text.span import Span

CORPUS = Corpus(
    (
        Document("a.md", "One fee. Two fees. One fee."),
        Document("b.md", "One\n  fee. No refund."),
    )
)


def located(*slots: GoldAnchor | Slot) -> list[list[tuple[str, int, int]]] | None:
    found = locate(EvalItem("q", "Which fee?", slots), CORPUS)
    if found is None:
        return None
    return [[(place.span.doc_id, place.span.start, place.span.end) for place in slot] for slot in found]


def test_a_quote_is_found_word_for_word_in_its_document() -> None:
    assert located(GoldAnchor("a.md", "Two fees.")) == [[("a.md", 9, 18)]]


def test_a_quote_is_found_when_only_white_space_differs_on_either_side() -> None:
    assert located(GoldAnchor("b.md", "One fee. No")) == [[("b.md", 0, 13)]]
    assert located(GoldAnchor("a.md", "  Two \n\t fees. ")) == [[("a.md", 9, 18)]]


def test_white_space_may_differ_but_not_vanish() -> None:
    assert located(GoldAnchor("a.md", "Onefee.")) is None
    assert located(GoldAnchor("a.md", "One fe e.")) is None


def test_word_for_word_comes_before_other_white_space() -> None:
    assert find_quote("One\nfee, one fee, One fee", "One fee") == (18, 25)


def test_a_quote_is_taken_literally() -> None:
    assert find_quote("a.c abc (x)", "a.c") == (0, 3)
    assert find_quote("abc a.c\n(x)", "a.c (x)") == (4, 11)


def test_the_occurrence_picks_one_of_several_places() -> None:
    assert located(GoldAnchor("a.md", "One fee.", occurrence=1)) == [[("a.md", 19, 27)]]
    assert located(GoldAnchor("a.md", "One fee.", occurrence=2)) is None
    assert find_quote("x\n\ny, x  y, x\ty", "x y", 2) == (12, 15)


def test_places_of_a_quote_do_not_overlap() -> None:
    assert [find_quote("aaaa", "aa", n) for n in range(3)] == [(0, 2), (2, 4), None]


def test_without_a_source_every_document_may_hold_it() -> None:
    assert located(GoldAnchor(None, "One fee.")) == [[("a.md", 0, 8), ("b.md", 0, 10)]]
    assert located(GoldAnchor(None, "One fee.", occurrence=1)) == [[("a.md", 19, 27)]]


def test_one_of_the_alternatives_is_enough_for_a_slot() -> None:
    slot = (GoldAnchor("a.md", "No refund."), GoldAnchor("b.md", "No refund."))
    assert located(slot) == [[("b.md", 11, 21)]]


def test_a_question_with_a_slot_without_any_place_is_not_located() -> None:
    assert located(GoldAnchor("a.md", "Two fees."), GoldAnchor("a.md", "Three fees.")) is None
    assert located(GoldAnchor("c.md", "Two fees.")) is None
    assert located(GoldAnchor("a.md", " \n ")) is None
    assert located() is None


def test_a_place_carries_the_grade_of_its_anchor() -> None:
    found = locate(EvalItem("q", "?", [GoldAnchor("a.md", "Two fees.", grade=3)]), CORPUS)
    assert found == ((LocatedSpan(Span("a.md", 9, 18), 3),),)


def judged(
    places: list[tuple[int, int]], chunks: list[tuple[int, int]], policy: str = "coverage", least: float = 0.5
) -> Judged:
    slots = tuple((LocatedSpan(Span("d", *place), 1),) for place in places)
    return judge(slots, ChunkSpans([Span("d", *chunk) for chunk in chunks]), policy, least)


def test_coverage_asks_for_half_of_the_passage() -> None:
    assert judged([(10, 20)], [(0, 14), (0, 15), (15, 99), (16, 99), (12, 17)]).grades == {1: 1, 2: 1, 4: 1}


def test_iou_divides_by_what_both_cover() -> None:
    # 5 of 15; 10 of 20; 10 of 21; 6 of 10.
    chunks = [(5, 15), (10, 30), (9, 30), (12, 18)]
    assert judged([(10, 20)], chunks, "iou").grades == {1: 1, 3: 1}


def test_containment_divides_by_the_chunk() -> None:
    # 5 of 10; 2 of 2; 10 of 21; 4 of 9.
    chunks = [(5, 15), (10, 12), (0, 21), (16, 25)]
    assert judged([(10, 20)], chunks, "containment").grades == {0: 1, 1: 1}


def test_the_threshold_is_met_by_an_equal_share() -> None:
    assert judged([(0, 10)], [(0, 7), (0, 8)], least=0.8).grades == {1: 1}
    assert judged([(0, 10)], [(0, 9), (0, 10)], least=1.0).grades == {1: 1}


def test_overlapping_chunks_can_all_hold_one_passage() -> None:
    assert judged([(10, 20)], [(0, 16), (8, 24), (14, 30)]).grades == {0: 1, 1: 1, 2: 1}


def test_a_chunk_of_another_document_holds_nothing() -> None:
    place = ((LocatedSpan(Span("d", 0, 10), 1),),)
    assert judge(place, ChunkSpans([Span("e", 0, 10)])) == Judged({}, False)


def test_a_chunk_with_several_passages_has_the_highest_grade() -> None:
    slots = (
        (LocatedSpan(Span("d", 0, 5), 1), LocatedSpan(Span("d", 2, 8), 3)),
        (LocatedSpan(Span("d", 6, 9), 2),),
    )
    assert judge(slots, ChunkSpans([Span("d", 0, 9), Span("d", 5, 9), Span("d", 8, 9)])).grades == {
        0: 3,
        1: 3,
    }


def test_a_grade_of_zero_makes_no_chunk_relevant() -> None:
    assert judge(((LocatedSpan(Span("d", 0, 5), 0),),), ChunkSpans([Span("d", 0, 9)])) == Judged({}, False)


def test_a_passage_that_only_several_chunks_hold_together_is_split() -> None:
    assert judged([(0, 30)], [(0, 10), (10, 20), (20, 30)]) == Judged({}, True)


def test_a_passage_that_some_chunk_holds_is_not_split() -> None:
    assert judged([(0, 30)], [(0, 15), (15, 30)]) == Judged({0: 1, 1: 1}, False)


def test_a_passage_that_is_covered_too_little_is_not_split() -> None:
    # Characters 5 to 10 stand in both chunks and count once: 14 of 30.
    assert judged([(0, 30)], [(0, 10), (5, 14)]) == Judged({}, False)
    assert judged([(0, 30)], [(0, 10)]) == Judged({}, False)


def test_a_split_passage_is_reported_beside_one_that_is_held() -> None:
    assert judged([(0, 30), (20, 29)], [(0, 10), (10, 20), (20, 30)]) == Judged({2: 1}, True)


def test_an_alternative_that_is_held_makes_up_for_one_that_is_split() -> None:
    slot = (LocatedSpan(Span("d", 0, 30), 1), LocatedSpan(Span("d", 20, 29), 1))
    chunks = ChunkSpans([Span("d", 0, 10), Span("d", 10, 20), Span("d", 20, 30)])
    assert judge((slot,), chunks) == Judged({2: 1}, False)


def ranges(least: int = 1) -> st.SearchStrategy[Span]:
    return st.builds(
        lambda document, start, length: Span(document, start, start + length),
        st.sampled_from("de"),
        st.integers(0, 40),
        st.integers(least, 30),
    )


@given(
    chunks=st.lists(ranges(), max_size=25),
    places=st.lists(st.builds(LocatedSpan, ranges(), st.integers(1, 3)), min_size=1, max_size=4),
    policy=st.sampled_from(sorted(POLICIES)),
    threshold=st.sampled_from([0.1, 0.25, 0.5, 0.75, 1.0]),
)
def test_the_sweep_finds_what_looking_at_all_pairs_finds(
    chunks: list[Span], places: list[LocatedSpan], policy: str, threshold: float
) -> None:
    grades: dict[int, int] = {}
    for place in places:
        for position, chunk in enumerate(chunks):
            shared = place.span.overlap(chunk)
            both = {
                "coverage": len(place.span),
                "iou": len(place.span) + len(chunk) - shared,
                "containment": len(chunk),
            }
            if shared and shared / both[policy] >= threshold:
                grades[position] = max(place.grade, grades.get(position, 0))
    slots = tuple((place,) for place in places)
    assert judge(slots, ChunkSpans(chunks), policy, threshold).grades == grades


@given(chunks=st.lists(ranges(), max_size=12), place=ranges())
def test_split_is_what_counting_characters_says(chunks: list[Span], place: Span) -> None:
    held = [
        set(range(c.start, c.end)) & set(range(place.start, place.end))
        for c in chunks
        if c.doc_id == place.doc_id
    ]
    alone = any(len(part) / len(place) >= 0.5 for part in held)
    together = len(set().union(*held)) / len(place) >= 0.5
    found = judge(((LocatedSpan(place, 1),),), ChunkSpans(chunks))
    assert found.split == (together and not alone)
    assert bool(found.grades) == alone
