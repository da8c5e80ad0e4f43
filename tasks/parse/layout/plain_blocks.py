"""Blocks of lines: cuts the lines of a plain page into paragraphs, list items, headings, listings and footnotes.

They are distinguished by gaps, indents and type.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tasks.parse.layout.geometry import union
from tasks.parse.layout.lines import TextLine, has_leaders, is_item, text_of
from tasks.parse.layout.regions import Region

LARGE, SMALL = 1.12, 0.93
"""Type sizes, as multiples of the text's: smallest of a heading, largest of a footnote."""
INDENT = 0.8
"""Smallest indent, in type sizes."""
HEADING_WORDS = 20
HEADING_LINES = 3
"""Most lines of a heading in large type, however many words: it is set over the text's width."""
NOTE = re.compile(r"^(?:\d{1,3}|[*\u2020\u2021\u00a7])")
ENDS = ".:;,!?"


def regions_of(body: Sequence[TextLine], type_size: float) -> Iterator[Region]:
    """Yield the regions of lines that are below each other. `type_size` is that of the text, in points."""
    leading = _leading(body, type_size)
    for block in _blocks(body, leading):
        yield from _of_block(block, type_size)


def _leading(body: Sequence[TextLine], type_size: float) -> float:
    """Return the usual distance between two lines of a paragraph, in type sizes."""
    steps = [round(b.middle - a.middle, 1) for a, b in pairwise(body) if a.size == b.size == type_size and not (a.mono or b.mono)]
    close = [step for step in steps if step < 2.2 * type_size]
    return Counter(close).most_common(1)[0][0] / type_size if close else 1.2


def _blocks(body: Sequence[TextLine], leading: float) -> Iterator[list[TextLine]]:
    """Cut lines where the distance or the type changes; cut code only where the distance is large."""
    block: list[TextLine] = []
    for line in body:
        if block and _breaks(block[-1], line, leading):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _breaks(above: TextLine, below: TextLine, leading: float) -> bool:
    step = (below.middle - above.middle) / (leading * below.size)
    if above.mono and below.mono:
        return step > 2.5
    return abs(above.size - below.size) > 0.5 or step > 1.25 or (above.bold != below.bold and not _flows(above, below))


def _flows(above: TextLine, below: TextLine) -> bool:
    """Return whether a bold line and a regular line are one paragraph, because the first line is full."""
    return above.box[2] >= below.box[2] - above.size and not above.words[-1].text.endswith(tuple(ENDS))


def _of_block(block: list[TextLine], type_size: float) -> Iterator[Region]:
    if all(line.mono for line in block):
        yield _region("paragraph", block)
    elif _is_heading(block, type_size):
        yield _region("heading", block)
    elif is_note(block[0], type_size):
        yield from notes(block)
    else:
        yield from _paragraphs(block)


def is_note(line: TextLine, type_size: float) -> bool:
    """Return whether a footnote begins here: small type after a mark."""
    return line.size <= SMALL * type_size and bool(NOTE.match(line.words[0].text)) and not line.mono


def notes(lines: Iterable[TextLine]) -> Iterator[Region]:
    """Cut footnotes at their marks."""
    part: list[TextLine] = []
    for line in lines:
        if part and NOTE.match(line.words[0].text) and line.box[0] >= part[0].box[0] - 1:
            yield _region("footnote", part)
            part = []
        part.append(line)
    yield _region("footnote", part)


def _is_heading(block: Sequence[TextLine], type_size: float) -> bool:
    """Return whether the block is only a few words in large or bold type."""
    words = [word for line in block for word in line.words]
    if not any(map(str.isalpha, text_of(words))) or any(map(has_leaders, block)):
        return False
    if block[0].size >= LARGE * type_size:
        return len(words) <= HEADING_WORDS or len(block) <= HEADING_LINES
    if len(words) > HEADING_WORDS and len(block) > 2:
        return False
    bold = all(line.bold for line in block) and block[0].size >= SMALL * type_size
    return bold and not words[-1].text.endswith(tuple(ENDS))


def _paragraphs(block: list[TextLine]) -> Iterator[Region]:
    """Cut lines where a list item begins or ends, or where a first line is indented."""
    part: list[TextLine] = []
    right = max(line.box[2] for line in block)
    for n, line in enumerate(block):
        following = block[n + 1] if n + 1 < len(block) else None
        if part and (_begins(part, line, following) or _has_ended(part[-1], line, right)):
            yield _part(part)
            part = []
        part.append(line)
    yield _part(part)


def _begins(part: Sequence[TextLine], line: TextLine, following: TextLine | None) -> bool:
    indent = line.box[0] - part[-1].box[0]
    if is_item(line) or (line.mono != part[-1].mono and abs(indent) > line.size):
        return True
    if is_item(part[0]):
        return line.box[0] < part[0].box[0] + INDENT * line.size
    if len(part) > 1 and part[1].box[0] - part[0].box[0] > INDENT * line.size:
        return line.box[0] < part[1].box[0] - INDENT * line.size
    if len(part) > 1 and line.box[0] < min(other.box[0] for other in part) - INDENT * line.size:
        return True
    indented = indent > INDENT * line.size and len(part) > 1
    return indented and (following is None or line.box[0] - following.box[0] > INDENT * line.size)


def _has_ended(above: TextLine, line: TextLine, right: float) -> bool:
    """Return whether a sentence ends in the line above, although the next line's first word would have fitted."""
    first = line.words[0]
    room = right - above.box[2] - 2 * line.size
    return room > first.box[2] - first.box[0] and above.words[-1].text.rstrip("\"'”’)").endswith((".", "!", "?", ":"))  # noqa: RUF001


def _part(lines: list[TextLine]) -> Region:
    return _region("list_item" if is_item(lines[0]) else "paragraph", lines)


def _region(kind: str, lines: Sequence[TextLine]) -> Region:
    return Region(union(line.box for line in lines), kind, words=[word for line in lines for word in line.words])
