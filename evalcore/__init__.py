"""Compare ways of cutting and searching documents, and say whether the difference is real."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalcore.corpus.document import Corpus, Document, MediaType
    from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor
    from evalcore.evaluation import evaluate, evaluate_results
    from evalcore.lab import Lab
    from evalcore.models import EvalReport
    from evalcore.results.comparison import Comparison
    from evalcore.results.composite import Composite
    from evalcore.results.results import Results
    from evalcore.results.run_result import RunResult
    from evalcore.results.warnings import RunWarning, Severity, WarningLog
    from evalcore.run.estimate import Estimate
    from evalcore.settings import Settings

__version__ = "0.1.0"

_HOMES = {
    "Comparison": "evalcore.results.comparison",
    "Composite": "evalcore.results.composite",
    "Corpus": "evalcore.corpus.document",
    "Document": "evalcore.corpus.document",
    "Estimate": "evalcore.run.estimate",
    "EvalItem": "evalcore.evalset.items",
    "EvalReport": "evalcore.models",
    "EvalSet": "evalcore.evalset.items",
    "GoldAnchor": "evalcore.evalset.items",
    "Lab": "evalcore.lab",
    "MediaType": "evalcore.corpus.document",
    "Results": "evalcore.results.results",
    "RunResult": "evalcore.results.run_result",
    "RunWarning": "evalcore.results.warnings",
    "Settings": "evalcore.settings",
    "Severity": "evalcore.results.warnings",
    "WarningLog": "evalcore.results.warnings",
    "evaluate": "evalcore.evaluation",
    "evaluate_results": "evalcore.evaluation",
}

__all__ = [
    "Comparison",
    "Composite",
    "Corpus",
    "Document",
    "Estimate",
    "EvalItem",
    "EvalReport",
    "EvalSet",
    "GoldAnchor",
    "Lab",
    "MediaType",
    "Results",
    "RunResult",
    "RunWarning",
    "Settings",
    "Severity",
    "WarningLog",
    "__version__",
    "evaluate",
    "evaluate_results",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a page that reads a file needs no engine."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
