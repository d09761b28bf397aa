"""The process that carries out the runs of a workspace: `python -m evalcore.run.worker --home DIR`."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from evalcore.errors import EvalgridError, RunCancelledError
from evalcore.run.inputs import read_inputs
from evalcore.run.launch import LOCK, LOG, start_worker
from evalcore.run.lease import acquire
from evalcore.run.ledger import Ledger
from evalcore.run.partial import stopped_at_budget
from evalcore.run.sink import WorkspaceSink
from evalcore.run.store import RunStore
from evalcore.run.watch import Watch
from evalcore.workspace.corpora import load_document
from evalcore.workspace.rows import RunStatus
from evalcore.workspace.workspace import Workspace

IDLE = "EVALGRID_WORKER_IDLE"
IDLE_SECONDS = 600.0
ENGINE = "evalcore.run.engine:run_grid"
# By name, as the engine: what runs are measured for stands above them and is loaded by none of them.
VIEWS = "evalcore.results.stored:keep_results"
CACHE = "vectors.sqlite"
_LOCK_SECONDS = 3.0
_POLL_SECONDS = 0.1
_END_TRIES = 5

log = logging.getLogger(__name__)


class Worker:
    """Takes queued runs until none has come for `idle` seconds; `engine` is a function like `run_grid`."""

    def __init__(self, workspace: Workspace, engine: str, idle: float) -> None:
        self._workspace = workspace
        self._engine = engine
        self._idle = idle
        self._ledger = Ledger(workspace.database, secrets.token_hex(8))
        arguments = () if engine == ENGINE else ("--engine", engine)
        self._watch = Watch(self._ledger, lambda: _start_another(workspace.root, arguments))

    def serve(self) -> None:
        """Work until idle; the caller holds the workspace's lock.

        Raises:
            WorkspaceError: the workspace cannot be written any more.
        """
        self._ledger.enter(os.getpid())
        since = time.monotonic()
        with self._watch.working():
            while True:
                run_id = self._ledger.take()
                if run_id is not None:
                    self._carry_out(run_id)
                    since = time.monotonic()
                elif time.monotonic() - since > self._idle and self._ledger.leave():
                    return
                else:
                    time.sleep(_POLL_SECONDS)

    def _carry_out(self, run_id: str) -> None:
        log.info("run %s begins", run_id)
        status, reason = self._outcome(run_id)
        for remaining in reversed(range(_END_TRIES)):
            try:
                self._end(run_id, status, reason)
                break
            except EvalgridError as error:
                if not remaining:
                    raise
                log.warning("run %s: %s", run_id, error)
                time.sleep(1)
        log.info("run %s: %s %s", run_id, status.value, reason)

    def _end(self, run_id: str, status: RunStatus, reason: str) -> None:
        self._watch.end(status, reason)
        # Inputs that could not be read never came under watch.
        self._ledger.end(run_id, status, reason)

    def _outcome(self, run_id: str) -> tuple[RunStatus, str]:
        try:
            return self._compute(run_id)
        except RunCancelledError:
            return RunStatus.CANCELLED, ""
        except EvalgridError as error:
            return RunStatus.FAILED, " ".join(str(error).split())
        except Exception as error:
            log.exception("run %s failed", run_id)
            said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            return RunStatus.FAILED, f"{said}; details in {self._workspace.root / LOG}"

    def _compute(self, run_id: str) -> tuple[RunStatus, str]:
        root = self._workspace.root
        folder = self._workspace.run_folder(run_id)
        frozen = read_inputs(folder)
        inputs = frozen.thaw(
            lambda key, doc_id: load_document(root, key, doc_id), self._workspace.load_layout
        )
        sink = WorkspaceSink(run_id, RunStore(folder, frozen.configurations), self._ledger)
        self._watch.begin(sink)
        is_whole = _load(self._engine)(inputs, sink, cache_path=root / CACHE)
        self._keep_views(run_id)
        if is_whole is False:
            return RunStatus.FINISHED, stopped_at_budget(self._ledger.done(run_id), inputs.settings)
        if left := self._ledger.left_over(run_id):
            return RunStatus.FAILED, f"{left} cells were not computed; start the run anew with this version"
        return RunStatus.FINISHED, ""

    def _keep_views(self, run_id: str) -> None:
        """Measure the run for the views; a page that finds nothing makes it when it is asked for."""
        try:
            _load(VIEWS)(self._workspace, run_id)
        except Exception:
            log.exception("run %s: its views were not kept", run_id)


def _load(engine: str) -> Callable[..., object]:
    module, _, name = engine.partition(":")
    return cast(Callable[..., object], getattr(importlib.import_module(module), name))


def _start_another(root: Path, arguments: tuple[str, ...]) -> None:
    start_worker(root, arguments)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evalcore.run.worker", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="the workspace's folder")
    parser.add_argument("--engine", default=ENGINE, help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve a workspace; returns at once when another worker does already."""
    given = _arguments(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        workspace = Workspace(given.home)
        lease = acquire(workspace.root / LOCK, _LOCK_SECONDS)
        if lease is None:
            log.info("another worker serves %s", workspace.root)
            return 0
        Worker(workspace, given.engine, float(os.environ.get(IDLE) or IDLE_SECONDS)).serve()
        lease.release()
    except EvalgridError as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
