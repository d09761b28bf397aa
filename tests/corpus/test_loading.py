from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from evalcore.corpus.limits import Limits
from evalcore.corpus.loading import LoadResult, read_files, read_folder
from evalcore.errors import DocumentError, RunCancelledError
from tests.corpus.files import pdf_of, saved, text_page, with_part, word_document, zipped

GOOD = ("good.md", b"# Good\n\nThe good text.\n")
SLOW_PAGE = b"BT /F1 12 Tf " + b"(x) Tj " * 3_000_000 + b"ET"


def lines(result: LoadResult) -> list[str]:
    return [skipped.line for skipped in result.skipped]


def children() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "evalcore.corpus.child" in p.cmdline()]


def test_bad_files_are_listed_and_the_rest_loads() -> None:
    files = [
        ("zero.pdf", b""),
        ("page.pdf", b"<html><body>renamed</body></html>"),
        ("~$report.docx", b"\x05Someone"),
        ("notes.md", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
        ("bad.txt", b"caf\xe9"),
        ("utf16.txt", "Grüße".encode("utf-16")),
        ("table.xlsx", zipped({"a": b"b"})),
        ("empty.txt", b""),
        GOOD,
    ]
    result = read_files(files)
    assert result.given == len(files)
    assert {d.id: d.text for d in result.documents} == {
        "bad": "café",
        "empty": "",
        "good": "# Good\n\nThe good text.\n",
        "utf16": "Grüße",
    }
    assert lines(result) == [
        "notes.md: is a PNG image, not text; give it the ending that fits, or leave it out",
        "page.pdf: is not a PDF: it begins with '<html><body>renamed<'; expected %PDF-",
        "table.xlsx: .xlsx files are not read; "
        "expected one of .md, .markdown, .txt, .html, .htm, .pdf, .docx",
        "zero.pdf: is not a PDF: it begins with nothing (0 bytes); expected %PDF-",
        "~$report.docx: a lock file that Word leaves while a document is open, not a document",
    ]


def test_two_files_of_one_name_have_two_ids() -> None:
    result = read_files([("msa.txt", b"first"), ("msa.txt", b"second")])
    assert [(d.id, d.text) for d in result.documents] == [("msa", "first"), ("msa (2)", "second")]
    assert len(result.corpus) == 2


def test_a_refused_file_takes_no_id_from_a_good_one() -> None:
    result = read_files([("msa.pdf", b""), ("msa.txt", b"text")])
    assert [d.id for d in result.documents] == ["msa"]


def test_documents_survive_the_way_through_the_child_unchanged() -> None:
    from evalcore.corpus.reading import read_bytes

    data = "# Head 😀\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nText\u2028more\r\n".encode()
    assert read_files([("a.md", data)]).documents == (read_bytes("a.md", data),)


def test_a_file_that_takes_too_long_is_given_up_and_the_rest_loads() -> None:
    slow = pdf_of(SLOW_PAGE, compressed=True)
    assert len(slow) < 100_000
    result = read_files([("a.md", GOOD[1]), ("slow.pdf", slow), ("z.md", GOOD[1])], Limits(seconds=3))
    assert [d.id for d in result.documents] == ["a", "z"]
    assert lines(result) == ["slow.pdf: took longer than 3 s to read; split it or save it in a simpler form"]
    assert children() == []


def test_a_file_that_takes_too_much_memory_is_given_up_and_the_rest_loads() -> None:
    part = b"<a>" + b"<b/>" * 8_000_000 + b"</a>"
    hungry = with_part(saved(word_document()), "word/document.xml", part)
    limits = Limits(memory_bytes=150_000_000, archive_ratio=10_000)
    result = read_files([("a.md", GOOD[1]), ("hungry.docx", hungry), ("z.md", GOOD[1])], limits)
    assert [d.id for d in result.documents] == ["a", "z"]
    assert lines(result) == [
        "hungry.docx: needs more than 150.0 MB of memory to read; split it or save it in a simpler form"
    ]


def test_sizes_are_bounded_and_the_limit_is_named() -> None:
    limits = Limits(file_bytes=30, characters=20)
    result = read_files([("big.txt", b"x" * 31), ("long.txt", b"x" * 25), ("ok.txt", b"x" * 20)], limits)
    assert [d.id for d in result.documents] == ["ok"]
    assert lines(result) == [
        "big.txt: has 31 bytes; at most 30 bytes are allowed: split it",
        "long.txt: has 25 characters of text; at most 20 are read: split it",
    ]


def test_progress_counts_every_file_in_the_calling_thread() -> None:
    seen: list[tuple[int, int, str]] = []
    files = [(f"{number:02}.md", b"text") for number in range(20)]
    result = read_files(files, progress=lambda done, total, name: seen.append((done, total, name)))
    assert [done for done, _, _ in seen] == list(range(1, 21))
    assert {total for _, total, _ in seen} == {20}
    assert sorted(name for _, _, name in seen) == [name for name, _ in files]
    assert [d.id for d in result.documents] == [name[:2] for name, _ in files]


def test_what_progress_raises_ends_the_load_and_its_children() -> None:
    def stop(done: int, total: int, name: str) -> None:
        raise RunCancelledError("stopped")

    files = [("a.md", b"text"), *((f"slow{n}.pdf", pdf_of(SLOW_PAGE, compressed=True)) for n in range(3))]
    with pytest.raises(RunCancelledError):
        read_files(files, progress=stop)
    assert children() == []


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pypdf.py").write_text("raise SystemExit(3)", encoding="utf-8")
    (tmp_path / "evalcore.py").write_text("raise SystemExit(3)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_files([("a.pdf", pdf_of(text_page("text")))]).documents[0].text == "text"


def test_a_folder_is_read_in_path_order_with_its_hidden_parts_counted(tmp_path: Path) -> None:
    for name in ["sub/a.md", "sub-a/z.md", "a.md", "sub.md", "Z.md", ".git/config", ".hidden.md", "b.bin"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    result = read_folder(tmp_path)
    assert [d.id for d in result.documents] == ["Z", "a.md", "sub/a.md", "z", "sub"]
    assert lines(result) == [
        ".git: a hidden folder (a name that starts with a dot), so not read",
        ".hidden.md: hidden (a name that starts with a dot), so not read; rename it if it is a document",
        "b.bin: .bin files are not read; expected one of .md, .markdown, .txt, .html, .htm, .pdf, .docx",
    ]
    assert result.given == 8


def test_pipes_and_dangling_links_never_stall_a_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "a.md").write_text("text", encoding="utf-8")
    result = read_folder(tmp_path)
    assert lines(result) == [
        "gone.md: cannot be opened (No such file or directory); check the file and its permissions",
        "pipe.txt: is no regular file (a pipe, a socket or a device), so not read",
    ]
    assert [d.id for d in result.documents] == ["a"]


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no such folder; give the folder that holds the documents"):
        read_folder(tmp_path / "nowhere")


def test_no_files_give_an_empty_result() -> None:
    assert read_files([]) == LoadResult((), ())
