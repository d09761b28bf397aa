"""YAML that strangers wrote, read as a tree of texts with line numbers, and written so that it reads back.

Nothing is resolved while reading: `no`, `007`, `12:30` and `2024-01-05` are the texts that stand there. What
wants numbers (the settings file) asks for them with `typed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import yaml

MAX_DEPTH = 32
MAX_ALIASED_NODES = 100_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STR_TAGS = (None, "!", "tag:yaml.org,2002:str")
_GROUP_TAGS = (None, "!", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OTHER_BREAKS = "\x85\u2028\u2029"
_NULL = re.compile(r"(?:~|null|Null|NULL)?\Z")
_BOOL = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
_INT = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")


class YamlError(ValueError):
    """The text is not YAML that we read. `line` counts from 1; the message does not name the file."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A text as written; `plain` when it stands without quotes."""

    text: str
    plain: bool
    line: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there (`key:`)."""
        return self.plain and not self.text


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list; `line` is where it begins."""

    items: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MapNode:
    """A mapping from texts, each once, in the order of the file; `lines` are the keys' lines."""

    values: Mapping[str, Node]
    lines: Mapping[str, int]
    line: int


Node = ScalarNode | ListNode | MapNode
Typed = None | bool | int | float | str | list["Typed"] | dict[str, "Typed"]
Texts = None | str | list["Texts"] | dict[str, "Texts"]


def parse(text: str) -> Node | None:
    """Return the tree of the only document of `text`, None when it is empty.

    Raises:
        YamlError: broken YAML, a repeated key, a key that is no text, a tag, a second document, nesting
            deeper than 32, aliases that unfold to more than 100,000 nodes.
    """
    builder = _Builder()
    for event in _events(text):
        builder.take(event)
    return builder.root


def texts(node: Node) -> Texts:
    """Return the tree as texts, lists and dicts; None where nothing stands after a key or dash."""
    if isinstance(node, ScalarNode):
        return None if node.is_empty else node.text
    if isinstance(node, ListNode):
        return [texts(item) for item in node.items]
    return {key: texts(value) for key, value in node.values.items()}


def typed(node: Node) -> Typed:
    """Return the tree with unquoted null, true, false and decimal numbers as such; `no` is a text."""
    if isinstance(node, ScalarNode):
        return _resolve(node.text) if node.plain else node.text
    if isinstance(node, ListNode):
        return [typed(item) for item in node.items]
    return {key: typed(value) for key, value in node.values.items()}


def _resolve(text: str) -> Typed:
    if _NULL.match(text):
        return None
    if _BOOL.match(text):
        return text.lower() == "true"
    if _INT.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text


def dump(data: object) -> str:
    """Return dicts, lists, texts, numbers, booleans and None as YAML that any reader reads back equal."""
    written: str = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1_000_000)
    return written


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and in double quotes what other readers would break or take for a number."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_text(self, data: str) -> yaml.ScalarNode:
        quoted = any(c in data for c in _OTHER_BREAKS) or not isinstance(_resolve(data), str)
        return self.represent_scalar("tag:yaml.org,2002:str", data, style='"' if quoted else None)


_Dumper.add_representer(str, _Dumper.represent_text)


def _events(text: str) -> Iterator[yaml.Event]:
    restore = _stand_ins(text)
    hidden = text.translate({ord(c): s for s, c in restore.items()})
    try:
        for event in yaml.parse(hidden, Loader=_LOADER):
            if restore and isinstance(event, yaml.ScalarEvent):
                event.value = event.value.translate({ord(s): c for s, c in restore.items()})
            yield event
    except yaml.MarkedYAMLError as error:
        raise _broken(error) from None
    except yaml.YAMLError:
        raise _unprintable(text) from None


def _broken(error: yaml.MarkedYAMLError) -> YamlError:
    problem = error.problem or "cannot be read"
    mark = error.problem_mark or error.context_mark
    if "end of stream" in problem and error.context_mark:
        mark, problem = error.context_mark, "a quotation mark or bracket that opens here is never closed"
    elif "mapping values" in problem or "cannot start" in problem:
        problem += "; put a text with such characters in quotes"
    return YamlError(mark.line + 1 if mark else 1, f"not valid YAML: {problem}")


def _stand_ins(text: str) -> dict[str, str]:
    """Return stand-in → character for U+0085, U+2028, U+2029: line breaks in YAML 1.1, not in 1.2."""
    found = [c for c in _OTHER_BREAKS if c in text]
    if not found:
        return {}
    lower = text.lower()
    free = (chr(n) for n in range(0xE000, 0xF900) if chr(n) not in text and f"{n:x}" not in lower)
    return {next(free): c for c in found}


def _unprintable(text: str) -> YamlError:
    match = _UNPRINTABLE.search(text)
    if match is None:
        return YamlError(1, "not valid YAML")
    line = text.count("\n", 0, match.start()) + 1
    code = ord(match.group())
    return YamlError(
        line, f"control character U+{code:04X}; remove it or write it as an escape in double quotes"
    )


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet; `size` counts its nodes, aliases unfolded."""

    is_map: bool
    anchor: str | None
    line: int
    children: list[Node] = field(default_factory=list)
    size: int = 1


class _Builder:
    """Builds the tree from parser events without recursion."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._documents = 0
        self._aliased = 0

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._begin(event, line)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._end()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), line)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise YamlError(line, "a second YAML document begins (---); expected one")

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        if event.tag not in _STR_TAGS:
            raise YamlError(line, f"tag {event.tag!r}; expected plain text without a tag")
        node = ScalarNode(event.value, bool(event.implicit[0]) and not event.style, line)
        self._add(node, 1, event.anchor)

    def _begin(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent, line: int) -> None:
        if event.tag not in _GROUP_TAGS:
            raise YamlError(line, f"tag {event.tag!r}; expected a list or mapping without a tag")
        if len(self._open) >= MAX_DEPTH:
            raise YamlError(line, f"nested deeper than {MAX_DEPTH} levels")
        self._open.append(_Open(isinstance(event, yaml.MappingStartEvent), event.anchor, line))

    def _end(self) -> None:
        done = self._open.pop()
        node = _mapping(done) if done.is_map else ListNode(tuple(done.children), done.line)
        self._add(node, done.size, done.anchor)

    def _alias(self, name: str, line: int) -> None:
        if name not in self._anchors:
            raise YamlError(line, f"alias *{name} has no anchor before it; quote a text that begins with *")
        node, size = self._anchors[name]
        self._aliased += size
        if self._aliased > MAX_ALIASED_NODES:
            raise YamlError(line, f"aliases unfold to more than {MAX_ALIASED_NODES:,} nodes")
        self._add(node, size, None)

    def _add(self, node: Node, size: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, size)
        if self._open:
            self._open[-1].children.append(node)
            self._open[-1].size += size
        else:
            self.root = None if isinstance(node, ScalarNode) and node.is_empty else node


def _mapping(done: _Open) -> MapNode:
    values: dict[str, Node] = {}
    lines: dict[str, int] = {}
    for key, value in zip(done.children[::2], done.children[1::2], strict=True):
        if not isinstance(key, ScalarNode):
            raise YamlError(key.line, "a list or mapping stands as a key; expected a text")
        if key.text in values:
            raise YamlError(key.line, f"key {key.text!r} is on line {lines[key.text]} already; give it once")
        values[key.text] = value
        lines[key.text] = key.line
    return MapNode(values, lines, done.line)
