"""Equal inputs give the same bytes, whatever process, hash seed or cache."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore.models import EvalReport
from tests.acceptance.small import DOCUMENTS, OTHERS, write

RUN = (
    "import sys; from evalcore.cli import main; code = main(sys.argv[1:]); "
    "print('torch was', 'needed' if 'torch' in sys.modules else 'not needed'); sys.exit(code)"
)
ROOT = Path(__file__).resolve().parents[2]


def run(home: Path, seed: int, documents: Path, questions: Path, config: Path, out: Path) -> str:
    """Run the command line in a process of its own and return what it prints."""
    arguments = ["run", "--docs", documents, "--questions", questions, "--config", config, "--out", out]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, arguments)],
        env={**os.environ, "EVALGRID_HOME": str(home), "PYTHONHASHSEED": str(seed)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def undated(folder: Path) -> bytes:
    content = (folder / "report.json").read_bytes()
    without, times = re.subn(rb'"generated_at":"[^"]*"', b"", content)
    assert times == 1
    return without


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    return write(tmp_path_factory.mktemp("inputs"), DOCUMENTS, 256)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, inputs: tuple[Path, Path, Path]) -> Path:
    """A folder with the report and the home of a run that began with an empty cache."""
    folder = tmp_path_factory.mktemp("first")
    assert "torch was needed" in run(folder / "home", 1, *inputs, folder / "out")
    return folder


def test_another_process_with_a_half_filled_cache_writes_the_same_bytes(
    tmp_path: Path, inputs: tuple[Path, Path, Path], first: Path
) -> None:
    mixed = write(tmp_path / "mixed", DOCUMENTS[:3] + OTHERS, 256)
    run(tmp_path / "home", 2, *mixed, tmp_path / "other")
    run(tmp_path / "home", 3, *inputs, tmp_path / "out")
    assert undated(tmp_path / "out") == undated(first / "out")


def test_with_every_vector_cached_no_model_is_loaded_and_the_bytes_are_the_same(
    tmp_path: Path, inputs: tuple[Path, Path, Path], first: Path
) -> None:
    assert "torch was not needed" in run(first / "home", 4, *inputs, tmp_path / "out")
    assert undated(tmp_path / "out") == undated(first / "out")


def test_the_run_was_worth_comparing(first: Path) -> None:
    report = EvalReport.model_validate_json((first / "out" / "report.json").read_bytes())
    assert len(report.strategy_results) == 9
    assert report.corpus_summary.num_scored_questions >= 20
    assert 0 < report.strategy_results[-1].recall_at_k < report.strategy_results[0].recall_at_k
