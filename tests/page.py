"""The documents and questions of the published page "Reading Results"."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcore.corpus.document import Corpus
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor

PAGE = "seeds/reading-results.txt"


@dataclass(frozen=True)
class Published:
    """Documents by name, and questions as (id, question, document, quote, type)."""

    documents: dict[str, str]
    questions: list[tuple[str, str, str, str, str]]

    @property
    def corpus(self) -> Corpus:
        return Corpus.from_texts(self.documents)

    @property
    def evalset(self) -> EvalSet:
        items = [
            EvalItem(i, question, [GoldAnchor(source, quote)], qtype=kind)
            for i, question, source, quote, kind in self.questions
        ]
        return EvalSet("support-kb", tuple(items))


def published(shared: Path) -> Published:
    """Read the two constants that the page's first block of code begins with."""
    text = (shared / PAGE).read_text(encoding="utf-8")
    code = text[text.index("DOCS = {") : text.index("corpus = cg.Corpus")]
    names: dict[str, Any] = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign)
    }
    return Published(names["DOCS"], names["QUESTIONS"])
