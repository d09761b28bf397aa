"""Opens a report.json of any program of this format, schema 1.x."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError

from evalcore.errors import ReportError
from evalcore.models import EvalReport

MAJOR = "1"
MOST_BYTES = 500_000_000


def read_report(data: bytes, name: str) -> EvalReport:
    """Read a report; unknown fields are ignored.

    Raises:
        ReportError: one line: no JSON, no report, another schema MAJOR, a field missing or of the wrong kind.
    """
    if len(data) > MOST_BYTES:
        raise ReportError(
            f"{name}: {len(data) / 1e6:,.0f} MB; reports up to {MOST_BYTES / 1e6:,.0f} MB are opened"
        )
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ReportError(f"{name}: not a report.json: {_short(error)}; export it again") from None
    _check_version(value, name)
    try:
        return EvalReport.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise ReportError(
            f"{name}: field {field}: {first['msg'].lower()}; expected the report contract 1.x"
        ) from None


def _check_version(value: Any, name: str) -> None:
    if not isinstance(value, dict) or "strategy_results" not in value:
        raise ReportError(
            f"{name}: not a report.json: it has no strategy_results; choose the file that a run wrote"
        )
    version = value.get("schema_version", "1.0")
    if not isinstance(version, str) or version.partition(".")[0] != MAJOR:
        raise ReportError(f"{name}: schema {version!r}; this program opens schema {MAJOR}.x")
    if not value["strategy_results"]:
        raise ReportError(f"{name}: the report holds no results; run it again")


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"it holds {constant}, which is no JSON number")


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:160] if str(error) else type(error).__name__
