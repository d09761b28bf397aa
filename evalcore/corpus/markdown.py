"""Structure of Markdown (CommonMark with pipe tables), with exact spans in the unchanged text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evalcore.corpus.document import Element, ElementKind
from evalcore.corpus.plaintext import line_starts, trimmed

_KINDS = {
    "heading_open": ElementKind.HEADING,
    "paragraph_open": ElementKind.PARAGRAPH,
    "blockquote_open": ElementKind.PARAGRAPH,
    "html_block": ElementKind.PARAGRAPH,
    "bullet_list_open": ElementKind.LIST,
    "ordered_list_open": ElementKind.LIST,
    "table_open": ElementKind.TABLE,
    "fence": ElementKind.CODE,
    "code_block": ElementKind.CODE,
}
_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(r"""["']?[\w.$-][^:={}|]*["']?\s*[:=](\s|$)""")


def markdown_elements(text: str) -> tuple[Element, ...]:
    """Return the top-level blocks of `text`, in order; front matter is one code element.

    A list or a quotation is one element with all that it holds. Setext headings include their underline.
    """
    starts = line_starts(text)
    front = _front_matter_lines(text, starts)
    body = "\n" * front + text[starts[front] :]
    elements = [_element(ElementKind.CODE, text, starts, 0, front)] if front else []
    elements += [
        _element(_KINDS[token.type], text, starts, *lines, level=_level(token))
        for token, lines in _blocks(body)
        if token.type in _KINDS
    ]
    return tuple(e for e in elements if e.start < e.end)


def _blocks(body: str) -> Iterator[tuple[Token, tuple[int, int]]]:
    for token in _parser().parse(body):
        if token.level == 0 and token.nesting >= 0 and token.map is not None:
            yield token, (token.map[0], token.map[1])


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _level(token: Token) -> int:
    return int(token.tag[1:]) if token.type == "heading_open" else 0


def _element(
    kind: ElementKind, text: str, starts: list[int], first: int, last: int, level: int = 0
) -> Element:
    start, end = starts[first], starts[min(last, len(starts) - 1)]
    return Element(kind, *trimmed(text, start, end), level)


def _front_matter_lines(text: str, starts: list[int]) -> int:
    """Return how many lines a YAML or TOML block at the very start takes; 0 when there is none."""
    if not text.startswith(tuple(_FENCES)):
        return 0
    lines = [text[a:b].rstrip() for a, b in pairwise(starts)]
    closing = _FENCES.get(lines[0], ())
    end = next((number for number, line in enumerate(lines[1:], 1) if line in closing), 0)
    content = (line for line in lines[1:end] if line and not line.startswith("#"))
    return end + 1 if end and _KEY.match(next(content, "")) else 0
