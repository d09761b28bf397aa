"""The published implementation beside ours on the example corpus, and each reading the other's reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.corpus.loading import read_folder
from evalcore.evalset.files import read_questions
from evalcore.reading import read_report
from evalcore.report.build import build_report, program_version
from evalcore.run.record import RunRecord
from tests.conformance.comparing import check_run
from tests.conformance.oracle import Oracle, load, reduced
from tests.conformance.runs import run, settings

EXAMPLE = Path(__file__).resolve().parents[2] / "examples"
QUESTIONS = EXAMPLE / "questions.yaml"


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    return Oracle(tmp_path_factory.mktemp("oracle"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's documents as Markdown: one text for both, whoever's PDF reader made it."""
    folder = tmp_path_factory.mktemp("texts")
    for document in read_folder(EXAMPLE / "docs").corpus:
        (folder / f"{document.id}.md").write_bytes(document.text.encode("utf-8"))
    return folder


@pytest.fixture(scope="module")
def theirs(oracle: Oracle, texts: Path) -> Path:
    """A report of theirs on the example: fixed and recursive under three retrievers."""
    out = oracle.home / "theirs"
    done = oracle.run(
        "run", "--docs", texts, "--questions", QUESTIONS, "--compare-retrievers", "--skip-validation",
        "--config", oracle.config(ranking_metric="recall_at_k"), "--out", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return out / "report.json"


def our_run(texts: Path, recursive: str) -> RunRecord:
    evalset = read_questions(QUESTIONS.name, QUESTIONS.read_bytes())
    return run(read_folder(texts).corpus, evalset, settings(512, 64, recursive))


@pytest.fixture(scope="module")
def ours(texts: Path, oracle: Oracle) -> Path:
    """A report of ours in a file, with strategies that the other program knows by name."""
    path = oracle.home / "ours.json"
    path.write_text(build_report(our_run(texts, "recursive")).model_dump_json(), encoding="utf-8")
    return path


def test_both_give_the_same_numbers_on_the_example(texts: Path, theirs: Path) -> None:
    check_run(our_run(texts, "langchain:recursive"), reduced(load(theirs)))


def test_the_sample_document_is_drawn_with_the_same_cuts_and_marks(texts: Path, theirs: Path) -> None:
    viz = build_report(our_run(texts, "langchain:recursive"), details=False).viz
    expected = load(theirs)["viz"]
    assert viz is not None
    assert (viz.doc_id, viz.doc_length) == (expected["doc_id"], expected["doc_length"])
    for ours, reference in zip(viz.strategies, expected["strategies"], strict=True):
        assert ours.boundaries == reference["boundaries"]
        assert [marker.model_dump() for marker in ours.gold_markers] == reference["gold_markers"]


def test_its_own_model_reads_our_report(oracle: Oracle, ours: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from chunklab.models import EvalReport\n"
        "r = EvalReport.model_validate_json(Path(sys.argv[1]).read_text())\n"
        "print(len(r.strategy_results), r.corpus_summary['chunklab_version'], r.verdict.chunking.leader)"
    )
    report = read_report(ours.read_bytes(), ours.name)
    assert report.verdict is not None
    expected = f"6 {program_version()} {report.verdict.chunking.leader}"
    assert oracle.python(code, ours).strip() == expected


def test_it_renders_its_page_from_our_report(oracle: Oracle, ours: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from chunklab.models import EvalReport\n"
        "from chunklab.report.html import write_html_report\n"
        "r = EvalReport.model_validate_json(Path(sys.argv[1]).read_text())\n"
        "print(write_html_report(r, sys.argv[2]))"
    )
    page = oracle.home / "page.html"
    oracle.python(code, ours, page)
    html = page.read_text(encoding="utf-8")
    assert "fixed" in html
    assert read_report(ours.read_bytes(), "ours").recommendation.split(".")[0][:20] in html


def test_as_a_baseline_only_the_programs_version_stands_against_it(
    oracle: Oracle, ours: Path, texts: Path
) -> None:
    done = oracle.run(
        "check", "--docs", texts, "--questions", QUESTIONS, "--baseline", ours, "--strategy", "fixed",
        "--config", oracle.config(ranking_metric="recall_at_k"), "--skip-validation",
    )  # fmt: skip
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 3, said
    assert program_version() in said
    for other in ("question", "top_k", "threshold"):
        assert f"different {other}" not in said


def test_we_read_its_report(theirs: Path) -> None:
    report = read_report(theirs.read_bytes(), theirs.name)
    assert len(report.strategy_results) == 6
    assert report.verdict is not None
    assert report.corpus_summary.chunklab_version == "0.5.0"
    assert len(report.strategy_results[0].per_question) == report.corpus_summary.num_scored_questions
