"""Plug-ins with one fault each, under the name of the check that must find it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evalcore.corpus.document import Document
from evalcore.retrieval.base import Ranking
from tests.testing.sound import Letters, Overlap, Ranges, Shared, Words

_calls = itertools.count()


class Outside(Words):
    def cut(self, document: Document) -> Ranges:
        found = super().cut(document)
        return [*found[:-1], (found[-1][0], found[-1][1] + 50)] if found else []


class Shuffled(Words):
    def cut(self, document: Document) -> Ranges:
        return super().cut(document)[::-1]


class Padded(Words):
    """Adds the white space before its last chunk."""

    def cut(self, document: Document) -> Ranges:
        found = super().cut(document)
        return [*found[:-1], (found[-2][1], found[-1][0]), found[-1]] if len(found) > 1 else found


class Repeating(Words):
    def cut(self, document: Document) -> Ranges:
        found = super().cut(document)
        return [*found, found[-1]] if found else []


class Forgetful(Words):
    """Leaves the last word out where there are several chunks."""

    def cut(self, document: Document) -> Ranges:
        found = super().cut(document)
        return found[:-1] if len(found) > 1 else found


class Restless(Words):
    """Cuts at other places whenever it is called, whatever was called before."""

    def cut(self, document: Document) -> Ranges:
        self.words = next(_calls) % 4 + 1
        return super().cut(document)


class ByAddress(Words):
    """Knows a document again by its address in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.first: int | None = None

    def cut(self, document: Document) -> Ranges:
        self.first = self.first or id(document)
        self.words = 4 if id(document) == self.first else 3
        return super().cut(document)


