"""Compare what is predicted of a run with what it takes: `.venv/bin/python benchmarks/estimates.py [DATA]`.

Each estimate and each run has a process of its own; DATA is the folder with the public corpora
(default: ../shared/data).
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from evalcore.corpus.document import Corpus
from evalcore.corpus.loading import read_folder
from evalcore.evalset.files import read_questions
from evalcore.evalset.items import EvalSet
from evalcore.evaluation import evaluate_results
from evalcore.run.forecast import estimate
from evalcore.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
WORDS = {
    "chunker": ["recursive:512", "sentence:5"],
    "embedder": ["tfidf"],
    "index": ["dense", "bm25", "hybrid"],
    "reranker": [None, "lexical"],
    "mode": "factorial",
}
GRIDS = {"words": {"grid": WORDS}, "model": {}}
CASES = (
    ("chroma", "words"),
    ("hotpotqa100", "words"),
    ("tatqa", "words"),
    ("evidence_inference", "model"),
    ("tatqa", "model"),
)


def load(folder: Path) -> tuple[Corpus, EvalSet]:
    """Read a public corpus and its questions."""
    questions = next(path for path in sorted(folder.iterdir()) if path.stem == "questions")
    corpus = Corpus(tuple(read_folder(folder / "docs").documents))
    return corpus, read_questions(questions.name, questions.read_bytes())


def predicted(corpus: Corpus, evalset: EvalSet, settings: Settings) -> dict[str, float]:
    start = time.perf_counter()
    found = estimate(corpus, settings, evalset.scored)
    took = time.perf_counter() - start
    return {"seconds": found.seconds, "memory": found.memory, "tokens": found.tokens, "took": took}


def real(corpus: Corpus, evalset: EvalSet, settings: Settings) -> dict[str, float]:
    start = time.perf_counter()
    results = evaluate_results(corpus, evalset, settings)
    seconds = time.perf_counter() - start
    if not len(results):
        raise AssertionError("a run without results measures nothing")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "memory": peak}


def in_a_process(data: Path, case: tuple[str, str], what: str) -> dict[str, float]:
    """Measure one thing in a new process."""
    command = [sys.executable, __file__, str(data), *case, what]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def table(data: Path) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [
        "| corpus | grid | time predicted | real | ratio | memory predicted | real | ratio | estimate took |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for case in CASES:
        said, was = (in_a_process(data, case, what) for what in ("predicted", "real"))
        time_ratio, memory_ratio = (said[key] / was[key] for key in ("seconds", "memory"))
        lines.append(
            f"| {' | '.join(case)} | {said['seconds']:.1f} s | {was['seconds']:.1f} s | {time_ratio:.2f} | "
            f"{said['memory'] / 1e6:.0f} MB | {was['memory'] / 1e6:.0f} MB | {memory_ratio:.2f} | "
            f"{said['took']:.1f} s |"
        )
    return lines


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    if len(sys.argv) < 3:
        print("\n".join(table(data)))
        return
    corpus, evalset = load(data / sys.argv[2])
    measure = {"predicted": predicted, "real": real}[sys.argv[4]]
    print(json.dumps(measure(corpus, evalset, Settings.from_dict(GRIDS[sys.argv[3]]))))


if __name__ == "__main__":
    main()
