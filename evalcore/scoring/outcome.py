"""One question against the chunks that came back for it: what was found, where, and what was cut apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from evalcore.chunking.base import Chunk
from evalcore.evalset.items import EvalItem, Slot
from evalcore.scoring.matching import Matcher
from evalcore.text.tokens import CL100K, get_tokenizer


@dataclass(frozen=True, slots=True)
class Outcome:
    """`is_hit` per chunk; `found` slot indices; `first_hit_rank` from 1; tokens in cl100k_base.

    `split`: a slot that no chunk holds would be found in two retrieved chunks that touch or overlap, joined.
    """

    is_hit: tuple[bool, ...]
    found: tuple[int, ...]
    first_hit_rank: int | None
    split: bool
    tokens: int
    found_tokens: int


def score_question(item: EvalItem, retrieved: Sequence[Chunk], matcher: Matcher) -> Outcome:
    """Score one ranking, best chunk first (report specification, section 3)."""
    holds = [[_fills(slot, chunk.text, matcher) for slot in item.slots] for chunk in retrieved]
    is_hit = tuple(any(slots) for slots in holds)
    found = tuple(s for s in range(len(item.slots)) if any(slots[s] for slots in holds))
    missing = [slot for s, slot in enumerate(item.slots) if s not in found]
    return Outcome(
        is_hit=is_hit,
        found=found,
        first_hit_rank=is_hit.index(True) + 1 if any(is_hit) else None,
        split=bool(missing) and _is_split(missing, retrieved, matcher),
        tokens=sum(chunk.tokens for chunk in retrieved),
        found_tokens=sum(slot_tokens(item.slots[s]) for s in found),
    )


def slot_tokens(slot: Slot) -> int:
    """Return the tokens of the slot's shortest passage."""
    count = get_tokenizer(CL100K).count
    return min(count(anchor.quote) for anchor in slot)


def _fills(slot: Slot, text: str, matcher: Matcher) -> bool:
    return any(matcher.contains(text, anchor.quote) for anchor in slot)


def _is_split(missing: Sequence[Slot], retrieved: Sequence[Chunk], matcher: Matcher) -> bool:
    joined = [f"{a.text} {b.text}" for a, b in _neighbours(retrieved)]
    return any(_fills(slot, text, matcher) for text in joined for slot in missing)


def _neighbours(retrieved: Sequence[Chunk]) -> list[tuple[Chunk, Chunk]]:
    in_order = sorted(retrieved, key=lambda chunk: chunk.span)
    return [
        (first, second)
        for first, second in combinations(in_order, 2)
        if first.span.doc_id == second.span.doc_id and second.span.start <= first.span.end + 1
    ]
