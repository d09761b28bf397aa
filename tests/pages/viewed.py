"""Results for page tests, made by hand: the numbers are plausible, not computed."""

from __future__ import annotations

from itertools import islice, product

import numpy as np

from evalcore.embedding.quality import EmbeddingQuality
from evalcore.grid import Configuration
from evalcore.results.results import FailedRow, Results
from evalcore.results.run_result import Cost, RunResult, Timings
from evalcore.results.warnings import RunWarning, Severity, WarningLog
from evalcore.scoring.cell import CellScores
from evalcore.specs import Spec

CUT_OFFS = (1, 3, 5, 10, 20)
SIZES = (512, 256, 128, 64, 1024, 384, 192, 96, 768, 48)
INDEXES = ("dense", "bm25", "hybrid", "dense:wide", "bm25:k1=2")
RERANKERS = (None, "lexical", "mmr", "mmr:0.5")
TYPES = ("fees", "policy <b>$x$</b>", None)
PARTIAL = "This run is partial: it finished 4 of 12 configurations (time budget 60 s)."
QUALITY = EmbeddingQuality(0.62, 0.11, 0.14, 21.5, 0.02, 384)


def results(cells: int = 8, questions: int = 30, partial: str = "") -> Results:
    """So many configurations over so many questions; with one failed and one warning of each severity."""
    ids = [f"q{i + 1}" for i in range(questions)]
    chosen = islice(product(SIZES, INDEXES, RERANKERS), cells)
    runs = tuple(run(place, ids, *axes) for place, axes in enumerate(chosen))
    return Results(
        runs=runs,
        qtypes={i: TYPES[n % len(TYPES)] for n, i in enumerate(ids)},
        questions={i: f"What does <b>{i}</b> cost, $5 or :smile:?" for i in ids},
        clusters={i: f"document {n // 5}" for n, i in enumerate(ids)},
        failed=(FailedRow("auto · recursive:8 · dense", "vectors hold NaN"),),
        warnings=WarningLog(
            (
                RunWarning(
                    "unresolved_gold", Severity.ERROR, "score", ids[0], f"{ids[0]}: not in any document"
                ),
                RunWarning("few_questions", Severity.WARNING, "score", "", "only a few questions"),
                RunWarning("document", Severity.WARNING, "parse", "policy", "page 2 has no text"),
                RunWarning(
                    "split_evidence", Severity.WARNING, "chunk", runs[0].label, "cuts evidence of 1 question"
                ),
                RunWarning("folded_combinations", Severity.INFO, "grid", "", "2 combinations were folded"),
            )
        ),
        cache_summary="106 of 132 lookups reused (80%), chunk 48/64, embed 2/4, parse 56/64",
        partial=partial,
    )


def run(place: int, ids: list[str], size: int, index: str, reranker: str | None) -> RunResult:
    draw = np.random.default_rng(place)
    found = (draw.random((len(CUT_OFFS), len(ids))) < 0.9 - 0.003 * place).astype(np.float64)
    by_cut_off = np.maximum.accumulate(found, axis=0)
    values = {f"recall@{k}": row for k, row in zip(CUT_OFFS, by_cut_off, strict=True)}
    values |= {f"ndcg@{k}": 0.9 * row for k, row in zip(CUT_OFFS, by_cut_off, strict=True)}
    values |= {
        "gold_recall@5": found[2],
        "char_recall@5": found[2],
        "tokens@5": np.full(len(ids), 5.0 * size),
    }
    uses_vectors = not index.startswith("bm25")
    configuration = Configuration(
        parser="auto",
        chunker=Spec("recursive", (("chunk_size", size),)),
        embedder="tfidf" if uses_vectors else None,
        index=index,
        reranker=reranker,
        candidates=50 if reranker else None,
        strategy=f"recursive:{size}",
        retriever=index + (f"+{reranker}@50" if reranker else ""),
    )
    return RunResult(
        configuration,
        CellScores(tuple(ids), values, unresolved=()),
        headline=5,
        chunks=100_000 // size,
        cost=Cost(0.0, 0.4 * size / 1000),
        timings=Timings(120.0 + place, 0.4, 0.5 + place / 10),
        index_bytes=1_000_000 // size,
        embedding_quality=QUALITY if uses_vectors else None,
    )
