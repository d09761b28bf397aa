"""The settings file: what one run does, as data. Names of methods are checked where grids are made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from evalcore.errors import SettingsError
from evalcore.evalset import yaml_text
from evalcore.evalset.decoding import DecodingError, decode, label, shown
from evalcore.models import RankingMetric
from evalcore.specs import Value

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
RetrievalMode = Literal["dense", "bm25", "hybrid"]
Relevance = Literal["coverage", "iou", "containment"]


def _pairs(value: object) -> object:
    """Turn a mapping of parameters into pairs sorted by name, which can be hashed."""
    if value is None:
        return ()
    if isinstance(value, tuple):
        value = dict(value)
    if not isinstance(value, Mapping):
        raise ValueError(f"is {shown(value)}; expected a mapping of parameters")
    for key, entry in value.items():
        if isinstance(entry, bool) or not isinstance(entry, str | int | float) or not _is_finite(entry):
            raise ValueError(f"holds {key}: {shown(entry)}; expected a number or a text")
    return tuple(sorted((str(key), entry) for key, entry in value.items()))


def _is_finite(value: Value) -> bool:
    return isinstance(value, str) or math.isfinite(value)


def _listed(value: object) -> object:
    """Take a single value for a list of one, and nothing for an empty list."""
    if isinstance(value, list | tuple):
        return tuple(value)
    return () if value is None else (value,)


def _distinct(value: object) -> object:
    values = _listed(value)
    if isinstance(values, tuple):
        for entry in values:
            if values.count(entry) > 1:
                raise ValueError(f"holds {shown(entry)} twice; give it once")
    return values


def _nonempty(value: object) -> object:
    values = _listed(value)
    if not values:
        raise ValueError("is empty; expected at least one strategy")
    return values


Text = Annotated[str, Field(min_length=1)]
Params = Annotated[tuple[tuple[str, Value], ...], BeforeValidator(_pairs), PlainSerializer(dict)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_listed)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, data: object) -> object:
        """Take a key with nothing behind it for a key that is not there."""
        if data is None:
            return {}
        if isinstance(data, Mapping):
            return {key: value for key, value in data.items() if value is not None}
        return data


class EmbeddingSettings(_Section):
    """The model that makes vectors; `prefixes`: use the query and passage prefixes it was trained with."""

    model: Text = DEFAULT_MODEL
    cache: bool = True
    prefixes: bool = True
    precision: Literal["float32", "bfloat16"] = "float32"


class RetrievalSettings(_Section):
    """How chunks are searched; `compare` names the retrievers of a matrix and then replaces `mode`."""

    mode: RetrievalMode = "dense"
    top_k: int = Field(default=5, ge=1)
    compare: Annotated[tuple[RetrievalMode, ...], BeforeValidator(_distinct)] = ()


class EvalSettings(_Section):
    """How questions are scored; `fuzzy_threshold` is a share, `min_floor_tokens` is in cl100k_base tokens.

    `relevance` says when a chunk is relevant to a passage in the views, from `relevance_threshold` on: by the
    share of the passage that it holds, their overlap over their union, or the share of it that is passage.
    """

    fuzzy_threshold: float = Field(default=0.90, ge=0.5, le=1.0)
    ranking_metric: RankingMetric = "balanced"
    balanced_lambda: float = Field(default=0.05, ge=0.0)
    min_floor_tokens: int = Field(default=200, ge=0)
    relevance: Relevance = "coverage"
    relevance_threshold: float = Field(default=0.5, gt=0.0, le=1.0)
    bootstrap_resamples: int = Field(default=10_000, ge=100, le=1_000_000)
    seed: int = Field(default=0, ge=0)


class Strategy(_Section):
    """A chunker by name with parameters, sorted by name; sizes count cl100k_base tokens."""

    name: Text
    params: Params = ()

    @property
    def values(self) -> dict[str, Value]:
        """The parameters as a dict."""
        return dict(self.params)


class GridSettings(_Section):
    """The axes as spec strings, empty where the file says nothing; a None in `reranker` means none.

    `k` is the cut-off of the run, instead of `retrieval.top_k`; `headline` the metric that decides.
    """

    parser: Texts = ()
    chunker: Texts = ()
    embedder: Texts = ()
    index: Texts = ()
    reranker: Annotated[tuple[Text | None, ...], BeforeValidator(_listed)] = ()
    candidates: Annotated[tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_listed)] = ()
    mode: Literal["factorial", "ofat", "staged"] = "ofat"
    k: int | None = Field(default=None, ge=1)
    headline: Text | None = None


DEFAULT_STRATEGIES = (
    Strategy(name="fixed", params=(("chunk_size", 512), ("overlap", 64))),
    Strategy(name="recursive", params=(("chunk_size", 512), ("overlap", 64))),
    Strategy(name="semantic"),
    Strategy(name="semantic_no_floor"),
    Strategy(name="structure"),
)


class Settings(_Section):
    """All settings of a run; frozen and hashable. With `grid` the strategies are not used and not written.

    After `budget_seconds` no further configuration begins, and the run says that it is partial.
    """

    embedding: EmbeddingSettings = EmbeddingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    eval: EvalSettings = EvalSettings()
    strategies: Annotated[tuple[Strategy, ...], BeforeValidator(_nonempty)] = DEFAULT_STRATEGIES
    grid: GridSettings | None = None
    budget_seconds: float | None = Field(default=None, gt=0.0)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.grid is not None and self.strategies != DEFAULT_STRATEGIES:
            raise ValueError("strategies and grid are both given; give one of them")
        return self

    @property
    def top_k(self) -> int:
        """How many chunks a question gets: the grid's `k` where it is given, else `retrieval.top_k`."""
        given = self.grid.k if self.grid is not None else None
        return self.retrieval.top_k if given is None else given

    @classmethod
    def from_yaml(cls, text: str | bytes, name: str) -> Settings:
        """Read the settings file called `name`; an empty one gives the defaults.

        Raises:
            SettingsError: one line with the file, the line, the field's path, what was found and expected.
        """
        try:
            root = yaml_text.parse(decode(text) if isinstance(text, bytes) else text.removeprefix("\ufeff"))
        except yaml_text.YamlError as error:
            raise SettingsError(f"{label(name)}: line {error.line}: {error}") from None
        except DecodingError as error:
            raise SettingsError(f"{label(name)}: {error}") from None
        return _validated({} if root is None else yaml_text.typed(root), label(name), root)

    def to_yaml(self) -> str:
        """Return the settings file that reads back equal."""
        return yaml_text.dump(self.to_dict())

    @classmethod
    def from_dict(cls, data: Mapping[str, object], name: str = "settings") -> Settings:
        """Read what `to_dict` gave, also after JSON.

        Raises:
            SettingsError: one line with `name`, the field's path, what was found and expected.
        """
        return _validated(data, name, None)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, as texts, numbers, booleans, lists and dicts that JSON can hold."""
        data = self.model_dump(mode="json")
        del data["strategies" if self.grid is not None else "grid"]
        return data


def _validated(data: object, name: str, root: yaml_text.Node | None) -> Settings:
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        details = error.errors(include_url=False)[0]
    path = tuple(part for part in details["loc"] if not _is_branch(part))
    line = _line_of(root, path)
    raise SettingsError(f"{name}: {f'line {line}: ' if line else ''}{_said(details, path)}")


def _is_branch(part: int | str) -> bool:
    """Return whether a part of pydantic's path names a branch of a union and not a field."""
    return part in ("constrained-str", "nullable", "str", "int", "float")


