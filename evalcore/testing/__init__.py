"""What authors of plug-ins run: named checks of chunkers, embedders, indexes and rerankers.

With pytest: `@pytest.mark.parametrize("check", chunker_checks())` above a test that calls `check.run(make)`;
without it: `check_chunker(make)`. Nothing here needs pytest.
"""

from __future__ import annotations

from evalcore.testing.base import Check, ConformanceError
from evalcore.testing.chunkers import check_chunker, chunker_checks
from evalcore.testing.embedders import check_embedder, embedder_checks
from evalcore.testing.indexes import check_index, index_checks
from evalcore.testing.rerankers import check_reranker, reranker_checks

__all__ = [
    "Check",
    "ConformanceError",
    "check_chunker",
    "check_embedder",
    "check_index",
    "check_reranker",
    "chunker_checks",
    "embedder_checks",
    "index_checks",
    "reranker_checks",
]
