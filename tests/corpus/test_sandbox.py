from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from evalcore.corpus import sandbox
from evalcore.corpus.limits import Limits
from evalcore.corpus.loading import read_files
from evalcore.corpus.sandbox import ReadingChild


def reading_processes() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "evalcore.corpus.child" in p.cmdline()]


def test_a_file_that_crashes_its_reader_is_one_line_and_the_rest_loads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "_MODULE", "tests.corpus.crashing_child")
    result = read_files([("a.md", b"text"), ("crash.md", b"text"), ("z.md", b"text")])
    assert [d.id for d in result.documents] == ["a", "z"]
    assert [s.line for s in result.skipped] == [
        "crash.md: its reader broke down on it (SIGSEGV); open the file and save it anew"
    ]


def test_one_process_serves_file_after_file_and_is_replaced_when_it_is_gone() -> None:
    child = ReadingChild(Limits())
    try:
        child.read("a.md", b"one")
        first = reading_processes()
        child.read("b.md", b"two")
        assert reading_processes() == first
        first[0].kill()
        first[0].wait()
        assert child.read("c.md", b"three").text == "three"
    finally:
        child.close()
    assert reading_processes() == []


def test_a_child_ends_when_its_parent_is_gone() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "evalcore.corpus.child"], stdin=subprocess.DEVNULL, timeout=20, check=False
    )
    assert ended.returncode == 0


def test_reading_in_a_child_imports_no_parser_here() -> None:
    script = (
        "import sys; from evalcore.corpus.loading import read_files; "
        "read_files([('a.pdf', b''), ('b.html', b'<p>x</p>'), ('c.docx', b'')]); "
        "heavy = {'pypdf', 'docx', 'bs4', 'lxml', 'py3langid', 'torch', 'streamlit'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
