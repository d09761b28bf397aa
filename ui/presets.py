"""Grids to begin with, as settings."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.settings import GridSettings, Settings


@dataclass(frozen=True, slots=True)
class Preset:
    """A grid by name, with a line on what it answers."""

    name: str
    line: str
    grid: GridSettings

    def on(self, settings: Settings) -> Settings:
        """Return settings with this grid and what they say of scoring."""
        embedder = next((name for name in self.grid.embedder if name != "tfidf"), settings.embedding.model)
        model = settings.embedding.model_copy(update={"model": embedder})
        return Settings(
            embedding=model, eval=settings.eval, grid=self.grid, budget_seconds=settings.budget_seconds
        )


MODEL = "sentence-transformers/all-MiniLM-L6-v2"
SIZES = ("recursive:128", "recursive:256", "recursive:512", "recursive:1024")
PRESETS = (
    Preset(
        "Quick look",
        "Two sizes by words: an answer in seconds, without a model.",
        GridSettings(
            chunker=("recursive:512", "recursive:128"),
            embedder=("tfidf",),
            index=("bm25", "dense"),
            mode="factorial",
            k=5,
            headline="recall@5",
        ),
    ),
    Preset(
        "Chunking study",
        "Ways and sizes of cutting under one way of searching.",
        GridSettings(
            chunker=(*SIZES, "sentence", "structure:512"),
            embedder=(MODEL,),
            index=("hybrid",),
            mode="factorial",
            k=5,
            headline="recall@5",
        ),
    ),
    Preset(
        "Retriever study",
        "Ways of searching and ordering under one way of cutting.",
        GridSettings(
            chunker=("recursive:256",),
            embedder=(MODEL, "tfidf"),
            index=("dense", "bm25", "hybrid"),
            reranker=(None, "lexical", "mmr"),
            mode="factorial",
            k=5,
            headline="recall@5",
        ),
    ),
    Preset(
        "Everything",
        "Cutting, embedding, searching and ordering, all with all; it takes a while.",
        GridSettings(
            chunker=(*SIZES, "sentence", "structure:512"),
            embedder=(MODEL, "tfidf"),
            index=("dense", "bm25", "hybrid"),
            reranker=(None, "lexical"),
            mode="factorial",
            k=5,
            headline="recall@5",
        ),
    ),
)