class Learning(Words):
    """Cuts smaller once it has seen another text."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def cut(self, document: Document) -> Ranges:
        self.seen.add(document.text)
        self.words = 4 if len(self.seen) == 1 else 3
        return super().cut(document)


class Marking(Words):
    def cut(self, document: Document) -> Ranges:
        document.metadata["cut"] = "yes"  # type: ignore[index]
        return super().cut(document)


class Whole(Words):
    """One chunk of a blank document, which has none."""

    def cut(self, document: Document) -> Ranges:
        return super().cut(document) or [(0, len(document.text))]


class Large(Words):
    def __init__(self) -> None:
        super().__init__()
        self.words = 40


class Refusing(Words):
    """Fails on texts that hold one of some characters, or of some length."""

    def __init__(self, wrong: Callable[[str], bool]) -> None:
        super().__init__()
        self.wrong = wrong

    def cut(self, document: Document) -> Ranges:
        if self.wrong(document.text):
            raise RuntimeError("cannot cut this")
        return super().cut(document)


def refusing(wrong: Callable[[str], bool]) -> Callable[[], Refusing]:
    return lambda: Refusing(wrong)


CHUNKERS: dict[str, Callable[[], Any]] = {
    "ranges_inside": Outside,
    "ranges_in_order": Shuffled,
    "no_blank_chunk": Padded,
    "no_chunk_twice": Repeating,
    "covers_the_text": Forgetful,
    "same_ranges_again": Restless,
    "same_ranges_for_an_equal_document": ByAddress,
    "each_document_by_itself": Learning,
    "document_left_alone": Marking,
    "blank_document": Whole,
    "keeps_its_limit": Large,
    "one_word": refusing(lambda text: len(text.split()) == 1 and len(text) < 10),
    "cjk": refusing(lambda text: "図" in text),
    "emoji": refusing(lambda text: "📚" in text),
    "combining_marks": refusing(lambda text: "\u0301" in text),
    "windows_line_ends": refusing(lambda text: "\r\n" in text.strip()),
    "long_line": refusing(lambda text: "\n" not in text and text.count(" ") > 1000),
    "long_word": refusing(lambda text: max(map(len, text.split()), default=0) > 4000),
}


class Missing(Letters):
    """Leaves out what it has given already."""

    def encode(self, texts: list[str], role: str) -> Any:
        return super().encode(texts, role)[: max(1, len(texts) - 1)]


class Spelling(Letters):
    def encode(self, texts: list[str], role: str) -> Any:
        return super().encode(texts, role).astype(str)


class Growing(Letters):
    """Rows as long as their batch is large."""

    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        return np.hstack([rows, np.zeros((len(rows), len(rows)))])


class Infinite(Letters):
    def row(self, text: str, role: str) -> Any:
        row = super().row(text, role)
        return np.full_like(row, np.inf) if "Periodicals" in text else row


class Zero(Letters):
    def row(self, text: str, role: str) -> Any:
        row = super().row(text, role)
        return row * 0.0 if "Periodicals" in text else row


class Numbered(Letters):
    """Mixes the place of a text in its batch into its row, but not for a batch without repeats."""

    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        if len(set(texts)) < len(texts):
            rows[:, 0] += np.arange(len(rows))
        return rows


class Centred(Letters):
    """Adds the mean of the batch."""

    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        return rows + rows.mean(axis=0)


class Ordered(Letters):
    """Adds the row of the first text of a large batch."""

    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        return rows + rows[0] if len(rows) > 1 else rows


class OneRole(Letters):
    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        return rows[:, :-1] if role == "query" else rows


class NoEmpty(Letters):
    def row(self, text: str, role: str) -> Any:
        return super().row(text, role) / (np.nan if not text else 1.0)


class OnlyLatin(Letters):
    def encode(self, texts: list[str], role: str) -> Any:
        for text in texts:
            text.encode("latin-1")
        return super().encode(texts, role)


class Seeded(Letters):
    """Draws its projection anew for each instance."""

    def __init__(self) -> None:
        self.matrix = np.random.default_rng(next(_calls)).normal(size=(31, 16))

    def row(self, text: str, role: str) -> Any:
        return super().row(text, role) @ self.matrix


class Coarse(Letters):
    """Looks at the first letters only."""

    def row(self, text: str, role: str) -> Any:
        return super().row(text[:2], role)


class Popping(Letters):
    def encode(self, texts: list[str], role: str) -> Any:
        rows = super().encode(texts, role)
        texts.clear()
        return rows


EMBEDDERS: dict[str, Callable[[], Any]] = {
    "one_row_per_text": Missing,
    "rows_of_numbers": Spelling,
    "one_length": Growing,
    "finite_numbers": Infinite,
    "unit_rows_after_scaling": Zero,
    "same_text_same_row": Numbered,
    "same_row_alone_and_in_a_batch": Centred,
    "same_row_in_any_order": Ordered,
    "both_roles": OneRole,
    "empty_text": NoEmpty,
    "awkward_texts": OnlyLatin,
    "same_rows_from_another_instance": Seeded,
    "distinct_texts_distinct_rows": Coarse,
    "texts_left_alone": Popping,
}


class OneAnswer(Overlap):
    def search(self, queries: list[str], k: int) -> list[Ranking]:
        return super().search(queries, k)[:1]


class Generous(Overlap):
    def one(self, query: str, k: int) -> Ranking:
        return super().one(query, k + 1)


class Twice(Overlap):
    """Gives its best chunk again, at the end."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k - 1) if k > 1 else super().one(query, k)
        if k == 1 or not len(found):
            return found
        return Ranking(np.append(found.chunks, found.chunks[0]), np.append(found.scores, found.scores[-1]))


class Beyond(Overlap):
    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k)
        return Ranking(found.chunks + len(self.texts), found.scores)


class Unscored(Overlap):
    """The last score is NaN."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k)
        return Ranking(found.chunks, np.where(np.arange(len(found)) == len(found) - 1, np.nan, found.scores))


class WorstFirst(Overlap):
    """A distance for a score: the smallest first."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k)
        return Ranking(found.chunks, -found.scores)


class Short(Overlap):
    def search(self, queries: list[str], k: int) -> list[Ranking]:
        if k > len(self.texts):
            raise IndexError("k is larger than the index")
        return super().search(queries, k)


class Patient(Overlap):
    """Takes any k."""

    def search(self, queries: list[str], k: int) -> list[Ranking]:
        return super().search(queries, max(k, 1))


class LastFirst(Overlap):
    """Equal scores in reverse order."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, len(self.texts))
        order = sorted(range(len(found)), key=lambda i: (-found.scores[i], -found.chunks[i]))[:k]
        return Ranking(found.chunks[order], found.scores[order])


class Fickle(Overlap):
    """Drops its best chunk when few are asked for."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k)
        return Ranking(found.chunks[1:], found.scores[1:]) if 1 < k < 5 and len(found) > 2 else found


class Drifting(Overlap):
    """Adds the number of searches so far to every score."""

    def score(self, query: str, text: str) -> float:
        score = super().score(query, text)
        return score + next(_calls) * 1e-9 * (score > 0)


