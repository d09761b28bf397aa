"""Every metric of the views for one cell, question by question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalItem
from evalcore.scoring.matching import Matcher
from evalcore.scoring.metrics import measure
from evalcore.scoring.overlap import merged, shared, size
from evalcore.scoring.relevance import ChunkSpans, Judged, Located, judge, locate
from evalcore.text.span import Span
from evalcore.text.tokens import CL100K, get_tokenizer

Floats = npt.NDArray[np.float64]
TokenRange = tuple[int, int]


@dataclass(frozen=True)
class CellScores:
    """Scores of one cell. `question_ids` are the questions with gold, in the set's order.

    `values` has an array per metric with an entry per question, NaN where the question does not count for it:
    ranking metrics leave out questions without a relevant chunk, character and token metrics those whose
    evidence was not located. `unresolved`, `unreachable` and `split` are ids of questions: evidence that no
    document holds, located evidence that no chunk holds, a passage that only several chunks hold together.
    """

    question_ids: tuple[str, ...]
    values: Mapping[str, Floats]
    unresolved: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    split: tuple[str, ...] = ()

    def mean(self, metric: str) -> float | None:
        """Return the mean over the questions that count; None when the metric was not measured on any."""
        values = self.values.get(metric)
        if values is None:
            return None
        counted = values[~np.isnan(values)]
        return float(counted.mean()) if len(counted) else None

    @property
    def evidence_resolvable(self) -> float:
        """Questions whose evidence was located / questions with gold, 0..1."""
        return 1.0 - len(self.unresolved) / len(self.question_ids) if self.question_ids else 0.0


class Evidence:
    """The places of all questions' gold in a corpus as one parser reads it, each looked up once."""

    def __init__(self, items: Sequence[EvalItem], corpus: Corpus) -> None:
        self.located: dict[str, Located | None] = {item.id: locate(item, corpus) for item in items}
        self._texts = {document.id: document.text for document in corpus}
        self._tokens: dict[str, npt.NDArray[np.int64]] = {}

    def tokens_of(self, span: Span) -> TokenRange:
        """Return the range of the document's cl100k_base tokens that a span touches."""
        if span.doc_id not in self._tokens:
            self._tokens[span.doc_id] = get_tokenizer(CL100K).offsets(self._texts[span.doc_id])
        offsets = self._tokens[span.doc_id]
        first = np.searchsorted(offsets[:, 1], span.start, side="right")
        last = np.searchsorted(offsets[:, 0], span.end, side="left")
        return int(first), max(int(first), int(last))


class JudgedChunks:
    """A chunk set against the evidence: the same for every cell that searches these chunks."""

    def __init__(
        self, chunk_set: ChunkSet, evidence: Evidence, policy: str = "coverage", threshold: float = 0.5
    ) -> None:
        self.chunk_set = chunk_set
        self.evidence = evidence
        spans = ChunkSpans([chunk.span for chunk in chunk_set.chunks])
        self.judged: dict[str, Judged] = {
            question: judge(located, spans, policy, threshold)
            for question, located in evidence.located.items()
            if located is not None
        }
        self._tokens: dict[int, TokenRange] = {}

    def tokens_of(self, position: int) -> TokenRange:
        """Return the range of its document's tokens that a chunk touches."""
        if position not in self._tokens:
            self._tokens[position] = self.evidence.tokens_of(self.chunk_set.chunks[position].span)
        return self._tokens[position]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a cell brought back for a question: chunk positions, best first, as deep as they were kept.

    `hits` are those among the first `top_k` that hold a passage by the report contract.
    """

    item: EvalItem
    ranking: tuple[int, ...]
    hits: tuple[int, ...]
    found: int


def score_cell(
    ranked: Sequence[Ranked],
    chunks: JudgedChunks,
    matcher: Matcher,
    *,
    cut_offs: Iterable[int],
    headline: int,
    top_k: int,
) -> CellScores:
    """Score a cell's rankings at all `cut_offs`, and at the `headline`'s alone what costs more to count.

    `top_k` is the depth to which the report contract judged the rankings: `gold_recall` is measured up to it.

    Raises:
        InputError: a ranking names a chunk twice.
    """
    cut_offs = sorted({*cut_offs, headline})
    judged = chunks.judged
    rows = []
    for one in ranked:
        row = _passages(one, chunks, headline) if one.item.id in judged else {}
        if one.item.id in judged and judged[one.item.id].grades:
            row.update(measure(one.ranking, judged[one.item.id].grades, cut_offs))
        row.update(_contract(one, chunks.chunk_set, matcher, headline, top_k))
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    ids = [one.item.id for one in ranked]
    return CellScores(
        question_ids=tuple(ids),
        values={name: np.array([row.get(name, np.nan) for row in rows]) for name in names},
        unresolved=tuple(i for i in ids if i not in judged),
        unreachable=tuple(i for i in ids if i in judged and not judged[i].grades),
        split=tuple(i for i in ids if i in judged and judged[i].split),
    )


def _contract(
    one: Ranked, chunk_set: ChunkSet, matcher: Matcher, headline: int, top_k: int
) -> dict[str, float]:
    """Return recall as the report contract counts it, and the tokens handed over."""
    slots = one.item.slots
    values = {
        f"tokens@{headline}": float(sum(chunk_set.chunks[p].tokens for p in one.ranking[:headline])),
        f"gold_recall@{top_k}": one.found / len(slots),
    }
    if headline < top_k:
        # A slot can only be filled by a chunk that the contract's judge called a hit.
        texts = [chunk_set.chunks[p].text for p in one.ranking[:headline] if p in one.hits]
        filled = sum(any(matcher.contains(t, a.quote) for a in slot for t in texts) for slot in slots)
        values[f"gold_recall@{headline}"] = filled / len(slots)
    return values


def _passages(one: Ranked, chunks: JudgedChunks, k: int) -> dict[str, float]:
    """Return how much of the located passages the first k chunks hold, and how much else, overlaps once.

    Of the places that may fill a slot the one counts of which most was retrieved. Token IoU: tokens of the
    documents (cl100k_base) that passages and chunks both touch / tokens that either touches.
    """
    located = chunks.evidence.located[one.item.id] or ()
    retrieved_spans = [chunks.chunk_set.chunks[p].span for p in one.ranking[:k]]
    retrieved = merged((s.doc_id, s.start, s.end) for s in retrieved_spans)
    gold_spans = [
        max((place.span for place in slot), key=lambda s: shared(merged([_triple(s)]), retrieved))
        for slot in located
    ]
    gold = merged(_triple(span) for span in gold_spans)
    both, handed_over = shared(gold, retrieved), size(retrieved)
    tokens = merged((chunks.chunk_set.chunks[p].span.doc_id, *chunks.tokens_of(p)) for p in one.ranking[:k])
    gold_tokens = merged((s.doc_id, *chunks.evidence.tokens_of(s)) for s in gold_spans)
    common = shared(gold_tokens, tokens)
    union = size(gold_tokens) + size(tokens) - common
    return {
        f"char_recall@{k}": both / size(gold),
        f"char_precision@{k}": both / handed_over if handed_over else 0.0,
        f"token_iou@{k}": common / union if union else 0.0,
    }


def _triple(span: Span) -> tuple[str, int, int]:
    return span.doc_id, span.start, span.end
