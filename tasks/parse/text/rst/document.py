"""reStructuredText as elements with exact offsets in the decoded text.

The reader is our own: docutils gives no line for a quarter of the paragraphs, the row's for a title, often the end's for a
listing, drops what stands in directives that it does not know, as most of Sphinx's, and takes half a minute for 100 KB of
asterisks. The text of an element contains its markers, because it is a part of the file. The spans never overlap.
"""

import re
from collections.abc import Iterable, Iterator

from schemas.records import Element, ParsedDocument
from tasks.parse.rejections import one_a_page
from tasks.parse.text.front_matter import properties_of
from tasks.parse.text.plain import decode, line_starts, placed, text_row, trimmed
from tasks.parse.text.rst.blocks import FIELD, FIELDS, rst_blocks
from tasks.parse.text.rst.lines import rst_lines

_KEYWORD = re.compile(r"\$[A-Za-z]+: ([^$]*)\$\Z")
_TIME = re.compile(r"(\d{4})[-/](\d\d)[-/](\d\d)\b.*\Z")


def parse_rst(data: bytes) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`. A field list before all content becomes properties; its span is furniture.

    So are comments, targets, definitions of substitutions, and directives that would include files or run something.

    Raises:
        DocumentError: the bytes are not text; see `decode`.
        EmptyDocument: there is only white space.
    """
    text, _, notes = decode(data)
    starts = line_starts(text)
    lines = rst_lines(text, starts)
    elements: list[Element] = []
    fields: dict[str, str] = {}
    for block in rst_blocks(lines):
        span = trimmed(text, starts[block.first], starts[block.after])
        if block.kind == FIELDS:
            fields = {**dict(_fields(lines[block.first : block.after])), **fields}
        kind = "furniture" if block.kind == FIELDS else block.kind
        elements.append({**placed(text, kind, span, block.level), "html": block.html})
    return {**text_row(text, elements, properties_of(fields)), "rejects": one_a_page(notes)}


def _fields(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a field list; a value may go on over indented lines."""
    name, value = "", ""
    for line in lines:
        found = FIELD.match(line)
        if found and name:
            yield name, _value(value)
        name, value = (found[1], line[found.end() :]) if found else (name, f"{value} {line.strip()}")
    yield name, _value(value)


def _value(text: str) -> str:
    r"""Return a field's value, without the dollars of a version control's keyword.

    >>> _value("$Date: 2024-05-01 10:00:00 +0200 (Wed, 01 May 2024) $")
    '2024-05-01'
    """
    bare = _KEYWORD.sub(r"\1", text.strip()).strip()
    return _TIME.sub(r"\1-\2-\3", bare)
