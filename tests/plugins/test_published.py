"""Plug-ins under entry points: found without an installer, and one that is broken breaks nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.errors import SettingsError
from evalcore.plugins import problems
from evalcore.retrieval.rerank import RERANKERS
from tests.plugins.support import EXAMPLE, ROOT, publish, publish_example

DOCUMENT = """# Fees

A late return costs 15 dollars.

A lost card costs 4 dollars.
"""
QUESTIONS = """questions:
  - id: late
    query: What does a late return cost?
    gold_snippets: [A late return costs 15 dollars.]
  - id: lost
    query: What does a lost card cost?
    gold_snippets: [A lost card costs 4 dollars.]
"""
GOOD = "def make(size=3):\n    return lambda text: [(0, len(text))]\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder on the path of this process."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def python(site: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_is_found_with_what_it_declares(site: Path) -> None:
    publish_example(site)
    method = CHUNKERS.get("paragraphs")
    assert (method.source, method.version) == ("evalgrid-example 0.1.0", 1)
    assert [(p.name, p.low, p.main) for p in method.parameters] == [("characters", 1, True)]
    assert "rare-words" in RERANKERS.names()
    assert problems() == ()


def test_the_command_line_runs_the_settings_of_the_example(site: Path, tmp_path: Path) -> None:
    publish_example(site)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "fees.md").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "questions.yaml").write_text(QUESTIONS, encoding="utf-8")
    config = (
        (EXAMPLE / "settings.yaml").read_text(encoding="utf-8").replace("paragraphs:800", "paragraphs:40")
    )
    (tmp_path / "settings.yaml").write_text(config, encoding="utf-8")
    given = {
        "--docs": "docs",
        "--questions": "questions.yaml",
        "--config": "settings.yaml",
        "--out": "out",
    }
    options = [part for option, name in given.items() for part in (option, str(tmp_path / name))]
    done = python(site, ["-m", "evalcore", "run", *options])
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    rows = {(row["strategy"], row["retriever"]): row for row in report["strategy_results"]}
    assert sorted(rows) == [
        ("paragraphs", "bm25"),
        ("paragraphs", "bm25+rare-words@50"),
        ("recursive", "bm25"),
        ("recursive", "bm25+rare-words@50"),
    ]
    row = rows["paragraphs", "bm25+rare-words@50"]
    assert row["config"] == {"characters": 40}
    assert (row["parts"]["chunker"], row["parts"]["reranker"]) == ("paragraphs:40", "rare-words")
    # "# Fees" and the paragraph after it are 6 + 2 + 31 = 39 characters; with the last one it would be 69.
    assert row["chunk_health"]["num_chunks"] == 2
    assert row["recall_at_k"] == 1.0
    # Both paragraphs share words with both questions; "late return" and "lost card" stand in one each.
    assert row["mrr"] == 1.0


def test_the_tests_of_the_example_run_with_pytest_and_name_the_checks(site: Path) -> None:
    publish_example(site)
    files = str(EXAMPLE / "tests")
    done = python(
        site, ["-m", "pytest", "-c", os.devnull, "--rootdir", files, "-p", "no:cacheprovider", "-v", files]
    )
    assert done.returncode == 0, done.stdout
    assert "test_paragraphs[80-covers_the_text] PASSED" in done.stdout
    assert "test_rare_words[1.0-scores_fall] PASSED" in done.stdout


BROKEN = {
    "no-module": ("not_there:make", "ModuleNotFoundError: No module named 'not_there'"),
    "no-name": ("good:other", "AttributeError: module 'good' has no attribute 'other'"),
    "fails": ("fails:make", "RuntimeError: bad luck twice"),
    "ends": ("ends:make", "SystemExit: 3"),
    "text": ("ends_not:make", "found str; expected a function, a class or a Plugin"),
    "needs": ("good:needs", "missing a required argument: 'size'"),
    "fixed": ("good:make", "chunker 'fixed' is there already, a part of this program"),
    "sentence:1": ("good:make", "reads like 'sentence' with a parameter"),
    "good@5": ("good:make", "this name cannot be used"),
}


@pytest.fixture
def broken(site: Path) -> Path:
    modules = {
        "good": f"{GOOD}def needs(size):\n    return None\n",
        "fails": "raise RuntimeError('bad luck\\ntwice')\n",
        "ends": "import sys\nsys.exit(3)\n",
        "ends_not": "make = 'a text'\n",
    }
    entries = {name: value for name, (value, _) in BROKEN.items()}
    publish(site, "odd-cuts", modules, {"evalgrid.chunkers": {**entries, "good": "good:make"}})
    return site


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_a_problem_that_names_its_distribution_and_entry_point(
    broken: Path, name: str
) -> None:
    _, reason = BROKEN[name]
    found = [line for line in CHUNKERS.problems if f"{name} = " in line or f"'{name}'" in line]
    assert len(found) == 1
    assert reason in found[0]
    assert "odd-cuts 0.1.0" in found[0]
    assert "\n" not in found[0]


def test_broken_ones_break_nothing_else(broken: Path) -> None:
    assert len(CHUNKERS.problems) == len(BROKEN)
    assert "good" in CHUNKERS.names()
    assert CHUNKERS.get("fixed").source == ""
    assert CHUNKERS.parse("sentence:1").name == "sentence"


def test_whoever_asks_for_a_broken_one_hears_why(broken: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"unknown chunker 'fails'; known: .*RuntimeError: bad luck twice"
    ):
        CHUNKERS.parse("fails:3")


def test_of_two_of_one_name_the_first_is_used_and_the_other_is_said(site: Path) -> None:
    publish(site, "a-cuts", {"good": GOOD}, {"evalgrid.chunkers": {"mine": "good:make"}})
    publish(site, "b-cuts", {"other": GOOD}, {"evalgrid.chunkers": {"mine": "other:make"}})
    assert CHUNKERS.get("mine").source == "a-cuts 0.1.0"
    assert CHUNKERS.problems == (
        "chunker 'mine' is there already, a-cuts 0.1.0; choose another name (b-cuts 0.1.0)",
    )


def test_plugins_are_looked_for_once_and_only_when_an_unknown_name_is_asked_for(site: Path) -> None:
    counting = "import pathlib\nwith pathlib.Path(__file__).with_name('n').open('a') as f: f.write('x')\n"
    publish(site, "counted", {"counted": counting + GOOD}, {"evalgrid.chunkers": {"mine": "counted:make"}})
    CHUNKERS.build(CHUNKERS.parse("recursive:100"))
    assert not (site / "n").exists()
    for _ in range(3):
        assert "mine" in CHUNKERS.names()
        assert CHUNKERS.parse("mine:4").values == {"size": 4}
    assert (site / "n").read_text() == "x"


def test_a_plugin_may_register_others_while_it_is_imported(site: Path) -> None:
    code = f"from evalcore.plugins import register_chunker\n{GOOD}register_chunker('second', make)\n"
    publish(site, "pair", {"pair": code}, {"evalgrid.chunkers": {"first": "pair:make"}})
    assert {"first", "second"} <= set(CHUNKERS.names())
    assert CHUNKERS.problems == ()
