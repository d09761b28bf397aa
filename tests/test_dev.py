"""The ground that everything stands on: dev.py, the requirements and the dashboard's configuration."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).resolve().parent.parent
FIRST_PARTY = {"evalcore", "ui", "pages", "app", "tests", "dev"}
Calls = list[list[str]]


@pytest.fixture
def pip_calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    calls: Calls = []
    monkeypatch.setattr(dev, "pip", lambda python, what: calls.append(what))
    monkeypatch.setattr(dev, "python_version", lambda python: "(3, 11)")
    return calls


def test_torch_is_installed_alone_and_first(tmp_path: Path, pip_calls: Calls) -> None:
    dev.environment(dev.APP, tmp_path)
    assert pip_calls == [["torch==2.13.0"], ["-r", str(ROOT / "requirements.txt")]]


def test_nothing_is_installed_twice(tmp_path: Path, pip_calls: Calls) -> None:
    dev.environment(dev.TEST, tmp_path)
    pip_calls.clear()
    dev.environment(dev.TEST, tmp_path)
    dev.environment(dev.APP, tmp_path)
    assert pip_calls == []


def test_what_the_app_needs_is_not_enough_for_the_tests(tmp_path: Path, pip_calls: Calls) -> None:
    dev.environment(dev.APP, tmp_path)
    pip_calls.clear()
    dev.environment(dev.TEST, tmp_path)
    assert pip_calls[1] == ["-r", str(ROOT / "requirements.txt"), "-r", str(ROOT / "requirements-dev.txt")]


def test_changed_requirements_are_installed_again(
    tmp_path: Path, pip_calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("torch==2.13.0\n")
    dev.environment(dev.APP, tmp_path)
    requirements.write_text("torch==2.13.0\nnumpy\n")
    dev.environment(dev.APP, tmp_path)
    assert len(pip_calls) == 4


def test_an_interrupted_install_is_done_again(
    tmp_path: Path, pip_calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(python: Path, what: list[str]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(dev, "pip", interrupted)
        with pytest.raises(KeyboardInterrupt):
            dev.environment(dev.APP, tmp_path)
    dev.environment(dev.APP, tmp_path)
    assert len(pip_calls) == 2


def test_an_environment_without_a_working_python_is_made_anew(tmp_path: Path, pip_calls: Calls) -> None:
    versions = iter(["", "(3, 11)"])
    made: list[Path] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dev, "python_version", lambda python: next(versions))
        patch.setattr(dev, "make_venv", made.append)
        dev.environment(dev.APP, tmp_path)
    assert (made, len(pip_calls)) == ([tmp_path], 2)


def test_a_python_that_does_not_start_has_no_version(tmp_path: Path) -> None:
    assert dev.python_version(tmp_path / "python") == ""
    assert dev.python_version(Path(sys.executable)) == str(sys.version_info[:2])


def test_chromium_named_in_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", sys.executable)
    assert dev.find_chromium() == Path(sys.executable)


def test_a_missing_chromium_is_one_line_elsewhere_than_on_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr(dev, "is_debian_root", lambda: False)
    with pytest.raises(SystemExit, match=r"^The browser tests need Chromium or Chrome: .*CHROMIUM"):
        dev.ensure_chromium()


def test_an_unknown_command_shows_the_usage() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "dev.py", "serve"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.strip()) == (2, dev.USAGE)


def imported_packages(*places: str) -> set[str]:
    """Return the top-level packages that the Python files below `places` import."""
    files = [
        path for place in places for path in [ROOT / place, *(ROOT / place).rglob("*.py")] if path.is_file()
    ]
    found: set[str] = set()
    for node in (node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - FIRST_PARTY - sys.stdlib_module_names


def required(name: str) -> set[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    names = (line.split(">")[0].split("=")[0].strip() for line in lines if line and not line.startswith("#"))
    return {normal(name) for name in names}


def normal(distribution: str) -> str:
    return distribution.lower().replace("_", "-")


def test_every_package_that_the_program_imports_is_required() -> None:
    owners = packages_distributions()
    known = required("requirements.txt")
    used = imported_packages("evalcore", "ui", "pages", "app.py")
    missing = {name for name in used if not known & {normal(owner) for owner in owners.get(name, [])}}
    assert missing == set()


def test_dev_uses_the_standard_library_only() -> None:
    assert imported_packages("dev.py") == set()


def test_the_dashboard_stays_on_this_machine() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "localhost"
    assert config["server"]["allowedHosts"] == ["localhost", "127.0.0.1", "::1"]
    assert config["browser"]["gatherUsageStats"] is False
    assert "http" not in str(config["theme"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_charts_have_the_same_number_of_colours_in_both_themes(theme: str) -> None:
    colours = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"][theme]
    assert len(set(colours["chartCategoricalColors"])) == 7
    assert len(set(colours["chartSequentialColors"])) == 10
    assert len(set(colours["chartDivergingColors"])) == 10


def luminance(colour: str) -> float:
    """Return WCAG 2 relative luminance of #RRGGBB."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_and_text_stand_out_from_the_background(theme: str) -> None:
    colours = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"][theme]
    background = colours["backgroundColor"]
    marks = [
        *colours["chartCategoricalColors"],
        *(colours[f"{name}Color"] for name in ("green", "orange", "red")),
    ]
    assert [mark for mark in marks if contrast(mark, background) < 3] == []
    text = [colours["textColor"], colours["linkColor"], colours["dataframeHeaderTextColor"]]
    assert [colour for colour in text if contrast(colour, background) < 4.5] == []
