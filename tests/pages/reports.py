"""Reports for page tests, made by hand: the numbers are plausible, not computed."""

from __future__ import annotations

from evalcore.models import (
    AxisVerdict,
    ChunkHealth,
    CorpusSummary,
    EvalReport,
    FailedCell,
    Margin,
    StrategyResult,
    Verdict,
)

STRATEGIES = ("recursive", "fixed", "structure", "semantic")
RETRIEVERS = ("hybrid", "dense", "bm25")


def health(chunks: int = 214, median: float = 486.0) -> ChunkHealth:
    return ChunkHealth(
        num_chunks=chunks,
        tokens_min=22,
        tokens_median=median,
        tokens_mean=median - 41.5,
        tokens_max=731,
        pct_tiny=0.08,
        pct_oversized=0.61,
        boundary_health=0.42,
        table_integrity=0.9,
        token_histogram=[(0, 6), (100, 11), (200, 14), (300, 22), (400, 58), (500, 96), (700, 7)],
    )


def row(strategy: str, retriever: str, recall: float, tokens: float = 2_412.4) -> StrategyResult:
    return StrategyResult(
        strategy=strategy,
        retriever=retriever,
        config={"chunk_size": 512, "overlap": 64},
        recall_at_k=recall,
        hit_rate_at_k=min(1.0, recall + 0.04),
        mrr=recall - 0.12,
        precision_at_k=0.21,
        retrieved_tokens_at_k=tokens,
        context_efficiency=0.03,
        balanced_score=recall - 0.02,
        ci95=(recall - 0.09, min(1.0, recall + 0.07)),
        chunk_health=health(),
        per_question=[],
    )


def chunking(*, decided: bool) -> AxisVerdict:
    return AxisVerdict(
        axis="chunking",
        decided=decided,
        winner="recursive" if decided else None,
        leader="recursive",
        probability_best={
            "recursive": 0.94 if decided else 0.61,
            "fixed": 0.04 if decided else 0.3,
            "structure": 0.02 if decided else 0.09,
            "semantic": 0.0,
        },
        in_play=["recursive", "fixed", "structure"],
        ruled_out=["semantic"],
        margin=Margin(runner_up="fixed", difference=0.03, ci95=(-0.013, 0.076)),
        questions_to_separate=None if decided else 230,
        held="hybrid",
    )


def retrieval() -> AxisVerdict:
    return AxisVerdict(
        axis="retrieval",
        decided=True,
        winner="hybrid",
        leader="hybrid",
        probability_best={"hybrid": 0.97, "dense": 0.03, "bm25": 0.0},
        in_play=["hybrid", "dense"],
        ruled_out=["bm25"],
        margin=Margin(runner_up="dense", difference=0.08, ci95=(0.02, 0.14)),
        questions_to_separate=None,
        held="recursive",
    )


def summary(**changes: object) -> CorpusSummary:
    values: dict[str, object] = {
        "num_documents": 16,
        "num_documents_with_text": 15,
        "documents": ["handbook", "contract"],
        "num_questions": 77,
        "num_scored_questions": 75,
        "embedding_model": "sentence-transformers/all-MiniLM-L6-v2",
        "top_k": 5,
        "fuzzy_threshold": 0.9,
        "ranking_metric": "balanced",
        "retrieval_modes": list(RETRIEVERS),
        "seed": 0,
        "balanced_lambda": 0.05,
        "embedding_prefixes": True,
        "chunklab_version": "0.1.0",
        "corpus_sha256": "5b11e55874107cfe691ce34cf5543db6d611ed1bef42f79c40c60acd31bbaab7",
        "questions_sha256": "29e1f11624bfad64fe33abe81c83a9e99353722eb9199554c5560135af77cb46",
    }
    return CorpusSummary.model_validate({**values, **changes})


def full(*, decided: bool = False, complete: bool = True) -> EvalReport:
    """Four strategies under three retrievers, ranked; one configuration failed when it is not complete."""
    rows = [
        row(strategy, retriever, 0.86 - 0.03 * place - 0.07 * step, 2_400.0 - 150 * place)
        for place, strategy in enumerate(STRATEGIES)
        for step, retriever in enumerate(RETRIEVERS)
    ]
    return EvalReport(
        corpus_summary=summary(),
        strategy_results=sorted(rows, key=lambda r: -r.balanced_score),
        recommendation="Chunking: no clear winner. recursive leads.\n\nRetrieval: use hybrid.",
        verdict=Verdict(chunking=chunking(decided=decided), retrieval=retrieval()),
        warnings=[
            "2 questions have no gold passage and are not scored",
            "scan.pdf has no text; it needs OCR",
        ],
        generated_at="2026-11-30T21:00:00+00:00",
        failed=[]
        if complete
        else [FailedCell(strategy="semantic", retriever="dense", reason="vectors hold NaN")],
        complete=complete,
        program="evalgrid",
    )


def one_cell() -> EvalReport:
    """One strategy, one retriever: nothing to compare."""
    lone = AxisVerdict(
        axis="chunking",
        decided=True,
        winner="fixed",
        leader="fixed",
        probability_best={"fixed": 1.0},
        in_play=["fixed"],
        ruled_out=[],
        margin=None,
        questions_to_separate=None,
        held=None,
    )
    return EvalReport(
        corpus_summary=summary(retrieval_modes=["dense"]),
        strategy_results=[row("fixed", "dense", 0.71)],
        recommendation="Chunking: only fixed was tried, so there is nothing to compare.",
        verdict=Verdict(chunking=lone),
        generated_at="2026-11-30T21:00:00+00:00",
    )


def foreign() -> EvalReport:
    """A report of an older program: no verdict, no intervals, few facts, and names that try to be markup."""
    bad = row("<img src=x onerror=alert(1)> $x^2$ :smile:", "dense", 0.5)
    return EvalReport(
        schema_version="1.0",
        corpus_summary=CorpusSummary(
            num_documents=3,
            num_questions=9,
            num_scored_questions=9,
            embedding_model="fake:$model$",
            top_k=5,
            ranking_metric="recall_at_k",
        ),
        strategy_results=[bad.model_copy(update={"ci95": None}), row("fixed", "dense", 0.4)],
        recommendation="Use <b>this</b> for $5 and :smile: [link](http://x)",
        warnings=["**bold** :red[warning]"],
        generated_at="2025-01-05T10:00:00Z",
    )
