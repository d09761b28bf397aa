"""Registries that forget what a test registers, and distributions published without an installer."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evalcore.chunking.registry import CHUNKERS
from evalcore.corpus.document import Document
from evalcore.embedding.registry import EMBEDDERS
from evalcore.retrieval.registry import RETRIEVERS
from evalcore.retrieval.rerank import RERANKERS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "plugin"
Ranges = list[tuple[int, int]]


def forget_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave our own methods in the registries, which look for published ones anew; undone after the test."""
    for registry in (CHUNKERS, EMBEDDERS, RETRIEVERS, RERANKERS):
        own = {name: method for name, method in registry._methods.items() if not method.source}
        monkeypatch.setattr(registry, "_methods", own)
        monkeypatch.setattr(registry, "_problems", [])
        monkeypatch.setattr(registry, "_is_whole", False)


def publish(
    site: Path, name: str, modules: Mapping[str, str], entries: Mapping[str, Mapping[str, str]]
) -> None:
    """Write a distribution into the folder `site`, as an installer leaves it."""
    site.mkdir(exist_ok=True)
    for module, code in modules.items():
        (site / f"{module}.py").write_text(code, encoding="utf-8")
    folder = site / f"{name.replace('-', '_')}-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", encoding="utf-8"
    )
    lines = [
        line
        for group, points in entries.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def publish_example(site: Path) -> None:
    """Publish examples/plugin with the name and entry points that its pyproject.toml gives."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    publish(site, project["name"], {}, project["entry-points"])
    shutil.copy(EXAMPLE / "evalgrid_example.py", site)


def lines(text: str) -> Ranges:
    """Cut at line ends."""
    found: Ranges = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            found.append((start, start + len(line.rstrip())))
        start += len(line)
    return found


class Cut:
    """A chunker that gives the same ranges for every document, or what a function of the document gives."""

    def __init__(self, ranges: object) -> None:
        self._ranges = ranges

    def cut(self, document: Document) -> object:
        return self._ranges(document) if isinstance(self._ranges, Callable) else self._ranges  # type: ignore[arg-type]
