"""Start the dashboard (`python3 dev.py app`) or check it (`python3 dev.py test`).

Further options go to Streamlit or to pytest.

Standard library only: it makes the environment that everything else needs.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
APP = ("requirements.txt",)
TEST = ("requirements.txt", "requirements-dev.txt")
STEPS = {
    "ruff check": ("-m", "ruff", "check", "."),
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
}
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
)
CHROMIUM_PACKAGES = ("chromium", "fonts-liberation", "fonts-noto-color-emoji")
USAGE = "usage: python3 dev.py app [streamlit options] | python3 dev.py test [pytest options]"


def main(args: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file also starts under an older Python, to say so
        sys.exit(f"Evalgrid needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable})")
    if args and args[0] == "app":
        return run_app(args[1:])
    if args and args[0] == "test":
        return run_tests(args[1:])
    asked = bool(args) and args[0] in ("-h", "--help")
    print(USAGE, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def run_app(options: list[str]) -> int:
    """Serve the dashboard until Ctrl-C."""
    command = [str(environment(APP)), "-m", "streamlit", "run", "app.py", *options]
    if os.name == "posix":
        # The server takes this process over: signals reach it and nothing is left behind.
        os.chdir(ROOT)
        sys.stdout.flush()
        os.execv(command[0], command)
    try:
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 0


def run_tests(options: list[str]) -> int:
    """Run style, types and tests, all of them even when one fails; pytest's closing line comes last."""
    python = str(environment(TEST))
    variables = {**os.environ, "CHROMIUM": str(ensure_chromium())}
    failed = [name for name, step in STEPS.items() if not passes(name, [python, *step], variables)]
    print("== pytest", flush=True)
    variables["EVALGRID_FAILED_STEPS"] = ", ".join(failed)
    tests = subprocess.run([python, "-m", "pytest", *options], cwd=ROOT, env=variables, check=False)
    return tests.returncode or int(bool(failed))


def passes(name: str, command: list[str], variables: dict[str, str]) -> bool:
    """Run one step under a heading and say how it went."""
    print(f"== {name}", flush=True)
    code = subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
    if code:
        print(f"{name} failed (exit {code})", flush=True)
    return code == 0


def environment(requirements: tuple[str, ...], venv: Path = VENV) -> Path:
    """Return the Python of an environment that holds `requirements`; make or renew it when it does not."""
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    version = python_version(python)
    stamp = stamp_of(venv, requirements)
    if version and stamp.exists() and stamp.read_text() == fingerprint(requirements, version):
        return python
    if not version:
        make_venv(venv)
        version = python_version(python)
    install(python, requirements, venv, version)
    return python


def python_version(python: Path) -> str:
    """Return the version of an interpreter that starts and has pip, else an empty string."""
    probe = "import pip, sys; print(sys.version_info[:2], end='')"
    try:
        done = subprocess.run([str(python), "-c", probe], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def make_venv(venv: Path) -> None:
    print(f"Making {venv} with Python {sys.version.split()[0]}", flush=True)
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    if subprocess.run(command, check=False).returncode:
        sys.exit("Could not make the environment; on Debian and Ubuntu install python3-venv, then try again")


def install(python: Path, requirements: tuple[str, ...], venv: Path, version: str) -> None:
    """Install torch, then the rest. The stamp comes last, so an interrupted install is done again."""
    stamp_of(venv, APP).unlink(missing_ok=True)
    stamp_of(venv, TEST).unlink(missing_ok=True)
    print(f"Installing {' and '.join(requirements)} (the first time takes some minutes)", flush=True)
    pip(python, [torch_line()])
    pip(python, [part for name in requirements for part in ("-r", str(ROOT / name))])
    for needs in (APP, TEST):
        if set(needs) <= set(requirements):
            stamp_of(venv, needs).write_text(fingerprint(needs, version))


def pip(python: Path, what: list[str]) -> None:
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", *quiet, *what]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit("The install did not finish; pip says why above. The same command tries again")


def torch_line() -> str:
    """Return the torch requirement; alone and first, pip takes a CPU build that it finds, without CUDA."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("torch=="))


def fingerprint(requirements: tuple[str, ...], version: str) -> str:
    parts = [version.encode(), *((ROOT / name).read_bytes() for name in requirements)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def stamp_of(venv: Path, requirements: tuple[str, ...]) -> Path:
    return venv / f".installed-{'test' if requirements == TEST else 'app'}"


def ensure_chromium() -> Path:
    """Return a Chromium for the browser tests; on Debian as root, install it when there is none."""
    found = find_chromium()
    if not found and is_debian_root():
        install_chromium()
        found = find_chromium()
    if not found:
        sys.exit("The browser tests need Chromium or Chrome: install one, or set CHROMIUM to its path")
    return found


def find_chromium() -> Path | None:
    """Look where CHROMIUM points, then on the PATH, then in the usual places of macOS and Windows."""
    named = os.environ.get("CHROMIUM")
    if named:
        place = shutil.which(named)
        return Path(place) if place else None
    candidates = [shutil.which(name) for name in CHROMIUM_NAMES]
    candidates += [shutil.which(os.path.expandvars(place)) for place in CHROMIUM_PLACES]
    return next((Path(place) for place in candidates if place), None)


def is_debian_root() -> bool:
    release = Path("/etc/os-release")
    debian = release.exists() and "\nID=debian\n" in f"\n{release.read_text(encoding='utf-8')}\n"
    return debian and os.geteuid() == 0


def install_chromium() -> None:
    print("Installing Chromium for the browser tests", flush=True)
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *CHROMIUM_PACKAGES]):
        subprocess.run(["apt-get", *step], env=variables, check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
