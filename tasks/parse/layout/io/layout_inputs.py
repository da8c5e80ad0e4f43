"""What the layout model is asked about a page: its lines of text, and what MuPDF measures of each.

PyMuPDF prepares the same inputs, value for value (a test compares both), but spends more time on it than the model takes: it
draws the page, lists the attributes of every line anew, and takes each text apart character by character, to its end.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tasks.parse.layout.io.form_fields import readable_fields
from tasks.parse.layout.raw_page import RawBlock

if TYPE_CHECKING:
    import pymupdf

MARKS = "•-*+<>()→✓#□■‣◦▪.:※"
"""Characters with a code of their own in a pattern; other characters have that of their class."""
OF_LETTERS, OF_DIGITS, OF_SIGNS, OF_SPACES, OF_MARKS = 10, 11, 12, 13, 14

OWN = ("num_ratio", "is_text", "is_vector", "is_image", "is_hline_vector", "is_vline_vector")
"""Features that MuPDF does not measure. Those after the first two are of pictures and rules, which are not asked about."""
SIGHT = ("invisible", "num_numerals", "num_non_numerals")
"""Measures that tell whether a line can be seen."""

PATTERN = 40
"""Length of a pattern: two octal digits for each code."""

Array = np.ndarray[Any, Any]


class Line(NamedTuple):
    """A line of text, or a check box (without text), and its box in points."""

    box: list[float]
    text: str
    is_text: bool


class PageInputs(NamedTuple):
    """The lines of a page: their boxes in points, and for each line what MuPDF measured (`features`) and its `patterns`."""

    boxes: list[list[float]]
    features: Array
    patterns: Array


def page_inputs(page: "pymupdf.Page", names: Sequence[str], styled: bool = True, segmented: bool = True) -> PageInputs:
    """Return what the model sees of `page`; `names` are the features that it was trained with, in their order.

    MuPDF looks for characters printed twice, and for lines below or through them, if the page may be `styled`; and it cuts the
    page where white space crosses it if it is to be `segmented`.
    """
    read = text_page(page, styled, segmented)
    blocks, corner = read.extractDICT()["blocks"], (page.rect[2], page.rect[3])
    lines = _distinct([*_lines_of(blocks, *corner), *_check_boxes(page, *corner)])
    asked = [name for name in names if name not in OWN]
    measured = _measures(read, [line.box for line in lines], [*asked, *SIGHT])
    shown = _shown(measured[:, len(asked) :])
    lines = [line for line, is_shown in zip(lines, shown, strict=True) if is_shown]
    values = _features(lines, dict(zip(asked, measured[shown].T, strict=False)), names)
    patterns = np.array([pattern_of(line.text) for line in lines], np.float32)
    return PageInputs([line.box for line in lines], values, patterns)


def text_page(page: "pymupdf.Page", styled: bool = True, segmented: bool = True) -> "pymupdf.TextPage":
    """Return what MuPDF reads on a page, cut into paragraphs, with its drawings and tables; options as in `page_inputs`."""
    import pymupdf

    flags = (
        pymupdf.TEXT_PRESERVE_IMAGES
        | pymupdf.TEXT_PRESERVE_WHITESPACE
        | pymupdf.TEXT_PRESERVE_LIGATURES
        | pymupdf.TEXT_ACCURATE_BBOXES
        | pymupdf.TEXT_COLLECT_VECTORS
        | pymupdf.TEXT_COLLECT_STRUCTURE
        | pymupdf.TEXT_LAZY_VECTORS
        | pymupdf.TEXT_CLIP
        | pymupdf.TEXT_FUZZY_VECTORS
        | pymupdf.TEXT_PARAGRAPH_BREAK
        | pymupdf.TEXT_TABLE_HUNT
    )
    flags |= (pymupdf.TEXT_COLLECT_STYLES if styled else 0) | (pymupdf.TEXT_SEGMENT if segmented else 0)
    return page.get_textpage(flags=flags)


def _measures(read: "pymupdf.TextPage", boxes: Iterable[Sequence[float]], names: Sequence[str]) -> Array:
    """Return a row for each box on a text page, with the measures called `names` in their order."""
    from pymupdf import features, mupdf

    values = attrgetter(*names)
    rows = [values(features.fz_features_for_region(read, mupdf.FzRect(*box), 0)) for box in boxes]
    return np.array(rows, np.float32).reshape(-1, len(names))


def _lines_of(blocks: Iterable[RawBlock], right: float, bottom: float) -> Iterator[Line]:
    """Yield the lines of text on a page that ends at `right` and `bottom`, those of nested blocks too."""
    for block in blocks:
        if block["type"] == 2:
            yield from _lines_of(block["blocks"], right, bottom)
        elif block["type"] == 0:
            for line in block["lines"]:
                x0, y0, x1, y1 = line["bbox"]
                text = " ".join(span["text"] for span in line["spans"]).strip()
                if text and 0 <= x1 and x0 <= min(x1, right) and 0 <= y1 and y0 <= min(y1, bottom):
                    yield Line([x0, y0, x1, y1], text, True)


def _check_boxes(page: "pymupdf.Page", right: float, bottom: float) -> Iterator[Line]:
    import pymupdf

    for field in readable_fields(page):
        if field.field_type == pymupdf.mupdf.PDF_WIDGET_TYPE_CHECKBOX:
            box: Any = field.rect  # PyMuPDF declares it as None
            x0, y0, x1, y1 = box
            if 0 <= x0 < x1 <= right and 0 <= y0 < y1 <= bottom:
                yield Line([x0, y0, x1, y1], "", False)


def _distinct(lines: Iterable[Line]) -> list[Line]:
    """Return the first line of each box."""
    found: dict[tuple[float, ...], Line] = {}
    for line in lines:
        found.setdefault(tuple(line.box), line)
    return list(found.values())


def _shown(sight: Array) -> Array:
    """Tell which lines can be seen, by the measures SIGHT of each: all of them if none has text that can be."""
    invisible, n_numerals, n_others = sight.T
    readable = (n_numerals + n_others > 0) & (invisible == 0)
    result: Array = (invisible != 1) if readable.any() else np.ones(len(sight), bool)
    return result


def _features(lines: list[Line], measured: dict[str, Array], names: Sequence[str]) -> Array:
    """Return a row for each line. Lines are text or check boxes: no column of another kind is ever set."""
    own = {
        "num_ratio": [sum(map(str.isdigit, line.text)) / max(len(line.text), 1) for line in lines],
        "is_text": [line.is_text for line in lines],
    }
    none = np.zeros(len(lines), np.float32)
    columns = [own[name] if name in own else measured.get(name, none) for name in names]
    return np.array(columns, np.float32).T


def pattern_of(text: str) -> list[float]:
    """Return the pattern of a text: the codes of its runs of like characters, each followed by the digits of its length.

    A code is two octal digits, each divided by 8. What is longer than PATTERN is cut off.
    """
    codes: list[float] = []
    at, n = 0, len(text)
    while at < n and len(codes) < PATTERN:
        code, start = _code(text[at]), at
        while at < n and _code(text[at]) == code:
            at += 1
        for number in (code, *map(int, str(at - start))):
            codes += (number // 8 / 8, number % 8 / 8)
    return (codes + [0.0] * PATTERN)[:PATTERN]


@lru_cache(maxsize=4096)
def _code(character: str) -> int:
    if character in MARKS:
        return OF_MARKS + MARKS.index(character)
    if character.isspace():
        return OF_SPACES
    if character.isdigit():
        return OF_DIGITS
    return OF_LETTERS if character.isalnum() else OF_SIGNS
