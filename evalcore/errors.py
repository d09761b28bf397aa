"""What a user can cause, each said in one line; everything else is a bug and keeps its traceback.

EvalgridError
├── InputError (ValueError)      something given to us is wrong
│   ├── DocumentError            a file that cannot be read
│   ├── QuestionError            a question set that cannot be used
│   ├── SettingsError            a setting, spec string or parameter
│   └── ReportError              a report.json that cannot be opened
├── ModelError (RuntimeError)    a model that is not here or not the one it claims to be
├── PluginError (RuntimeError)   a plug-in that failed or broke its protocol
├── WorkspaceError (RuntimeError) the folder on disk cannot be used
└── RunCancelledError             the user asked to stop
"""

from __future__ import annotations


class EvalgridError(Exception):
    """Root of all errors whose message is meant for a person: one line, what was found and what to do."""


class InputError(EvalgridError, ValueError):
    """Something given to us is wrong."""


class DocumentError(InputError):
    """A file that cannot be read; the message starts with its name."""


class QuestionError(InputError):
    """A question set that cannot be used; the message names the line and the question."""


class SettingsError(InputError):
    """A setting, spec string or parameter that cannot be used."""


class ReportError(InputError):
    """A report.json that cannot be opened."""


class ModelError(EvalgridError, RuntimeError):
    """A model that is not on this machine, or not the one it claims to be."""


class PluginError(EvalgridError, RuntimeError):
    """A plug-in that failed or broke its protocol; the message starts with its kind and name."""


class WorkspaceError(EvalgridError, RuntimeError):
    """The workspace folder cannot be read or written."""


class RunCancelledError(EvalgridError):
    """The user asked to stop; raised between two batches."""


def one_of(found: str, known: list[str] | tuple[str, ...], what: str) -> str:
    """Say that `found` is no known `what` and list the known ones."""
    return f"unknown {what} {found!r}; known: {', '.join(sorted(known))}"
