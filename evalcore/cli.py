"""The command line: `python -m evalcore run`; exit 0 done, 2 bad input in one line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from evalcore.corpus.document import Corpus
from evalcore.corpus.loading import read_folder
from evalcore.corpus.parsers import folder_reader
from evalcore.errors import EvalgridError, InputError, WorkspaceError
from evalcore.evalset.files import read_questions
from evalcore.evalset.items import EvalSet
from evalcore.evaluation import evaluate
from evalcore.plugins import problems
from evalcore.report.words import metric_name
from evalcore.run.record import Stage
from evalcore.settings import Settings
from evalcore.workspace import Workspace

DONE, BAD_INPUT = 0, 2
ALL_RETRIEVERS = ("dense", "bm25", "hybrid")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except EvalgridError as error:
        print(f"evalgrid: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("evalgrid: stopped; vectors embedded so far are kept", file=sys.stderr)
        return 130
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evalcore",
        description="Compare ways of cutting and searching documents; say whether the difference is real.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="evaluate a grid and write report.json")
    run.add_argument("--docs", type=Path, required=True, help="a folder of documents, or one document")
    run.add_argument("--questions", type=Path, required=True, help="questions.yaml, .json, .jsonl or .csv")
    run.add_argument("--config", type=Path, help="settings as YAML; without it the five default strategies")
    run.add_argument("--out", type=Path, required=True, help="folder for report.json")
    run.add_argument(
        "--compare-retrievers", action="store_true", help="every strategy under dense, bm25 and hybrid"
    )
    run.add_argument(
        "--budget",
        type=float,
        metavar="SECONDS",
        help="begin no further configuration after this time; the report then says that it is partial",
    )
    run.add_argument(
        "--skip-validation", action="store_true", help="score a question set that has errors as it is"
    )
    return parser


def _run(options: argparse.Namespace) -> None:
    settings = _settings(options)
    _show(problems(), "warning: ")
    _check_writable(options.out)
    corpus = _corpus(options.docs)
    evalset = _questions(options.questions)
    progress = _Progress()
    report = evaluate(
        corpus,
        evalset,
        settings,
        skip_validation=options.skip_validation,
        cache_path=_cache_path(),
        progress=progress,
        reread=folder_reader(options.docs),
    )
    progress.end()
    target = options.out / "report.json"
    _write(target, report.model_dump_json())
    _show(report.warnings, "warning: ")
    k, summary = report.corpus_summary.top_k, report.corpus_summary
    print(f"{summary.num_documents} documents, {summary.num_scored_questions} questions scored")
    for row in report.strategy_results:
        print(f"  {metric_name('recall_at_k', k)} {row.recall_at_k:.2f}  {row.strategy} · {row.retriever}")
    print(f"\n{report.recommendation}\n\n{target}")


def _settings(options: argparse.Namespace) -> Settings:
    config: Path | None = options.config
    settings = Settings.from_yaml(_read(config), config.name) if config is not None else Settings()
    if options.compare_retrievers:
        retrieval = settings.retrieval.model_copy(update={"compare": ALL_RETRIEVERS})
        settings = settings.model_copy(update={"retrieval": retrieval})
    if options.budget is None:
        return settings
    return Settings.from_dict({**settings.to_dict(), "budget_seconds": options.budget}, "--budget")


def _corpus(path: Path) -> Corpus:
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder; give --docs your documents")
    loaded = read_folder(path)
    _show([f"{skipped.name}: {skipped.reason}" for skipped in loaded.skipped], "skipped: ")
    return Corpus(tuple(loaded.documents))


def _questions(path: Path) -> EvalSet:
    return read_questions(path.name, _read(path))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _check_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"{folder}: cannot be made: {error.strerror}; choose another --out") from None
    if not os.access(folder, os.W_OK):
        raise WorkspaceError(f"{folder}: cannot be written; choose another --out")


def _write(target: Path, text: str) -> None:
    """Write beside the target and rename, so that a report is whole or not there."""
    draft = target.with_suffix(".json.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        raise WorkspaceError(f"{target}: cannot be written: {error.strerror}; choose another --out") from None


def _cache_path() -> Path:
    return Workspace.default().root / "vectors.sqlite"


def _show(lines: Sequence[str], prefix: str) -> None:
    for line in lines:
        print(f"{prefix}{line}", file=sys.stderr)


class _Progress:
    """One line per stage; on a terminal it counts."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._stage: Stage | None = None

    def __call__(self, stage: Stage, done: int, total: int) -> None:
        if self._live:
            print(f"\r{stage.value} {done:,}/{total:,}\033[K", end="", file=sys.stderr, flush=True)
        elif stage is not self._stage:
            print(f"{stage.value} ({total:,})", file=sys.stderr)
        self._stage = stage

    def end(self) -> None:
        """Leave the line."""
        if self._live:
            print(file=sys.stderr)
