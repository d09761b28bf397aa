from __future__ import annotations

import itertools
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evalcore.embedding.cache import MemoryCache, VectorCache, vector_key

A, B, C = b"a" * 32, b"b" * 32, b"c" * 32
ROW = np.array([0.1, -0.0, 3.4e38, 1e-45], dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "vectors.sqlite"


def kept(path: Path, *keys: bytes) -> set[bytes]:
    cache = VectorCache(path)
    found = set(cache.get_many(keys))
    cache.close()
    return found


def put(path: Path, *keys: bytes) -> VectorCache:
    cache = VectorCache(path)
    cache.put_many(dict.fromkeys(keys, ROW))
    cache.close()
    return cache


def test_what_is_put_is_there_with_the_same_bits_for_another_reader(path: Path) -> None:
    put(path, A)
    cache = VectorCache(path)
    found = cache.get_many([A, B])
    assert list(found) == [A]
    assert found[A].tobytes() == ROW.tobytes()
    assert found[A].dtype == np.float32
    assert cache.warnings == []
    cache.close()


def test_more_keys_than_one_query_holds_are_found(path: Path) -> None:
    keys = [i.to_bytes(32, "big") for i in range(1234)]
    put(path, *keys)
    assert kept(path, *keys) == set(keys)


def test_the_memory_store_keeps_rows_too() -> None:
    cache = MemoryCache()
    cache.put_many({A: ROW})
    assert list(cache.get_many([B, A])) == [A]


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_file_is_moved_aside_with_a_warning_and_a_new_one_started(
    path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    cache = put(path, A)
    assert kept(path, A) == {A}
    assert (path.parent / "vectors.sqlite.set-aside-1").read_bytes() == content
    assert len(cache.warnings) == 1
    assert "vectors.sqlite.set-aside-1" in cache.warnings[0]


def test_a_second_damaged_file_does_not_overwrite_the_first_one_set_aside(path: Path) -> None:
    path.parent.mkdir()
    for content in (b"first" * 500, b"second" * 500):
        path.write_bytes(content)
        put(path, A)
    assert (path.parent / "vectors.sqlite.set-aside-1").read_bytes().startswith(b"first")
    assert (path.parent / "vectors.sqlite.set-aside-2").read_bytes().startswith(b"second")


def test_another_programs_database_is_left_whole_beside_the_new_one(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE notes (text TEXT)")
        foreign.execute("INSERT INTO notes VALUES ('mine')")
    foreign.close()
    put(path, A)
    assert kept(path, A) == {A}
    aside = sqlite3.connect(path.parent / "vectors.sqlite.set-aside-1")
    assert aside.execute("SELECT text FROM notes").fetchall() == [("mine",)]
    aside.close()


def test_a_file_damaged_while_in_use_is_replaced(path: Path) -> None:
    put(path, A)
    data = bytearray(path.read_bytes())
    data[100:] = b"\xee" * (len(data) - 100)
    path.write_bytes(bytes(data))
    cache = VectorCache(path)
    assert cache.get_many([A]) == {}
    cache.put_many({B: ROW})
    assert list(cache.get_many([B])) == [B]
    assert len(cache.warnings) == 1
    cache.close()


def test_a_vector_whose_bytes_changed_is_not_served_and_can_be_put_again(path: Path) -> None:
    put(path, A, B)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", (b"\x00" * 16, A))
    connection.close()
    assert kept(path, A, B) == {B}
    put(path, A)
    assert kept(path, A, B) == {A, B}


def test_where_the_disk_refuses_rows_stay_in_memory_with_a_warning(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    cache = VectorCache(blocked / "vectors.sqlite")
    cache.put_many({A: ROW})
    assert list(cache.get_many([A, B])) == [A]
    assert len(cache.warnings) == 1
    assert "vectors stay in memory" in cache.warnings[0]
    assert blocked.read_text(encoding="utf-8") == "no folder"


WRITER = """
import sys, numpy as np
from pathlib import Path
from evalcore.embedding.cache import VectorCache
cache = VectorCache(Path(sys.argv[1]))
for i in range(60):
    cache.put_many({bytes([int(sys.argv[2])]) + i.to_bytes(31, "big"): np.full(8, i, dtype=np.float32)})
raise SystemExit(len(cache.warnings))
"""


def test_processes_write_to_one_new_file_at_the_same_time(path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n)], env={"PYTHONPATH": "."})
        for n in range(3)
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    keys = [bytes([n]) + i.to_bytes(31, "big") for n in range(3) for i in range(60)]
    assert kept(path, *keys) == set(keys)


def test_all_that_a_vectors_bits_depend_on_changes_its_key() -> None:
    parts = [("m1", "m2"), ("query", "passage"), ("", "query: "), ("float32", "bfloat16"), ("t", "query: t")]
    keys = {vector_key(*choice) for choice in itertools.product(*parts)}  # type: ignore[arg-type]
    assert len(keys) == 32
    assert {len(key) for key in keys} == {32}


def test_a_lone_surrogate_has_a_key() -> None:
    assert vector_key("m", "query", "", "float32", "a\ud83d") != vector_key("m", "query", "", "float32", "a?")
