"""Evaluate a corpus and questions in one call, in this process: to the report, or to the views."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from evalcore.corpus.document import Corpus
from evalcore.corpus.parsers import Reread
from evalcore.errors import RunCancelledError
from evalcore.evalset.check import check, refuse_errors
from evalcore.evalset.items import EvalSet
from evalcore.models import EvalReport
from evalcore.report.build import build_report
from evalcore.results.build import build_results
from evalcore.results.results import Results
from evalcore.run.engine import check_inputs, run_grid
from evalcore.run.memory import MemorySink, Report
from evalcore.run.record import RunInputs
from evalcore.settings import Settings


def evaluate(
    corpus: Corpus,
    evalset: EvalSet,
    settings: Settings | None = None,
    *,
    skip_validation: bool = False,
    cache_path: Path | None = None,
    progress: Report | None = None,
    reread: Reread | None = None,
) -> EvalReport:
    """Run the grid of `settings` (default: five strategies, dense) and return the report.

    After the settings' `budget_seconds` no further configuration begins, and the report says it is partial.

    `cache_path` is the file that keeps vectors between calls; `progress` hears of (stage, done, total);
    `reread` reads a PDF again for the parser `pypdf:layout` (`evalcore.corpus.parsers.folder_reader`).

    Raises:
        InputError: nothing to score, no readable text, or question errors without `skip_validation`.
        SettingsError: unknown methods or parameters.
        RunCancelledError: raised by `progress`.
    """
    inputs = RunInputs(corpus, evalset, settings or Settings(), reread)
    check_inputs(inputs)
    if not skip_validation:
        threshold = inputs.settings.eval.fuzzy_threshold
        refuse_errors(check(evalset, corpus, fuzzy_threshold=threshold), evalset.id)
    sink = MemorySink(progress)
    run_grid(inputs, sink, cache_path=cache_path)
    return build_report(sink.record(inputs))


def evaluate_results(
    corpus: Corpus,
    evalset: EvalSet,
    settings: Settings | None = None,
    *,
    cache_path: Path | None = None,
    progress: Report | None = None,
    reread: Reread | None = None,
) -> Results:
    """Run what `evaluate` runs and return the views; `Results.report()` gives the report of the same run.

    Questions whose evidence is not found are warned about and not scored; none is refused. When `progress`
    stops the run, the configurations that are finished come back, and the results say that they are partial.

    Raises:
        InputError: nothing to score, or no readable text.
        SettingsError: unknown methods or parameters.
    """
    inputs = RunInputs(corpus, evalset, settings or Settings(), reread)
    check_inputs(inputs)
    sink = MemorySink(progress)
    with suppress(RunCancelledError):
        run_grid(inputs, sink, cache_path=cache_path)
    record = sink.record(inputs)
    return build_results(record, partial(build_report, record))
