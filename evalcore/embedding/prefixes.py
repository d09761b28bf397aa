"""What a model was trained to see in front of a query and of a passage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evalcore.embedding.base import Role

_BGE_EN = "Represent this sentence for searching relevant passages: "
_BGE_ZH = "为这个句子生成表示以用于检索相关文章："


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Text put in front of each query and of each passage; empty for none."""

    query: str = ""
    passage: str = ""

    def of(self, role: Role) -> str:
        """Return the prefix of a text in this role."""
        return self.query if role == "query" else self.passage


_TABLE: tuple[tuple[re.Pattern[str], Prefixes], ...] = (
    (re.compile(r"(multilingual-)?e5-(small|base|large)(-v2)?"), Prefixes("query: ", "passage: ")),
    (re.compile(r"bge-(small|base|large)-en(-v1\.5)?"), Prefixes(query=_BGE_EN)),
    (re.compile(r"bge-(small|base|large)-zh(-v1\.5)?"), Prefixes(query=_BGE_ZH)),
)


def prefixes_of(name: str, prompts: Mapping[str, object] | None = None) -> Prefixes:
    """Return the prefixes of the model called `name` (the last part of its name or folder decides).

    A model that is not in the table but brings its own `prompts` (config_sentence_transformers.json) gets
    those called `query` and `passage` or `document`; any other model gets none.
    """
    last = name.rstrip("/\\").replace("\\", "/").rpartition("/")[2].lower()
    for pattern, prefixes in _TABLE:
        if pattern.fullmatch(last):
            return prefixes
    own = {key: value for key, value in (prompts or {}).items() if isinstance(value, str)}
    return Prefixes(own.get("query", ""), own.get("passage") or own.get("document", ""))
