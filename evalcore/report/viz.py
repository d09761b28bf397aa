"""Where each strategy cuts the first document, and which gold passages it cuts apart."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.chunking.base import ChunkSet
from evalcore.corpus.document import Document
from evalcore.evalset.items import EvalSet
from evalcore.models import Viz, VizSpan, VizStrategy
from evalcore.text.normal import fold, normalise
from evalcore.text.numbers import find_exact


def sample_document(document: Document, evalset: EvalSet, chunk_sets: Mapping[str, ChunkSet]) -> Viz:
    """Describe one document under every strategy; gold passages are located by their normal form."""
    places = _gold_places(document, evalset)
    strategies = []
    for strategy, chunk_set in chunk_sets.items():
        ranges = [(c.span.start, c.span.end) for c in chunk_set.chunks if c.span.doc_id == document.id]
        strategies.append(
            VizStrategy(
                strategy=strategy,
                boundaries=sorted({start for start, _ in ranges} | {max((e for _, e in ranges), default=0)}),
                gold_markers=[
                    VizSpan(
                        question_id=question,
                        start=start,
                        end=end,
                        status="clean" if any(s <= start and end <= e for s, e in ranges) else "split",
                    )
                    for question, start, end in places
                ],
            )
        )
    return Viz(doc_id=document.id, doc_length=len(document.text), strategies=strategies)


def _gold_places(document: Document, evalset: EvalSet) -> list[tuple[str, int, int]]:
    normal = normalise(document.text)
    found = []
    for item in evalset.scored:
        for slot in item.slots:
            for anchor in slot:
                quote = fold(anchor.quote)
                place = find_exact(quote, normal.text) if quote else None
                if place is not None:
                    found.append((item.id, *normal.original(place, place + len(quote))))
    return found
