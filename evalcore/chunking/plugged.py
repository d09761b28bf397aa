"""Chunkers of somebody else: an object with `cut`, or a function from a text to ranges."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from evalcore.chunking.base import Chunker, SentenceVectors, fault_of
from evalcore.corpus.document import Document
from evalcore.errors import PluginError, SettingsError
from evalcore.plugged import Made, faults, method_of
from evalcore.specs import Method
from evalcore.text.tokens import CL100K, get_tokenizer

GROUP = "evalgrid.chunkers"


class PluggedChunker:
    """Cuts with what a plug-in made and refuses ranges that are none.

    What its object leaves out is taken as: sizes in cl100k_base tokens, no limit, no need of vectors.
    """

    def __init__(self, title: str, made: object) -> None:
        self._title = title
        self._made: Any = made
        if not callable(getattr(made, "cut", made)):
            raise SettingsError(
                f"{title}: made {type(made).__name__}; expected an object with cut(document), or a function "
                "from a text to ranges (start, end)"
            )
        self.tokenizer = str(getattr(made, "tokenizer", CL100K))
        self.limit = _limit(title, getattr(made, "limit", None))
        self.needs_vectors = bool(getattr(made, "needs_vectors", False))
        with faults(title, "naming its tokenizer"):
            get_tokenizer(self.tokenizer)

    def cut(self, document: Document, vectors: SentenceVectors | None = None) -> list[tuple[int, int]]:
        """Return the plug-in's ranges.

        Raises:
            PluginError: it failed, or its ranges are not inside the document, in order and none twice.
        """
        with faults(self._title, f"cutting {document.id!r}"):
            ranges = list(raw_ranges(self._made, document, vectors))
        try:
            pairs = [(operator.index(start), operator.index(end)) for start, end in ranges]
        except (TypeError, ValueError):
            raise PluginError(
                f"{self._title} cut {document.id!r} into {str(ranges)[:80]}; expected pairs (start, end)"
            ) from None
        fault = fault_of(pairs, document.text)
        if fault:
            raise PluginError(f"{self._title} cut {document.id!r} wrongly: {fault}")
        return pairs


def raw_ranges(made: Any, document: Document, vectors: SentenceVectors | None) -> Iterable[Any]:
    """Return what a plug-in's object or function gives for a document, as it gives it."""
    cut: Callable[..., Iterable[Any]] | None = getattr(made, "cut", None)
    if cut is None:
        found: Iterable[Any] = made(document.text)
        return found
    return cut(document, vectors) if getattr(made, "needs_vectors", False) else cut(document)


def chunker_method(name: str, plugin: object, source: str) -> Method[Chunker]:
    """Return a plug-in as a chunker.

    Raises:
        SettingsError: it declares what cannot be used.
    """
    return method_of("chunker", name, plugin, source, _adapt)


def _adapt(made: Made) -> Chunker:
    try:
        return PluggedChunker(made.title, made.make())
    except PluginError as error:
        raise SettingsError(str(error)) from error


def _limit(title: str, limit: object) -> int | None:
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingsError(f"{title}: its limit is {limit!r}; expected None or a whole number of at least 1")
    return limit
