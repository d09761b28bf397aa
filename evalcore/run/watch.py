"""A thread beside the run: heartbeat, progress on disk, and an end to what does not stop when told."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from evalcore.errors import EvalgridError
from evalcore.run.ledger import Ledger
from evalcore.run.sink import WorkspaceSink
from evalcore.workspace.rows import RunStatus

TICK_SECONDS = 0.1
BEAT_SECONDS = 1.0
FLUSH_SECONDS = 0.25
# Shorter than the page's own patience: here the next run can be seen to.
GRACE_SECONDS = 1.2

log = logging.getLogger(__name__)


class Watch:
    """Watches one worker. `replace` starts another worker, before this one ends by force."""

    def __init__(self, ledger: Ledger, replace: Callable[[], None]) -> None:
        self._ledger = ledger
        self._replace = replace
        self._sink: WorkspaceSink | None = None
        self._asked: float | None = None
        self._closing = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="evalgrid-watch", daemon=True)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Run the thread for as long as the worker lives."""
        self._thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._thread.join()

    def begin(self, sink: WorkspaceSink) -> None:
        """Watch over a run."""
        self._asked = None
        self._sink = sink

    def end(self, status: RunStatus, reason: str = "") -> None:
        """Write the last progress and close the run."""
        with self._closing:
            sink, self._sink = self._sink, None
            if sink is None:
                return
            try:
                sink.flush()
            except EvalgridError as error:
                log.warning("last progress not written: %s", error)
            self._ledger.end(sink.run_id, status, reason)

    def _work(self) -> None:
        due_beat = due_flush = 0.0
        while not self._stop.wait(TICK_SECONDS):
            moment = time.monotonic()
            try:
                if moment >= due_beat:
                    due_beat = moment + BEAT_SECONDS
                    self._ledger.beat()
                if moment >= due_flush:
                    due_flush = moment + FLUSH_SECONDS
                    self._flush()
                self._look_for_cancel(moment)
            except EvalgridError as error:
                log.warning("watch: %s", error)

    def _flush(self) -> None:
        sink = self._sink
        if sink is not None:
            sink.flush()

    def _look_for_cancel(self, moment: float) -> None:
        sink = self._sink
        if sink is None:
            return
        if self._asked is None:
            if self._ledger.must_stop(sink.run_id):
                sink.cancelled.set()
                self._asked = moment
        elif moment - self._asked > GRACE_SECONDS:
            self._end_by_force(sink)

    def _end_by_force(self, sink: WorkspaceSink) -> None:
        """End the process: every finished cell is on disk, and no thread can be stopped from outside."""
        with self._closing:
            if self._sink is not sink:
                return
            log.warning("run %s did not stop in time; the worker ends", sink.run_id)
            self._ledger.end(sink.run_id, RunStatus.CANCELLED)
            if self._ledger.waits():
                self._replace()
            os._exit(0)
