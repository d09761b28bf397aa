"""The way of the data as a rule: each package of evalcore imports only what stands to its left."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parent.parent
LAYERS = (
    {"errors", "specs", "plugged", "models", "reading", "stats", "text"},
    {"corpus"},
    {"evalset"},
    {"chunking", "embedding", "retrieval"},
    {"settings", "grid"},
    {"plugins"},
    {"scoring"},
    {"workspace", "run"},
    {"results"},
    {"report"},
    {"evaluation", "lab", "cli", "__main__", "__init__", "testing"},
)
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}
# Packages of one layer stand apart but for these; in the lowest and the highest layer all may meet.
# The workspace keeps a run's record, and a run writes to the workspace; no module may thereby need itself.
NEIGHBOURS = {("retrieval", "embedding"), ("grid", "settings"), ("run", "workspace"), ("workspace", "run")}
OPEN_LEVELS = {0, len(LAYERS) - 1}
ABOVE = {"streamlit", "app", "pages", "ui", "dev", "tests", "benchmarks"}
HEAVY = {"torch", "sentence_transformers", "transformers", "langchain_text_splitters", "pypdf", "docx"}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, where, and whether importing the file runs it."""

    file: str
    line: int
    importer: str
    target: str
    on_load: bool


def imports_of(root: Path, package: str = "evalcore") -> list[Import]:
    """Return the imports below `root`/`package`; the version, a constant, is anyone's to read."""
    found = [item for path in sorted((root / package).rglob("*.py")) for item in imports_in(root, path)]
    return [item for item in found if item.target != "evalcore.__version__"]


