"""Segments of a text page: MuPDF's own, found in a quarter of the time.

MuPDF cuts a page by the widest strip without content that crosses it, across or down, and its parts in turn. To find the strips,
it keeps a list of all empty rectangles, which grows with every word and rule. No cut parts boxes that overlap, so that MuPDF is
shown the boxes around overlapping ones instead: one for a paragraph, a column or a ruled table. It keeps no rectangle that
another nearly holds (to 4 points), so that once in a while a strip is found from the one list and not from the other.
"""

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from tasks.parse.layout.geometry import Box, grown, union
from tasks.parse.layout.io.text_memory import STRUCTURE, TEXT, VECTOR, Character, Content, Key, Line, content_of

if TYPE_CHECKING:
    import pymupdf

AROUND_TEXT = 0.25
"""What belongs to a word around it, in sizes of its type: words of a text overlap, and so do its lines."""
AROUND_VECTOR = 1
"""What belongs to a drawing around it, in points."""
SPACE = 32
"""The character between words."""
OTHER_SPACES = ("\u00a0", "\t")
"""Characters that end a word for PyMuPDF, and do not for MuPDF."""


def segment(read: "pymupdf.TextPage") -> None:
    """Cut the blocks of a text page into segments, each a structure of the kind Div."""
    from pymupdf import mupdf

    page = read.this.m_internal
    mupdf.ll_fz_stext_remove_page_fill(page)
    content = content_of(page)
    if not content.lines or STRUCTURE in content.others:
        mupdf.ll_fz_segment_stext_page(page)
        return
    drawn = (grown(block.bbox.box(), AROUND_VECTOR, AROUND_VECTOR) for block in content.vectors)
    boxes = merged([*_runs_of(read, content.lines), *drawn])
    with _shown_as(boxes, content) if boxes else nullcontext():
        mupdf.ll_fz_segment_stext_page(page)


def merged(boxes: Iterable[Box]) -> list[Box]:
    """Return boxes around those that overlap or touch, none of which overlaps another.

    >>> merged([(0, 0, 2, 2), (5, 0, 6, 1), (1, 1, 5, 3), (8, 8, 9, 9)])
    [(0, 0, 6, 3), (8, 8, 9, 9)]
    """
    found: list[Box] = []
    for x0, y0, x1, y1 in boxes:
        at = len(found)
        while at:
            at -= 1  # from the last on: what is drawn in turn lies side by side
            left, top, right, bottom = found[at]
            if left > x1 or x0 > right or top > y1 or y0 > bottom:
                continue
            if left <= x0 and top <= y0 and x1 <= right and y1 <= bottom:
                break
            x0, y0, x1, y1 = min(x0, left), min(y0, top), max(x1, right), max(y1, bottom)
            del found[at]
            at = len(found)
        else:
            found.append((x0, y0, x1, y1))
    return found


def _runs_of(read: "pymupdf.TextPage", lines: Mapping[Key, Line]) -> Iterator[Box]:
    """Yield boxes around words of a line that overlap, with what belongs to them around."""
    words = _words_of(read)
    apart = dict.fromkeys(_unlike_words(read, lines) if all((word[5], word[6]) in lines for word in words) else lines)
    margins = {key: AROUND_TEXT * Character.from_address(line.first_char).size for key, line in lines.items() if line.first_char}
    last, left, top, right, bottom = (-1, -1), 0.0, 0.0, 0.0, 0.0
    for x0, y0, x1, y1, _, block, line, _ in words:
        key = block, line
        if key in apart:
            continue
        margin = margins[key]
        x0, y0, x1, y1 = x0 - margin, y0 - margin, x1 + margin, y1 + margin
        if key == last and left <= x1 and x0 <= right and top <= y1 and y0 <= bottom:
            left, top, right, bottom = min(x0, left), min(y0, top), max(x1, right), max(y1, bottom)
            continue
        if last[0] >= 0:
            yield left, top, right, bottom
        last, left, top, right, bottom = key, x0, y0, x1, y1
    if last[0] >= 0:
        yield left, top, right, bottom
    for key in apart:
        yield from _words_of_line(lines[key])


def _unlike_words(read: "pymupdf.TextPage", lines: Mapping[Key, Line]) -> list[Key]:
    """Return the lines whose words PyMuPDF and MuPDF end at different characters."""
    texts = read.extractTEXT().split("\n")[:-1]
    if len(texts) != len(lines):
        return list(lines)
    return [key for key, text in zip(lines, texts, strict=True) if any(space in text for space in OTHER_SPACES)]


def _words_of(read: "pymupdf.TextPage") -> list[tuple[Any, ...]]:
    """Return the words of a text page, in the boxes that MuPDF gives their characters."""
    import pymupdf

    uncorrected = pymupdf.TOOLS.unset_quad_corrections()
    pymupdf.TOOLS.unset_quad_corrections(True)
    try:
        words: list[tuple[Any, ...]] = read.extractWORDS()
    finally:
        pymupdf.TOOLS.unset_quad_corrections(uncorrected)
    return words


def _words_of_line(line: Line) -> Iterator[Box]:
    """Yield the boxes of what is between the spaces of a line."""
    word: list[Box] = []
    for character in line.characters():
        if character.c != SPACE:
            xs, ys = character.quad[::2], character.quad[1::2]
            margin = AROUND_TEXT * character.size
            word.append(grown((min(xs), min(ys), max(xs), max(ys)), margin, margin))
        elif word:
            yield union(word)
            word = []
    if word:
        yield union(word)


@contextmanager
def _shown_as(boxes: Sequence[Box], content: Content) -> Iterator[None]:
    """Have the characters of the page be `boxes`, all of its first line, while MuPDF cuts it; nothing is drawn on it."""
    stand_ins = _characters(boxes)
    lines, vectors = list(content.lines.values()), content.vectors
    firsts, drawn = [line.first_char for line in lines], [block.first for block in vectors]
    try:
        for line in lines:
            line.first_char = None
        lines[0].first_char = ctypes.addressof(stand_ins)
        for block in vectors:
            block.type, block.first = TEXT, None
        yield
    finally:
        for line, first in zip(lines, firsts, strict=True):
            line.first_char = first
        for block, first in zip(vectors, drawn, strict=True):
            block.type, block.first = VECTOR, first


def _characters(boxes: Sequence[Box]) -> Any:
    """Return an array of linked characters, one for every box, of which there must be one, with spaces between them."""
    made = (Character * (2 * len(boxes) - 1))()
    start, size = ctypes.addressof(made), ctypes.sizeof(Character)
    for number, one in enumerate(made):
        one.c = SPACE
        one.next = start + size * (number + 1) if number + 1 < len(made) else None
    for one, (x0, y0, x1, y1) in zip(made[::2], boxes, strict=True):
        one.c = ord("x")
        one.quad[:] = x0, y0, x1, y0, x0, y1, x1, y1
    return made