def _line_of(node: yaml_text.Node | None, path: tuple[int | str, ...]) -> int | None:
    """Return the line of the field at `path`, or of the nearest one around it."""
    line = None if node is None else node.line
    for part in path:
        if isinstance(node, yaml_text.MapNode) and part in node.values:
            line, node = node.lines[str(part)], node.values[str(part)]
        elif isinstance(node, yaml_text.ListNode) and isinstance(part, int):
            node = node.items[part]
            line = node.line
    return line


def _said(details: ErrorDetails, path: tuple[int | str, ...]) -> str:
    where = ".".join(str(part) for part in path) or "the file"
    kind, context = details["type"], details.get("ctx", {})
    if kind == "extra_forbidden":
        around = ".".join(str(p) for p in path[:-1] if not isinstance(p, int))
        return f"unknown setting {where}; known: {', '.join(_fields_at(around))}"
    if kind == "value_error":
        problem = str(context["error"])
        return problem if not path else f"{where} {problem}"
    if kind == "missing":
        return f"{where} is missing; expected a text"
    return f"{where} is {shown(details['input'])}; expected {_expected(kind, context, details['msg'])}"


def _fields_at(section: str) -> list[str]:
    sections: dict[str, type[BaseModel]] = {
        "": Settings,
        "embedding": EmbeddingSettings,
        "retrieval": RetrievalSettings,
        "eval": EvalSettings,
        "strategies": Strategy,
        "grid": GridSettings,
    }
    return list(sections[section].model_fields)


def _expected(kind: str, context: Mapping[str, Any], message: str) -> str:
    known = {
        "greater_than": f"more than {context.get('gt')}",
        "greater_than_equal": f"at least {context.get('ge')}",
        "less_than_equal": f"at most {context.get('le')}",
        "literal_error": f"one of {str(context.get('expected')).replace(' or ', ', ')}",
        "int_type": "a whole number",
        "float_type": "a number",
        "finite_number": "a finite number",
        "bool_type": "true or false",
        "string_type": "a text",
        "string_too_short": "a text that is not empty",
        "model_type": "a mapping",
    }
    return known.get(kind, message[:1].lower() + message[1:])