def imports_in(root: Path, path: Path) -> Iterator[Import]:
    name = path.relative_to(root).with_suffix("").as_posix().replace("/", ".")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    deferred = deferred_lines(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target in targets(node, name):
                yield Import(
                    str(path.relative_to(root)), node.lineno, name, target, node.lineno not in deferred
                )


def targets(node: ast.Import | ast.ImportFrom, importer: str) -> list[str]:
    """Return full module names; `from evalcore import grid` counts as evalcore.grid."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        parent = importer.split(".")[: -node.level]
        base = ".".join([*parent, base] if base else parent)
    return [f"{base}.{alias.name}" for alias in node.names]


def deferred_lines(tree: ast.Module) -> set[int]:
    """Return the lines that importing the module does not run: function bodies and `if TYPE_CHECKING`."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_types(node):
            for statement in node.body:
                lines.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return lines


def is_for_types(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def violations(root: Path) -> list[str]:
    """Return a line for each import in `root`/evalcore that the layers forbid."""
    broken = []
    for found in imports_of(root):
        reason = forbidden(found)
        if reason:
            broken.append(f"{found.file}:{found.line} imports {found.target}: {reason}")
    return broken


def forbidden(found: Import) -> str:
    top = found.target.split(".")[0]
    if top in ABOVE:
        return f"evalcore knows nothing of {top}"
    if top in HEAVY and found.on_load:
        return "import it inside the function that needs it"
    if top != "evalcore":
        return ""
    return out_of_order(package_of(found.importer), package_of(found.target))


def package_of(module: str) -> str:
    """Return the layer's name: `corpus` of evalcore.corpus.pdf, `__init__` of evalcore itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def out_of_order(importer: str, target: str) -> str:
    for package in (importer, target):
        if package not in LEVEL:
            return f"{package} has no place in LAYERS"
    same_level = LEVEL[target] == LEVEL[importer]
    if importer == target or (same_level and LEVEL[target] in OPEN_LEVELS):
        return ""
    if (importer, target) in NEIGHBOURS or LEVEL[target] < LEVEL[importer]:
        return ""
    return f"{target} is not to the left of {importer}"


def cycle(root: Path) -> list[str]:
    """Return modules of `root`/evalcore that import one another in a ring while loading, or nothing."""
    found = [item for item in imports_of(root) if item.on_load]
    modules = {item.importer.removesuffix(".__init__") for item in found}
    graph: dict[str, set[str]] = {}
    for item in found:
        target = item.target if item.target in modules else item.target.rpartition(".")[0]
        if target in modules:
            graph.setdefault(item.importer.removesuffix(".__init__"), set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_evalcore_imports_only_to_the_left() -> None:
    assert violations(ROOT) == []


def test_no_module_of_evalcore_needs_itself() -> None:
    assert cycle(ROOT) == []


def test_a_ring_of_imports_is_found(tmp_path: Path) -> None:
    ring = {
        "run/record.py": "from evalcore.workspace.rows import Row\n",
        "workspace/rows.py": "from evalcore.workspace import files\n",
        "workspace/files.py": "from evalcore.run.record import Stage\n",
        "errors.py": "import math\n",
    }
    write_tree(tmp_path, ring)
    assert set(cycle(tmp_path)) == {
        "evalcore.run.record",
        "evalcore.workspace.rows",
        "evalcore.workspace.files",
    }


def test_ui_does_not_import_pages_and_neither_imports_heavy_packages() -> None:
    found = [item for package in ("ui", "pages") for item in imports_of(ROOT, package)]
    assert [item for item in found if item.target.split(".")[0] in HEAVY] == []
    assert [
        item for item in found if item.importer.startswith("ui.") and item.target.startswith("pages")
    ] == []


def test_importing_all_of_evalcore_loads_no_heavy_package() -> None:
    modules = [
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for path in sorted((ROOT / "evalcore").rglob("*.py"))
        if path.stem != "__main__"
    ]
    code = f"import sys\nfor name in {modules!r}: __import__(name)\nprint(*{HEAVY!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def write_tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / "evalcore" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_check_flags_each_kind_of_wrong_import(tmp_path: Path) -> None:
    wrong = {
        "corpus/a.py": "from evalcore.evalset.items import Slot\n",
        "text/b.py": "from ..chunking import base\n",
        "chunking/c.py": "def embed():\n    import evalcore.embedding.base\n",
        "embedding/d.py": "try:\n    import torch\nexcept ImportError:\n    pass\n",
        "run/e.py": "def draw():\n    import streamlit as st\n",
        "report/f.py": "from evalcore import cli\n",
        "misc.py": "from evalcore.errors import InputError\n",
        "grid.py": "from . import scoring\n",
    }
    write_tree(tmp_path, wrong)
    assert violations(tmp_path) == [
        "evalcore/chunking/c.py:2 imports evalcore.embedding.base: embedding is not to the left of chunking",
        "evalcore/corpus/a.py:1 imports evalcore.evalset.items.Slot: evalset is not to the left of corpus",
        "evalcore/embedding/d.py:2 imports torch: import it inside the function that needs it",
        "evalcore/grid.py:1 imports evalcore.scoring: scoring is not to the left of grid",
        "evalcore/misc.py:1 imports evalcore.errors.InputError: misc has no place in LAYERS",
        "evalcore/report/f.py:1 imports evalcore.cli: cli is not to the left of report",
        "evalcore/run/e.py:2 imports streamlit: evalcore knows nothing of streamlit",
        "evalcore/text/b.py:1 imports evalcore.chunking.base: chunking is not to the left of text",
    ]


def test_the_check_allows_what_the_layers_allow(tmp_path: Path) -> None:
    right = {
        "specs.py": "from evalcore.errors import InputError\n",
        "retrieval/a.py": "from evalcore.embedding.base import Embedder\nfrom .base import Hit\n",
        "embedding/b.py": "def load():\n    import torch\n",
        "corpus/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pypdf\n",
        "run/d.py": "from evalcore.workspace import Workspace\nfrom evalcore import scoring\n",
        "cli.py": "from evalcore import report, evaluation\nimport numpy\n",
    }
    write_tree(tmp_path, right)
    assert violations(tmp_path) == []
