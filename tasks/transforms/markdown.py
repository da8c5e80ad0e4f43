"""Markdown: CommonMark with pipe tables, as elements that stand at exact places of the decoded text.

An element holds its markers (`#`, `-`, `|`), since its text is a part of the file; the spans of whole lines never overlap.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tasks.transforms.elements import Element
from tasks.transforms.front_matter import split_front_matter
from tasks.transforms.plain_text import decode, line_starts, paragraphs, placed, text_row, trimmed

_LEAVES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "paragraph",
    "hr": "furniture",
}


class Leaf(NamedTuple):
    """A block of whole lines, from `first` up to but not including `after`."""

    first: int
    after: int
    kind: str
    level: int | None = None


def parse_markdown(data: bytes) -> dict[str, Any]:
    """Return a row of `schemas.staged.PARSED`. Front matter becomes properties; its span is furniture.

    Front matter that is no YAML mapping is reported as a reject of page 1 and stays out of the properties.

    Raises:
        DocumentError: the bytes are not text; see `decode`.
        EmptyDocument: there is nothing but white space.
    """
    text = decode(data)
    front = split_front_matter(text)
    head = [placed(text, "furniture", trimmed(text, 0, front.end))] if front.end else []
    row = text_row(text, head + list(_elements(text, front.end)), front.properties)
    return {**row, "rejects": front.rejects}


def _elements(text: str, begin: int) -> Iterator[Element]:
    """Yield the blocks from `begin` on; what the parser passes over, such as link definitions, is paragraphs."""
    starts = [begin + offset for offset in line_starts(text[begin:])]
    done = begin
    for leaf in _leaves(MarkdownIt("commonmark").enable("table").parse(text[begin:])):
        first, after = (starts[min(line, len(starts) - 1)] for line in (leaf.first, leaf.after))
        yield from _gap(text, done, first)
        span = trimmed(text, max(first, done), after)
        done = max(done, after)
        if span[0] < span[1]:
            yield placed(text, leaf.kind, span, leaf.level)
    yield from _gap(text, done, len(text))


def _gap(text: str, start: int, end: int) -> Iterator[Element]:
    if start < end:
        yield from (placed(text, "paragraph", span) for span in paragraphs(text, start, end))


def _leaves(tokens: Sequence[Token]) -> Iterator[Leaf]:
    """Yield blocks in order; the first paragraph of a list item is the item, its marker included."""
    for before, token in pairwise([Token("", "", 0), *tokens]):
        if token.type not in _LEAVES or token.map is None:
            continue
        kind = _LEAVES[token.type]
        if token.type == "paragraph_open" and before.type == "list_item_open":
            kind = "list_item"
        yield Leaf(token.map[0], token.map[1], kind, int(token.tag[1]) if kind == "heading" else None)
