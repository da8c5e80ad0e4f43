"""Headings set as the text is: lines that the layout model takes for headings although nothing in their type tells them apart.

Such are the titles of notes and tips, the names of options in a manual, and lines of code in the middle of a page.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from schemas.tables.elements import HEADINGS
from tasks.parse.kinds.headings import body_size, in_capitals, text_of
from tasks.parse.kinds.thresholds import NO_LARGER, SMALLER
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.regions import PROSE, Region

USUAL = 0.1
"""Least share of a page's text in a font that is usual in it. Text in two scripts has two."""
_STYLE = re.compile(r"[-,]|Bold|Italic|Oblique|Regular|Roman|Medium")


class TextType(NamedTuple):
    """The type of the paragraphs and lists of a page: its size in points, its usual fonts and its ink."""

    size: float
    fonts: frozenset[str]
    ink: int
    mono: bool


def text_type(regions: Iterable[Region]) -> TextType | None:
    """Return the type of most characters in paragraphs and lists; None for a page with little text."""
    prose = [region for region in regions if region.kind in PROSE]
    size = body_size(prose)
    if size is None:
        return None
    words = [word for region in prose for word in region.words]
    fonts, inks = Counter[str](), Counter[int]()
    for word in words:
        fonts[word.font] += len(word.text)
        inks[word.ink] += len(word.text)
    usual = frozenset(font for font, n in fonts.items() if n >= USUAL * fonts.total() and font)
    mono = 2 * sum(len(word.text) for word in words if word.mono) > fonts.total()
    return TextType(size, usual, inks.most_common(1)[0][0], mono)


def without_set_as_text(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, its headings that are set as the text is as paragraphs."""
    usual = text_type(regions)
    if usual is None:
        return list(regions)
    faces = faces_of_headings(regions, usual)
    return [
        replace(region, kind="paragraph") if region.kind in HEADINGS and _is_as_text(region, usual, faces) else region
        for region in regions
    ]


def faces_of_headings(regions: Sequence[Region], usual: TextType) -> set[str]:
    """Return the bold fonts of the page's headings that are larger than its text, and of another family."""
    families = {family_of(font) for font in usual.fonts}
    words = (word for region in regions if region.kind in HEADINGS for word in region.words)
    bold = {word.font for word in words if word.bold and word.font and word.size > NO_LARGER * usual.size}
    return {font for font in bold if family_of(font) not in families}


@lru_cache(maxsize=256)
def family_of(font: str) -> str:
    """Return the name of a font without its weight and slope.

    >>> family_of("NimbusSanL-Bold"), family_of("DejaVuSans"), family_of("Arial,BoldItalic"), family_of("LiberationSansBold")
    ('NimbusSanL', 'DejaVuSans', 'Arial', 'LiberationSans')
    """
    return _STYLE.split(font, maxsplit=1)[0]


def _is_as_text(region: Region, usual: TextType, faces: set[str]) -> bool:
    """Return whether a heading is no larger than the text and in its type, in fixed-width type amid other type, or smaller.

    Capitals, a number, other ink and another font can mark a heading as well. A smaller one is in one of the `faces` of the
    page's headings: type without serifs looks larger than the text. Scans have no fonts and are judged by size and weight.
    Fixed-width words may stand in any text.
    """
    name, words = text_of(region), region.words
    size = max((word.size for word in words), default=0.0)
    if not words or size > NO_LARGER * usual.size:
        return False
    if all(word.mono for word in words) and not usual.mono:
        return True
    if in_capitals(name) or scheme_of(name)[0]:
        return False
    if size < SMALLER * usual.size:
        return not faces.issuperset(word.font for word in words)
    fonts = usual.fonts or {""}
    return all(not word.bold and word.ink == usual.ink and (word.mono or word.font in fonts) for word in words)