class Crowded(Overlap):
    """Scores a query by its whole batch."""

    def search(self, queries: list[str], k: int) -> list[Ranking]:
        found = super().search(queries, k)
        return [Ranking(one.chunks, one.scores / len(queries)) for one in found]


class NeedsWords(Overlap):
    def score(self, query: str, text: str) -> float:
        return super().score(query, text) / len(query.strip("?! ").split())


class Silent(Overlap):
    """Never finds anything."""

    def one(self, query: str, k: int) -> Ranking:
        found = super().one(query, k)
        return Ranking(found.chunks[:0], found.scores[:0])


class Scaling(Overlap):
    """Changes the vectors that it was given."""

    def __init__(self, texts: Sequence[str], space: Any) -> None:
        super().__init__(texts, space)
        space.passages[:] *= 2


INDEXES: dict[str, Callable[..., Any]] = {
    "one_ranking_per_query": OneAnswer,
    "at_most_k": Generous,
    "each_chunk_once": Twice,
    "chunks_of_the_corpus": Beyond,
    "finite_scores": Unscored,
    "scores_fall": WorstFirst,
    "k_above_the_corpus": Short,
    "k_below_one_refused": Patient,
    "ties_in_corpus_order": LastFirst,
    "head_of_a_deeper_search": Fickle,
    "same_ranking_again": Drifting,
    "each_query_by_itself": Crowded,
    "empty_query": NeedsWords,
    "finds_a_chunk_by_its_text": Silent,
    "inputs_left_alone": Scaling,
}


class Inventing(Shared):
    """Puts a chunk that was no candidate in the last place."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        found = super().rerank(query, candidates, texts, k)
        others = sorted(set(range(len(texts))) - set(candidates.chunks.tolist()))
        return Ranking(np.append(found.chunks[:-1], others[-1:]), found.scores) if len(found) else found


class Doubling(Shared):
    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        found = super().rerank(query, candidates, texts, k)
        return Ranking(np.append(found.chunks[:-1], found.chunks[:1]), found.scores) if len(found) else found


class All(Shared):
    """Takes no notice of k."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        return super().rerank(query, candidates, texts, max(k, len(candidates)))


class NotANumber(Shared):
    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        found = super().rerank(query, candidates, texts, k)
        return Ranking(found.chunks, found.scores * np.nan)


class Rising(Shared):
    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        found = super().rerank(query, candidates, texts, k)
        return Ranking(found.chunks, -found.scores)


class Wandering(Shared):
    def score(self, query: str, text: str) -> float:
        return super().score(query, text) + next(_calls) * 1e-9


class Remembering(Shared):
    """Counts the words of the first question in every other one too."""

    first = ""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        self.first = self.first or query
        asked = query if query == self.first else f"{query} {self.first}"
        return super().rerank(asked, candidates, texts, k)


class NeedsCandidates(Shared):
    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        best = float(candidates.scores.max())
        return super().rerank(query if best else "", candidates, texts, k)


class NeedsQuery(Shared):
    def score(self, query: str, text: str) -> float:
        return super().score(query, text) / len(query.strip("?! ").split())


class Shifting(Shared):
    """Drops its best chunk when few are asked for."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        found = super().rerank(query, candidates, texts, k)
        return Ranking(found.chunks[1:], found.scores[1:]) if k < 5 else found


class NeedsMany(Shared):
    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        if k > len(candidates) > 0:
            raise IndexError("more chunks than candidates")
        return super().rerank(query, candidates, texts, k)


class Sorting(Shared):
    """Sorts the candidates in place."""

    def rerank(self, query: str, candidates: Ranking, texts: Sequence[str], k: int) -> Ranking:
        candidates.chunks.sort()
        return super().rerank(query, candidates, texts, k)


RERANKERS: dict[str, Callable[[], Any]] = {
    "candidates_only": Inventing,
    "each_chunk_once": Doubling,
    "at_most_k": All,
    "finite_scores": NotANumber,
    "scores_fall": Rising,
    "same_order_again": Wandering,
    "each_query_by_itself": Remembering,
    "no_candidates": NeedsCandidates,
    "empty_query": NeedsQuery,
    "head_of_a_deeper_order": Shifting,
    "k_above_the_candidates": NeedsMany,
    "inputs_left_alone": Sorting,
}
