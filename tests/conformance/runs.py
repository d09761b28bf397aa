"""Runs whose numbers are compared, their vectors embedded once per session."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evalcore.corpus.document import Corpus
from evalcore.embedding.base import VectorSpace
from evalcore.embedding.cache import VectorCache
from evalcore.embedding.registry import build_embedder
from evalcore.evalset.items import EvalSet
from evalcore.run.engine import run_grid
from evalcore.run.memory import MemorySink
from evalcore.run.record import RunInputs, RunRecord
from evalcore.settings import DEFAULT_MODEL, Settings


@cache
def vector_file() -> Path:
    """Return the session's vector cache."""
    return Path(tempfile.mkdtemp(prefix="evalgrid-vectors-")) / "vectors.sqlite"


def default_space(texts: Sequence[str]) -> VectorSpace:
    """Embed texts with the default model."""
    return build_embedder(DEFAULT_MODEL, cache=VectorCache(vector_file())).space(texts)


def settings(size: int, overlap: int, recursive: str = "langchain:recursive") -> Settings:
    """Return the settings of the published numbers: two strategies under three retrievers."""
    params = {"chunk_size": size, "overlap": overlap}
    return Settings.from_dict(
        {
            "retrieval": {"compare": ["dense", "bm25", "hybrid"], "top_k": 5},
            "eval": {"ranking_metric": "recall_at_k"},
            "strategies": [{"name": name, "params": params} for name in ("fixed", recursive)],
        }
    )


def run(corpus: Corpus, evalset: EvalSet, chosen: Settings) -> RunRecord:
    """Run a grid in memory."""
    inputs, sink = RunInputs(corpus, evalset, chosen), MemorySink()
    run_grid(inputs, sink, cache_path=vector_file())
    return sink.record(inputs)
