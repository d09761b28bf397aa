"""The report contract (schema 1.x) as pydantic models; unknown fields are ignored when reading."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.6"
RetrieverName = str
RankingMetric = Literal["balanced", "recall_at_k", "mrr", "hit_rate_at_k"]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Model(BaseModel):
    """Base of all contract models: no NaN or infinity, unknown fields ignored."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Question(Model):
    """A question; the field order is the canonical JSON's."""

    id: str
    query: str
    gold_snippets: list[str | list[str]] = Field(default_factory=list)
    gold_answer: str | None = None
    tags: list[str] = Field(default_factory=list)
    reviewed: bool = True


class ChunkModel(Model):
    """A chunk; `char_span` is its half-open character range in the document's text."""

    id: str
    doc_id: str
    text: str
    token_count: int
    char_span: tuple[int, int]
    strategy: str
    contains_table: bool = False
    section_path: list[str] = Field(default_factory=list)


class RetrievedChunk(Model):
    """One retrieved chunk; `rank` counts from 1; `is_hit`: it holds a gold passage."""

    chunk: ChunkModel
    score: float
    rank: int
    is_hit: bool = False


class PerQuestion(Model):
    """How one question fared under one strategy and retriever."""

    question_id: str
    strategy: str
    retrieved: list[RetrievedChunk]
    hit: bool
    first_hit_rank: int | None = None
    split_across_chunks: bool = False
    gold_found_count: int = 0
    gold_total: int = 0
    found_gold_indices: list[int] = Field(default_factory=list)


class ChunkHealth(Model):
    """What a strategy's chunks look like, before anything is searched; sizes in cl100k_base tokens."""

    num_chunks: int
    tokens_min: int
    tokens_median: float
    tokens_mean: float
    tokens_max: int
    pct_tiny: Share
    pct_oversized: Share
    boundary_health: Share
    table_integrity: Share | None = None
    token_histogram: list[tuple[int, int]] = Field(default_factory=list)


class Parts(Model):
    """Addition 1.6: what a row is made of, each as a spec string; None where it has no part."""

    parser: str
    chunker: str
    embedder: str | None
    index: str
    reranker: str | None
    candidates: int | None


class StrategyResult(Model):
    """One row of the table: a strategy under a retriever."""

    strategy: str
    retriever: RetrieverName = "dense"
    config: dict[str, Any] = Field(default_factory=dict)
    recall_at_k: float
    hit_rate_at_k: float
    mrr: float
    precision_at_k: float
    retrieved_tokens_at_k: float = 0.0
    context_efficiency: float = 0.0
    balanced_score: float = 0.0
    ci95: tuple[float, float] | None = None
    chunk_health: ChunkHealth
    per_question: list[PerQuestion] = Field(default_factory=list)
    parts: Parts | None = None


class Margin(Model):
    """Leader minus runner-up, mean per-question recall, with its paired 95 % interval."""

    runner_up: str
    difference: float
    ci95: tuple[float, float]


class ByDocument(Model):
    """What the leader comes to when whole documents are drawn with all questions about them.

    `probability_best` is its share of such resamples, `ci95` the interval of its margin.
    """

    documents: int
    probability_best: float
    ci95: tuple[float, float]


class AxisVerdict(Model):
    """The decision on one axis; `by_document` where several questions ask about one document."""

    axis: Literal["chunking", "retrieval"]
    decided: bool
    winner: str | None = None
    leader: str
    probability_best: dict[str, float] = Field(default_factory=dict)
    in_play: list[str] = Field(default_factory=list)
    ruled_out: list[str] = Field(default_factory=list)
    margin: Margin | None = None
    questions_to_separate: int | None = None
    held: str | None = None
    by_document: ByDocument | None = None


class Verdict(Model):
    """The decision as data; `retrieval` only when retrievers were compared."""

    chunking: AxisVerdict
    retrieval: AxisVerdict | None = None


class CorpusSummary(Model):
    """Where the numbers come from."""

    num_documents: int
    num_documents_with_text: int | None = None
    documents: list[str] = Field(default_factory=list)
    num_questions: int
    num_scored_questions: int
    embedding_model: str
    embedding_model_revision: str | None = None
    top_k: int
    fuzzy_threshold: float | None = None
    ranking_metric: str
    retrieval_modes: list[str] = Field(default_factory=lambda: ["dense"])
    seed: int | None = None
    balanced_lambda: float | None = None
    embedding_prefixes: bool | None = None
    detected_languages: dict[str, str] = Field(default_factory=dict)
    queries: dict[str, str] = Field(default_factory=dict)
    chunklab_version: str | None = None
    corpus_sha256: str | None = None
    questions_sha256: str | None = None


class FailedCell(Model):
    """Addition 1.6: a row that could not be computed, and why."""

    strategy: str
    retriever: str
    reason: str


class VizSpan(Model):
    """Half-open character range of a gold passage and whether one chunk holds it."""

    question_id: str
    start: int
    end: int
    status: Literal["clean", "split"]


class VizStrategy(Model):
    """Where a strategy cuts the sample document: chunk starts and the last end."""

    strategy: str
    boundaries: list[int]
    gold_markers: list[VizSpan]


class Viz(Model):
    """Cuts and gold passages of the first document."""

    doc_id: str
    doc_length: int
    strategies: list[VizStrategy]


class EvalReport(Model):
    """report.json."""

    schema_version: str = SCHEMA_VERSION
    corpus_summary: CorpusSummary
    strategy_results: list[StrategyResult]
    recommendation: str
    verdict: Verdict | None = None
    warnings: list[str] = Field(default_factory=list)
    generated_at: str
    viz: Viz | None = None
    failed: list[FailedCell] = Field(default_factory=list)
    complete: bool = True
    program: str | None = None
