"""Markdown: CommonMark with pipe tables, as elements with exact offsets in the decoded text.

The text of an element contains its markers (`#`, `-`, `|`), because it is a part of the file. The spans never overlap.
"""

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tasks.parse.elements.from_regions import Element
from tasks.parse.rejections import one_a_page
from tasks.parse.tables.cells import Cell, as_html
from tasks.parse.text.front_matter import split_front_matter
from tasks.parse.text.plain import decode, line_starts, paragraphs, placed, text_row, trimmed
from tasks.parse.web.document import table_of

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "paragraph",
    "hr": "furniture",
}


_TABLE = re.compile(r"\s*<table[\s>]", re.IGNORECASE)


class MarkdownBlock(NamedTuple):
    """A block of whole lines, from line `first` to before line `after`."""

    first: int
    after: int
    kind: str
    level: int | None = None
    html: str | None = None


def markdown_facts() -> dict[str, str]:
    """Return the facts about the Markdown engine that change its output."""
    return {"markdown-it-py": version("markdown-it-py")}


def parse_markdown(data: bytes) -> dict[str, Any]:
    """Return a row of `schemas.staged.PARSED`. Front matter becomes properties; its span is furniture.

    Front matter that is not a YAML mapping is a reject of page 1 and does not become properties.

    Raises:
        DocumentError: the bytes are not text; see `decode`.
        EmptyDocument: there is only white space.
    """
    text, _, notes = decode(data)
    front = split_front_matter(text)
    head = [placed(text, "furniture", trimmed(text, 0, front.end))] if front.end else []
    row = text_row(text, head + list(_elements(text, front.end)), front.properties)
    return {**row, "rejects": one_a_page([*notes, *front.rejects])}


def _elements(text: str, begin: int) -> Iterator[Element]:
    """Yield the blocks from `begin` on; what the parser skips, such as link definitions, becomes paragraphs."""
    starts = [begin + offset for offset in line_starts(text[begin:])]
    done = begin
    for block in _markdown_blocks(MarkdownIt("commonmark").enable("table").parse(text[begin:])):
        first, after = (starts[min(line, len(starts) - 1)] for line in (block.first, block.after))
        yield from _gap(text, done, first)
        span = trimmed(text, max(first, done), after)
        done = max(done, after)
        if span[0] < span[1]:
            yield {**placed(text, block.kind, span, block.level), "html": block.html}
    yield from _gap(text, done, len(text))


def _gap(text: str, start: int, end: int) -> Iterator[Element]:
    if start < end:
        yield from (placed(text, "paragraph", span) for span in paragraphs(text, start, end))


def _markdown_blocks(tokens: Sequence[Token]) -> Iterator[MarkdownBlock]:
    """Yield blocks in order; the first paragraph of a list item is the item, with its marker."""
    depth = 0
    for at, (before, token) in enumerate(pairwise([Token("", "", 0), *tokens])):
        depth += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        if token.type not in _KINDS or token.map is None:
            continue
        block = MarkdownBlock(token.map[0], token.map[1], _KINDS[token.type])
        if token.type == "paragraph_open" and before.type == "list_item_open":
            block = block._replace(kind="list_item", level=depth)
        elif token.type == "paragraph_open" and _is_picture(tokens[at + 1]):
            block = block._replace(kind="figure")
        elif block.kind == "heading":
            block = block._replace(level=int(token.tag[1]))
        elif block.kind == "table":
            block = block._replace(html=_pipes_html(tokens, at))
        elif token.type == "html_block" and _TABLE.match(token.content) and (html := table_of(token.content)):
            block = block._replace(kind="table", html=html)
        yield block


def _is_picture(inline: Token) -> bool:
    return [child.type for child in inline.children or ()] == ["image"]


def _pipes_html(tokens: Sequence[Token], begin: int) -> str:
    """Return the table that begins at a token as HTML, with one header row, as all tables in Markdown."""
    cells: list[Cell] = []
    row = column = -1
    for token in tokens[begin:]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            row, column = row + 1, -1
        elif token.type in ("th_open", "td_open"):
            column += 1
        elif token.type == "inline":
            shown = (" " if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or ())
            cells.append(Cell(row, column, "".join(shown).strip()))
    return as_html(cells, 1)
