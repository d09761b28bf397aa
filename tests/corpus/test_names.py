from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.corpus.names import clean_name, document_ids, refusal


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["a/one.md", "two.txt"], ["one", "two"]),
        (["2023/msa.md", "2024/msa.md"], ["2023/msa.md", "2024/msa.md"]),
        (["report.docx", "report.pdf", "x.md"], ["report.docx", "report.pdf", "x"]),
        (["msa.txt", "msa.txt"], ["msa", "msa (2)"]),
        (["msa.txt", "msa.txt", "msa (2).txt"], ["msa", "msa (3)", "msa (2)"]),
        (["a.md", "b/a.md", "b/a.md"], ["a.md", "b/a.md", "b/a.md (2)"]),
        (["0009_The_Reverend_Mr._Black.md"], ["0009_The_Reverend_Mr._Black"]),
        ([], []),
    ],
)
def test_ids_are_file_names_and_colliding_ones_take_their_path(names: list[str], ids: list[str]) -> None:
    assert document_ids(names) == ids


@given(st.lists(st.sampled_from(["a.md", "a.txt", "b/a.md", "a (2).md", "a.md.txt", "b.md", "a.md (2).md"])))
def test_ids_are_all_different_for_any_names(names: list[str]) -> None:
    ids = document_ids(names)
    assert len(set(ids)) == len(names)
    assert document_ids(names) == ids


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("../../evil.txt", "evil.txt"),
        ("/etc/passwd.txt", "etc/passwd.txt"),
        ("C:\\docs\\a.md", "C:/docs/a.md"),
        ("two\nlines.md", "two\ufffdlines.md"),
        ("bad\udcff.md", "bad\ufffd.md"),
        ("..", "unnamed"),
        ("<img src=x onerror=alert(1)>.md", "<img src=x onerror=alert(1)>.md"),
    ],
)
def test_a_name_is_a_label_in_one_line(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a/~$report.docx", "a lock file that Word leaves while a document is open, not a document"),
        (".notes.md", "hidden (a name that starts with a dot), so not read; rename it if it is a document"),
        (
            "data.csv",
            ".csv files are not read; expected one of .md, .markdown, .txt, .html, .htm, .pdf, .docx",
        ),
        (
            "README",
            "files without an extension are not read; "
            "expected one of .md, .markdown, .txt, .html, .htm, .pdf, .docx",
        ),
        ("A.PDF", None),
    ],
)
def test_names_that_are_never_read_say_why(name: str, reason: str | None) -> None:
    assert refusal(name) == reason
