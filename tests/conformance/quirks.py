"""What the published implementation does otherwise, so that nothing else may differ.

Its bm25 fills up with chunks of score 0, which also take part in its fusion; ours returns chunks that share
a word with the query (spec/results.md, section 3). Its fused ties are ordered by chunk id as a string, where
chunk 10 of a document stands before chunk 2; ours keep corpus order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalItem
from evalcore.retrieval.registry import build_retriever
from evalcore.run.record import CellResult, QuestionOutcome, RunRecord
from evalcore.scoring.matching import Matcher
from evalcore.scoring.outcome import score_question

Scored = list[tuple[int, float]]


def as_the_reference_ranks(record: RunRecord) -> RunRecord:
    """Return the record with bm25 and hybrid cells ranked as the published implementation ranks them."""
    cells = {cell.configuration.key: cell for cell in record.cells}
    ranked = [
        _again(record, cell, cells) if cell.configuration.index != "dense" else cell for cell in record.cells
    ]
    return replace(record, cells=tuple(ranked))


def _again(record: RunRecord, cell: CellResult, cells: dict[str, CellResult]) -> CellResult:
    strategy = cell.configuration.strategy
    chunk_set, k = record.chunk_sets[strategy], record.inputs.settings.retrieval.top_k
    items = record.inputs.evalset.scored
    words = _filled(chunk_set, items, max(20, 4 * k))
    if cell.configuration.index == "bm25":
        rankings = [ranking[:k] for ranking in words]
    else:
        vectors = _dense(record, strategy, max(20, 4 * k))
        ids = _ids(chunk_set)
        rankings = [_fused(pair, ids, k) for pair in zip(vectors, words, strict=True)]
    matcher = Matcher(record.inputs.settings.eval.fuzzy_threshold)
    outcomes = [_outcome(i, r, chunk_set, matcher) for i, r in zip(items, rankings, strict=True)]
    return replace(cell, outcomes=tuple(outcomes))


def _filled(chunk_set: ChunkSet, items: Sequence[EvalItem], depth: int) -> list[Scored]:
    found = build_retriever("bm25", chunk_set.texts).search([i.question for i in items], depth)
    rankings = []
    for ranking in found:
        pairs = list(zip(ranking.chunks.tolist(), ranking.scores.tolist(), strict=True))
        rest = (c for c in range(len(chunk_set)) if c not in set(ranking.chunks.tolist()))
        rankings.append((pairs + [(c, 0.0) for c in rest])[:depth])
    return rankings


def _dense(record: RunRecord, strategy: str, depth: int) -> list[Scored]:
    from tests.conformance.runs import default_space

    chunk_set = record.chunk_sets[strategy]
    questions = [item.question for item in record.inputs.evalset.scored]
    found = build_retriever("dense", chunk_set.texts, default_space(chunk_set.texts)).search(questions, depth)
    return [list(zip(r.chunks.tolist(), r.scores.tolist(), strict=True)) for r in found]


def _fused(rankings: Iterable[Scored], ids: Sequence[str], k: int) -> Scored:
    ranks: dict[int, list[int]] = {}
    for ranking in rankings:
        for rank, (chunk, _) in enumerate(ranking, start=1):
            ranks.setdefault(chunk, []).append(rank)
    scores = {chunk: sum(Fraction(1, 60 + rank) for rank in found) for chunk, found in ranks.items()}
    order = sorted(scores, key=lambda chunk: (-scores[chunk], min(ranks[chunk]), ids[chunk]))
    return [(chunk, float(scores[chunk])) for chunk in order[:k]]


def _ids(chunk_set: ChunkSet) -> list[str]:
    numbers: Counter[str] = Counter()
    ids = []
    for chunk in chunk_set.chunks:
        ids.append(f"{chunk.span.doc_id}:{numbers[chunk.span.doc_id]}")
        numbers[chunk.span.doc_id] += 1
    return ids


def _outcome(item: EvalItem, ranking: Scored, chunk_set: ChunkSet, matcher: Matcher) -> QuestionOutcome:
    scored = score_question(item, [chunk_set.chunks[chunk] for chunk, _ in ranking], matcher)
    return QuestionOutcome(
        question_id=item.id,
        chunks=tuple(chunk for chunk, _ in ranking),
        scores=tuple(score for _, score in ranking),
        is_hit=scored.is_hit,
        found=scored.found,
        slots=len(item.slots),
        first_hit_rank=scored.first_hit_rank,
        split=scored.split,
        tokens=scored.tokens,
        found_tokens=scored.found_tokens,
    )


def table_integrity_with_line_ends(corpus: Corpus, chunk_set: ChunkSet) -> float | None:
    """Return the share of tables inside one chunk where a table includes the line end after its last row.

    The published implementation counts so; a splitter that strips its chunks then never holds a table whole
    that ends a chunk.
    """
    whole = total = 0
    for document in corpus:
        spans = [c.span for c in chunk_set.chunks if c.span.doc_id == document.id]
        for table in document.tables:
            end = min(table.end + 1, len(document.text))
            total += 1
            whole += any(s.start <= table.start and end <= s.end for s in spans)
    return whole / total if total else None
