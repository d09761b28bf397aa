"""What is wrong with a question set before a run is worth starting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from evalcore.corpus.document import Corpus
from evalcore.errors import QuestionError
from evalcore.evalset.decoding import shown
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.evalset.nearby import Near, NearbyIndex
from evalcore.text.normal import fold
from evalcore.text.numbers import find_exact
from evalcore.text.tokens import CL100K, get_tokenizer

FEW_QUESTIONS = 15
SHORT_GOLD_TOKENS = 5

Severity = Literal["error", "warning"]
Kind = Literal[
    "nothing_to_score",
    "gold_not_found",
    "gold_number_differs",
    "gold_in_other_document",
    "gold_document_missing",
    "gold_occurrence_missing",
    "gold_inexact",
    "gold_short",
    "no_gold",
    "unreviewed",
    "duplicate_query",
    "few_questions",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend. `question_id` None: the set as a whole; `slot` counts from 0 as in the report.

    An error makes the numbers wrong, so a run refuses the set unless told to score it as it is.
    """

    kind: Kind
    severity: Severity
    question_id: str | None
    slot: int | None
    message: str


def check(evalset: EvalSet, corpus: Corpus, *, fuzzy_threshold: float = 0.90) -> list[Problem]:
    """Return what is wrong, question by question in the set's order, then what concerns the whole set.

    Passages are compared in normal form (report specification, section 3). One that no document holds is
    looked for once more, nearly (`fuzzy_threshold` 0..1): found so with the same numbers, it is a warning.
    So is a passage that is not found where another passage of its slot is.
    """
    library = _Library(corpus, fuzzy_threshold)
    first_with: dict[str, EvalItem] = {}
    problems: list[Problem] = []
    for item in evalset:
        problems.extend(_about_item(item))
        earlier = first_with.setdefault(fold(item.question), item)
        if earlier is not item:
            problems.append(_duplicate(item, earlier))
        for number in range(len(item.slots)):
            problems.extend(_about_slot(item, number, library))
    return problems + list(_about_set(evalset))


def refuse_errors(problems: Iterable[Problem], name: str = "questions") -> None:
    """Refuse a question set with errors.

    Raises:
        QuestionError: one line with `name`, the first error and how many more there are.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        more = f" (and {len(errors) - 1:,} more)" if len(errors) > 1 else ""
        raise QuestionError(f"{name}: {errors[0].message}{more}")


class _Library:
    """The documents' texts in normal form; the slower index is built when the first passage is missing."""

    def __init__(self, corpus: Corpus, threshold: float) -> None:
        self.ids = [document.id for document in corpus]
        self.texts = [fold(document.text) for document in corpus]
        self._threshold = threshold
        self._index: NearbyIndex | None = None

    def holding(self, passage: str) -> int | None:
        """Return the index of the first document with the passage."""
        for index, text in enumerate(self.texts):
            if find_exact(passage, text) is not None:
                return index
        return None

    def near(self, passage: str) -> Near | None:
        if self._index is None:
            self._index = NearbyIndex(self.texts)
        return self._index.nearest(passage, self._threshold)


def _about_item(item: EvalItem) -> Iterator[Problem]:
    if not item.is_scored:
        message = (
            f"question {shown(item.id)} has no gold passage and is not scored; quote one that answers it"
        )
        yield Problem("no_gold", "warning", item.id, None, message)
    if not item.reviewed:
        message = f"question {shown(item.id)} is a draft that nobody has reviewed; read it and set reviewed"
        yield Problem("unreviewed", "warning", item.id, None, message)


def _duplicate(item: EvalItem, earlier: EvalItem) -> Problem:
    advice = "counts twice; remove one"
    if item.slots != earlier.slots:
        advice = "has other gold passages; say in the question what it is about, or join the two"
    message = f"question {shown(item.id)} asks the same as {shown(earlier.id)} and {advice}"
    return Problem("duplicate_query", "warning", item.id, None, message)


def _about_slot(item: EvalItem, number: int, library: _Library) -> Iterator[Problem]:
    faults = [_fault(anchor, library) for anchor in item.slots[number]]
    fillable = any(fault is None or fault[1] == "warning" for fault in faults)
    for anchor, fault in zip(item.slots[number], faults, strict=True):
        where = f"question {shown(item.id)}, gold passage {number + 1} {shown(anchor.quote, 50)}"
        if fault is not None:
            kind, severity, said = fault
            severity = "warning" if fillable else severity
            yield Problem(kind, severity, item.id, number, f"{where} {said}")
        tokens = get_tokenizer(CL100K).count(anchor.quote)
        if tokens < SHORT_GOLD_TOKENS:
            said = f"has {tokens} tokens, so few that chance may find it; quote the whole sentence"
            yield Problem("gold_short", "warning", item.id, number, f"{where} {said}")


_Fault = tuple[Kind, Severity, str]


def _fault(anchor: GoldAnchor, library: _Library) -> _Fault | None:
    """Return what is wrong with a passage; None when it stands where it should."""
    passage = fold(anchor.quote)
    if anchor.source_id is not None:
        return _fault_in_source(anchor, anchor.source_id, passage, library)
    if passage and library.holding(passage) is not None:
        return None
    return _fault_of_missing(passage, library)


def _fault_in_source(anchor: GoldAnchor, source: str, passage: str, library: _Library) -> _Fault | None:
    if source not in library.ids:
        return "gold_document_missing", "error", f"names document {shown(source)}, which is not in the corpus"
    count = _count(passage, library.texts[library.ids.index(source)], anchor.occurrence + 1)
    if count > anchor.occurrence:
        return None
    if count:
        found = (
            f"asks for occurrence {anchor.occurrence + 1} in {shown(source)}, which holds it {count} times"
        )
        return "gold_occurrence_missing", "error", found
    elsewhere = library.holding(passage) if passage else None
    if elsewhere is None:
        return _fault_of_missing(passage, library)
    found = f"is not in document {shown(source)} but in {shown(library.ids[elsewhere])}; name that one"
    return "gold_in_other_document", "error", found


def _count(passage: str, text: str, enough: int) -> int:
    count = 0
    place = find_exact(passage, text) if passage else None
    while place is not None:
        count += 1
        place = find_exact(passage, text, place + 1) if count < enough else None
    return count


def _fault_of_missing(passage: str, library: _Library) -> _Fault:
    near = library.near(passage) if passage else None
    if near is None:
        said = "is in no document; quote a document's own words, or add the document that holds it"
        return "gold_not_found", "error", said
    there = f"{shown(library.ids[near.index])} as {shown(near.text)}"
    if near.same_numbers:
        return (
            "gold_inexact",
            "warning",
            f"is in no document word for word; nearest ({near.similarity:.0%}): {there}",
        )
    said = f"is in no document; the nearest has other numbers: {there}; correct the number"
    return "gold_number_differs", "error", said


def _about_set(evalset: EvalSet) -> Iterator[Problem]:
    count = len(evalset.scored)
    if count == 0:
        message = "nothing to score: no question has a gold passage; quote at least one from the documents"
        yield Problem("nothing_to_score", "error", None, None, message)
    elif count < FEW_QUESTIONS:
        message = (
            f"{count} scored questions; under {FEW_QUESTIONS} hardly any difference can be told from chance"
        )
        yield Problem("few_questions", "warning", None, None, message)
