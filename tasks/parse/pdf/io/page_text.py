"""The words of a page and what else is drawn on it, read cheaply: a page of prose needs no more."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from math import atan2, degrees
from typing import TYPE_CHECKING, Any, NamedTuple

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.raw_page import Drawing, RawBlock, RawChar, RawSpan, TextLine
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import NO_INK, Word
from tasks.parse.pdf.accents import has_accents, with_accents
from tasks.parse.pdf.hidden import Mark
from tasks.parse.pdf.io.fixed_width import fixed_width_fonts
from tasks.parse.pdf.leftwards import LEFTWARD, as_read
from tasks.parse.pdf.shifts import Piece, shifts_of
from tasks.parse.pdf.signs import with_signs
from tasks.parse.pdf.touching import LineStart, begins_at, is_other, line_starts, may_touch
from tasks.parse.pdf.word_spaces import SPACED, with_spaces
from tasks.parse.tables.settled import FoundTable

if TYPE_CHECKING:
    import pymupdf

RAISED, MONO, BOLD = 1, 8, 16
"""Flags of a span. MuPDF measures the first; the others come from the font's own description."""
LEVEL = 0.99
"""Cosine of the largest angle by which a skew page is turned: eight degrees."""
_MONO = re.compile(r"mono|courier|consol|typewriter|cm(sl|i)?tt|teletype|menlo|lettergoth|fixed", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|demi|[-_]medi|(?:^|\+)(?:cm|ec|sf)(?:ss)?bx", re.IGNORECASE)
_MATH = re.compile(r"^(?:[A-Z]{6}\+)?(?:CMMI|CMSY|CMEX|CMBSY|MSAM|MSBM|MTMI|MTSY|Symbol|.*Math)", re.IGNORECASE)


class PageContent(NamedTuple):
    """The content of a page: words, pictures, and the rectangles of drawn lines and surfaces.

    `tables` are those that another reader has found, None if Pagemill is to find them.
    `marks` are all that is painted, in order; `drawings` are those of `page.get_cdrawings()` if they were needed already.
    `hidden` are words that nobody sees. `doubled` says that words were printed twice at one place. `watermarks` are words
    of these, `numbers` those of lines, `vertical` the regions of text in columns: none of them are among `words`.
    """

    words: list[Word]
    images: list[Box]
    drawn: list[Box]
    tables: list[FoundTable] | None = None
    marks: Sequence[Mark] = ()
    drawings: list[Drawing] | None = None
    hidden: Sequence[Word] = ()
    doubled: bool = False
    watermarks: Sequence[Word] = ()
    numbers: Sequence[Word] = ()
    vertical: Sequence[Region] = ()
    filled: Sequence[Box] = ()
    """Fields of a form that have a value."""


def page_content_of(page: "pymupdf.Page") -> PageContent:
    """Return the content of `page`. Pictures are read only if the page has any."""
    import pymupdf

    marks = [Mark(kind, tuple(box)) for kind, box in page.get_bboxlog()]
    images: list[Box] = []
    if any(mark.is_picture for mark in marks):
        pictured = page.get_textpage(flags=_flags() | pymupdf.TEXT_PRESERVE_IMAGES)
        images = [tuple(found["bbox"]) for found in pictured.extractIMGINFO()]
    drawn = [mark.box for mark in marks if mark.kind.endswith("path")]
    return PageContent(words_of(page), images, drawn, marks=marks)


def words_of(page: "pymupdf.Page", clipped: bool = True) -> list[Word]:
    """Return the words that MuPDF finds, with their type; if not `clipped`, those outside the page too."""
    words = _words(page, clipped)
    fonts = fixed_width_fonts(page, {word.font for word in words if not word.mono})
    return [word._replace(mono=True) if word.font in fonts else word for word in words] if fonts else words


def _words(page: "pymupdf.Page", clipped: bool) -> list[Word]:
    """Return words whose type is what their fonts say.

    Words that it does not cut at white space are cut again, and so are those with accents apart from their letters. Those of
    scripts from right to left are put in order, and others beyond Latin, Greek and Cyrillic cut where white space is.
    """
    import pymupdf

    part, flags = (None, _flags()) if clipped else (pymupdf.INFINITE_RECT(), pymupdf.TEXT_ACCURATE_BBOXES)
    text = page.get_textpage(part, flags=flags)
    lines, found = list(_lines(text.extractDICT()["blocks"])), text.extractWORDS()
    starts = line_starts([line for _, _, line in lines])
    if any(LEFTWARD.search(word[4]) for word in found):
        return [word for b, n, raw in as_read(_lines(text.extractRAWDICT()["blocks"])) for word in _cut(raw, b, n, starts)]
    if any(SPACED.search(word[4]) for word in found):
        advances = page.get_textpage(part, flags=flags & ~pymupdf.TEXT_ACCURATE_BBOXES).extractRAWDICT()["blocks"]
        wide = {number: line for _, number, line in _lines(advances)}
        raw_lines = _lines(text.extractRAWDICT()["blocks"])
        spaced = [(b, n, with_spaces(raw, wide[n]) if n in wide else raw) for b, n, raw in raw_lines]
        return with_signs([word for b, n, raw in spaced for word in _cut(raw, b, n, starts)])
    words: list[Word] = []
    for block, number, line in lines:
        tokens = "".join(span["text"] for span in line["spans"]).split()
        mine = found[len(words) : len(words) + len(tokens)]
        touching = may_touch(line, [(word[:4], word[4]) for word in mine], starts)
        if touching or [word[4] for word in mine] != tokens or any(map(has_accents, tokens)):
            return with_signs([word for b, n, raw in _lines(text.extractRAWDICT()["blocks"]) for word in _cut(raw, b, n, starts)])
        words += _typed(line, mine, block, number)
    return with_signs(words)


def _flags() -> int:
    import pymupdf

    return int(pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_ACCURATE_BBOXES)


def _lines(blocks: Sequence[RawBlock]) -> Iterator[tuple[int, int, TextLine]]:
    """Yield the number of the block, a number of the line that is unique on the page, and the line."""
    for n_block, block in enumerate(blocks):
        for n_line, line in enumerate(block.get("lines", ())):
            yield n_block, n_block * 10_000 + n_line, line


def _typed(line: TextLine, found: list[Any], block: int, number: int) -> Iterator[Word]:
    """Give each word of a line the type of its first character."""
    spans = line["spans"]
    turn = _turn(line)
    if len(spans) == 1:
        style, base = _style(spans[0]), _base(spans[0], turn)
        for word in found:
            yield Word(word[:4], word[4], block, number, style[0], style[1], turn, style[2], style[3], "", *style[4:], base)
        return
    pieces = list(_pieces(spans, [word[4] for word in found]))
    shifts = shifts_of(pieces) if not turn else [""] * len(pieces)
    for word, parts, shift in zip(found, pieces, shifts, strict=True):
        span = parts[0][1]
        size, mono, bold, math, ink, font = _style(span)
        yield Word(word[:4], word[4], block, number, size, mono, turn, bold, math, shift, ink, font, _base(span, turn))


def _pieces(spans: Sequence[RawSpan], tokens: Sequence[str]) -> Iterator[list[Piece]]:
    """Yield the parts of each word that are in one span."""
    text = "".join(span["text"] for span in spans)
    ends = list(accumulate(len(span["text"]) for span in spans))
    at = n = 0
    for token in tokens:
        at = text.index(token, at)
        end, parts = at + len(token), list[Piece]()
        while at < end:
            while ends[n] <= at:
                n += 1
            stop = min(ends[n], end)
            parts.append((text[at:stop], spans[n]))
            at = stop
        yield parts


def _cut(line: TextLine, block: int, number: int, starts: Sequence[LineStart] = ()) -> Iterator[Word]:
    """Cut a line of single characters at its white space, and where a word touches another one, where lines begin (`starts`)."""
    words: list[list[tuple[RawSpan, RawChar]]] = [[]]
    turn = _turn(line)
    chars = [(span, char) for span in line["spans"] for char in span["chars"]]
    for (span, _), found in zip(chars, with_accents([(char["c"], char["bbox"]) for _, char in chars]), strict=True):
        if found and not found[0].isspace():
            if words[-1] and _touches(words[-1][-1], (span, found), line["bbox"], starts):
                words.append([])
            words[-1].append((span, {"c": found[0], "bbox": found[1]}))
        elif found and words[-1]:
            words.append([])
    held = [pairs for pairs in words if pairs]
    pieces = [[("".join(char["c"] for _, char in run), span) for span, run in _by_span(pairs)] for pairs in held]
    shifts = shifts_of(pieces) if held and not turn else [""] * len(held)
    for pairs, parts, shift in zip(held, pieces, shifts, strict=True):
        size, mono, bold, math, ink, font = _style(pairs[0][0])
        x0, y0, x1, y1 = zip(*(char["bbox"] for _, char in pairs), strict=True)
        box = min(x0), min(y0), max(x1), max(y1)
        text = "".join(part for part, _ in parts)
        yield Word(box, text, block, number, size, mono, turn, bold, math, shift, ink, font, _base(pairs[0][0], turn))


def _by_span(pairs: list[tuple[RawSpan, RawChar]]) -> Iterator[tuple[RawSpan, list[tuple[RawSpan, RawChar]]]]:
    """Yield each span of a word with its characters."""
    for _, run in groupby(pairs, key=lambda pair: id(pair[0])):
        chars = list(run)
        yield chars[0][0], chars


def _touches(
    before: tuple[RawSpan, RawChar], after: tuple[RawSpan, tuple[str, Box]], box: Box, starts: Sequence[LineStart]
) -> bool:
    """Return whether a character begins another word than the one before it."""
    (span, char), (other, (text, place)) = before, after
    return is_other(char["c"], text, span is other) and begins_at(place[0], box[1], box[3], starts)


def _turn(line: TextLine) -> int:
    """Return the rotation of a line to the left in degrees, 0 to 359. A slight skew from a right angle is none.

    Characters of vertical writing stand upright below each other.
    """
    x, y = line["dir"]
    if x > LEVEL or line["wmode"]:
        return 0
    turn = degrees(atan2(-y, x))
    return round(turn / 90) * 90 % 360 if max(abs(x), abs(y)) > LEVEL else round(turn) % 360


def _base(span: RawSpan, turn: int) -> float | None:
    """Return the height of the line that the letters of a span stand on; that of raised or turned ones says nothing."""
    return None if turn or span["flags"] & RAISED else float(span["origin"][1])


def _style(span: RawSpan) -> tuple[float, bool, bool, bool, int, str]:
    mono, bold, math = _face(span["font"], span["flags"])
    return span["size"], mono, bold, math, span["color"] if span["alpha"] else NO_INK, span["font"].partition(" ")[0]


@lru_cache(maxsize=1000)
def _face(font: str, flags: int) -> tuple[bool, bool, bool]:
    """Return whether a font is fixed-width, bold, or made for formulas; many fonts show this only in their names."""
    return bool(flags & MONO or _MONO.search(font)), bool(flags & BOLD or _BOLD.search(font)), bool(_MATH.match(font))
