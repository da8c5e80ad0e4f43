"""Markdown: CommonMark with pipe tables, as elements with exact offsets in the decoded text.

The text of an element contains its markers (`#`, `-`, `|`), because it is a part of the file. The spans never overlap.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from schemas.errors import EmptyDocument
from schemas.records import Element, ParsedDocument, Reason
from tasks.parse.rejections import one_a_page, refusal
from tasks.parse.tables.cells import BAR, Cell, as_html
from tasks.parse.text.front_matter import split_front_matter
from tasks.parse.text.plain import decode, line_starts, paragraphs, placed, text_row, trimmed
from tasks.parse.text.unseen import may_hide, without_unseen
from tasks.parse.web.document import line_of, table_of

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "paragraph",
    "hr": "furniture",
    "math_block": "equation",
}

_TABLE = re.compile(r"\s*<table[\s>]", re.IGNORECASE)
_TABLE_TAG = re.compile(r"<(/?)table\b", re.IGNORECASE)
_NOTE = re.compile(r"^(?:\[\^[^\]\s]+\]:|:[ \t])", re.MULTILINE)
"""How a note or the definition of a term begins: what is indented below it goes on with it."""


class MarkdownBlock(NamedTuple):
    """A block of whole lines, from line `first` to before line `after`."""

    first: int
    after: int
    kind: str
    level: int | None = None
    html: str | None = None


def parse_markdown(data: bytes) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`. Front matter becomes properties; its span is furniture.

    The text is the file's, without comments, scripts, styles and embedded files outside of listings. Front matter that cannot
    be read is a reject of page 1 and does not become properties.

    Raises:
        DocumentError: the bytes are not text; see `decode`.
        EmptyDocument: there is only white space.
    """
    text, _, notes = decode(data)
    front = split_front_matter(text)
    head, body = text[: front.end], text[front.end :]
    tokens = parser().parse(body)
    rejects: list[Reason] = []
    if may_hide(body):
        seen, rejects = without_unseen(body, tokens)
        tokens = tokens if seen == body else parser().parse(seen)
        body = seen
    text = head + body
    if not text.strip():
        raise refusal(EmptyDocument, "the file contains only comments or embedded files", "add text to it, or exclude it")
    elements = [placed(text, "furniture", trimmed(text, 0, front.end))] if front.end else []
    row = text_row(text, elements + list(_elements(text, front.end, tokens)), front.properties)
    return {**row, "rejects": one_a_page([*notes, *front.rejects, *rejects])}


@cache
def parser() -> MarkdownIt:
    """Return a parser of CommonMark with pipe tables, displayed equations, and tables in HTML with blank lines."""
    found = MarkdownIt("commonmark").enable("table")
    for place, name, rule in (("fence", "math_block", math_block), ("html_block", "html_table", html_table)):
        found.block.ruler.before(place, name, rule, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return found


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a displayed equation, from a line that begins with $$ to the next that ends with it: its signs are no markup."""
    lines = (_line(state, n).strip() for n in range(start, end))
    first = next(lines)
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    is_whole = len(first) > 4 and first.endswith("$$")
    if not is_whole and state.env.get("endless_math") == end:
        return False
    after = start + 1 if is_whole else next((start + n for n, line in enumerate(lines, 2) if line.endswith("$$")), None)
    if after is None:
        state.env["endless_math"] = end
    if after is None or any(state.sCount[n] < state.blkIndent for n in range(start, after) if not state.isEmpty(n)):
        return False
    if not silent:
        state.line = after
        token = state.push("math_block", "", 0)
        token.map = [start, after]
    return True


def html_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table in HTML whose rows stand apart, which CommonMark ends at the first blank line.

    It must be HTML all through: what begins with anything but a tag behind a blank line is Markdown in a cell.
    """
    if start < state.env.get("no_table_before", 0) or state.is_code_block(start) or not _TABLE.match(_line(state, start)):
        return False
    depth, has_gap, is_behind_gap = 0, False, False
    for n in range(start, end):
        line = _line(state, n)
        if is_behind_gap and line and not line.startswith("<"):
            break
        depth += sum(-1 if slash else 1 for slash in _TABLE_TAG.findall(line))
        is_behind_gap = not line
        has_gap = has_gap or is_behind_gap
        if depth <= 0:
            return has_gap and (silent or _push_table(state, start, n + 1))
    state.env["no_table_before"] = n  # no line is looked at twice
    return False


def _push_table(state: StateBlock, start: int, after: int) -> bool:
    state.line = after
    token = state.push("html_block", "", 0)
    token.map = [start, after]
    token.content = state.getLines(start, after, state.blkIndent, True)
    return True


def _line(state: StateBlock, n: int) -> str:
    return state.src[state.bMarks[n] + state.tShift[n] : state.eMarks[n]]


def _elements(text: str, begin: int, tokens: Sequence[Token]) -> Iterator[Element]:
    """Yield the blocks from `begin` on; what the parser skips, such as link definitions, becomes paragraphs."""
    starts = [begin + offset for offset in line_starts(text[begin:])]
    done = begin
    for block in _markdown_blocks(tokens, text, starts):
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


def _markdown_blocks(tokens: Sequence[Token], text: str, starts: Sequence[int]) -> Iterator[MarkdownBlock]:
    """Yield the blocks of a text, whose lines begin at `starts`; the first paragraph of a list item is the item."""
    depth = 0
    goes_on = False
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
            block = block._replace(html=_pipes_html(tokens, at, text, starts))
        elif token.type == "code_block" and goes_on:
            block = block._replace(kind="paragraph")
        elif token.type == "html_block" and _TABLE.match(token.content) and (html := table_of(token.content)):
            block = block._replace(kind="table", html=html)
        if token.type != "code_block":
            goes_on = token.type == "paragraph_open" and _NOTE.search(tokens[at + 1].content) is not None
        yield block


def _is_picture(inline: Token) -> bool:
    return [child.type for child in inline.children or ()] == ["image"]


def _pipes_html(tokens: Sequence[Token], begin: int, text: str, starts: Sequence[int]) -> str:
    """Return the table that begins at a token as HTML, with one header row, as all tables in Markdown.

    The parser drops cells behind the last column of the header. They are kept, as data that readers of the file see.
    """
    cells: list[Cell] = []
    row = column = -1
    for token in tokens[begin:]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            row, column = row + 1, -1
            bars = _bars(text, starts, token)
        elif token.type in ("th_open", "td_open"):
            column += 1
        elif token.type == "inline":
            cells.append(Cell(row, column, _cell_text(token)))
        elif token.type == "tr_close":
            beyond = [(n, bar) for n, bar in enumerate(bars) if row > 0 and bar and n > column]
            cells += [Cell(row, n, line_of(parser().renderInline(bar))) for n, bar in beyond]
    return as_html(cells, 1)


def _bars(text: str, starts: Sequence[int], row: Token) -> list[str]:
    """Return what stands between the bars of a row."""
    first, after = row.map or (0, 0)
    line = text[starts[first] : starts[min(after, len(starts) - 1)]].strip().lstrip("> \t")
    bars = [part.strip() for part in BAR.split(line.removeprefix("|"))]
    return bars if bars[-1] else bars[:-1]


def _cell_text(cell: Token) -> str:
    children = cell.children or ()
    if any(child.type == "html_inline" for child in children):
        return line_of(parser().renderer.render([cell], parser().options, {}))
    return "".join(" " if child.type in ("softbreak", "hardbreak") else child.content for child in children).strip()
