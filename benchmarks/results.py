"""Measure how results are made, compared, kept and read: `.venv/bin/python benchmarks/results.py`.

200 configurations and 500 questions, with rankings drawn at random. Ends with code 1 when reading takes more
than half a second.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evalcore.chunking.base import ChunkSet, chunk_corpus
from evalcore.corpus.document import Corpus, MediaType
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
from evalcore.grid import build_chunker, grid_of
from evalcore.results.build import build_results
from evalcore.results.pairs import all_pairs
from evalcore.results.results import Results
from evalcore.results.stored import read_results, write_results
from evalcore.run.record import CellMeasures, CellResult, QuestionOutcome, RunInputs, RunRecord
from evalcore.settings import Settings

QUESTIONS = 500
DOCUMENTS = 50
DEPTH = 20
LIMIT_SECONDS = 0.5
GRID: dict[str, Any] = {
    "chunker": [f"recursive:{size}" for size in range(40, 240, 10)],
    "embedder": "tfidf",
    "index": ["dense", "bm25"],
    "reranker": "mmr",
    "candidates": [20, 30, 40, 50, 60],
    "mode": "factorial",
    "k": 5,
    "headline": "recall@5",
}


def main() -> int:
    given = inputs()
    record = record_of(given)
    with timed("measured"):
        results = build_results(record)
    with timed("all pairs"):
        all_pairs(results, "recall@5")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.parquet"
        with timed("kept"):
            write_results(path, results, "stamp")
        print(f"{'size':<12} {path.stat().st_size / 1e6:8.2f} MB")
        before = memory()
        seconds, found = fastest(lambda: read_results(path, "stamp"))
        print(f"{'read':<12} {seconds:8.3f} s, {(memory() - before) / 1e6:.0f} MB")
    if found is None or found.leaderboard() != results.leaderboard():
        print("what was read is not what was kept", file=sys.stderr)
        return 1
    return int(seconds > LIMIT_SECONDS)


def inputs() -> RunInputs:
    """Return documents of numbered sentences and a question for each tenth of them."""
    each = QUESTIONS // DOCUMENTS
    texts = {f"d{d}": "\n\n".join(sentence(d, n) for n in range(10 * each)) for d in range(DOCUMENTS)}
    items = [
        EvalItem(f"q{d}-{n}", "Which?", [GoldAnchor(f"d{d}", sentence(d, 10 * n))])
        for d in range(DOCUMENTS)
        for n in range(each)
    ]
    corpus = Corpus.from_texts(texts, MediaType.MARKDOWN)
    return RunInputs(corpus, EvalSet("q", tuple(items)), Settings.from_dict({"grid": GRID}))


def sentence(document: int, number: int) -> str:
    return (
        f"Part {number} of document {document} says that its box number {number * 7} is in room {document}."
    )


def record_of(given: RunInputs) -> RunRecord:
    """Return a finished run whose rankings are drawn at random."""
    rng = np.random.default_rng(0)
    chunk_sets: dict[str, ChunkSet] = {}
    cells = []
    for configuration in grid_of(given.settings).configurations:
        if configuration.strategy not in chunk_sets:
            chunker = build_chunker(configuration.chunker)
            chunk_sets[configuration.strategy] = chunk_corpus(given.corpus, chunker)
        count = len(chunk_sets[configuration.strategy])
        rankings = [tuple(rng.permutation(count)[:DEPTH].tolist()) for _ in given.evalset.scored]
        outcomes = [
            QuestionOutcome(item.id, ranking[:5], (0.0,) * 5, (False,) * 5, (), 1, None, False, 0, 0)
            for item, ranking in zip(given.evalset.scored, rankings, strict=True)
        ]
        measures = CellMeasures(1.0, (1.0,) * len(outcomes), 1)
        cells.append(CellResult(configuration, tuple(outcomes), tuple(rankings), measures))
    return RunRecord(given, chunk_sets, tuple(cells), (), True)


@contextmanager
def timed(what: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    print(f"{what:<12} {time.perf_counter() - start:8.3f} s", flush=True)


def fastest(call: Callable[[], Results | None], rounds: int = 3) -> tuple[float, Results | None]:
    """Return the shortest time of some calls, and what the last one gave."""
    best, found = float("inf"), None
    for _ in range(rounds):
        start = time.perf_counter()
        found = call()
        best = min(best, time.perf_counter() - start)
    return best, found


def memory() -> int:
    """Return this process's resident bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


if __name__ == "__main__":
    sys.exit(main())
