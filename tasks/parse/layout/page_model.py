"""The model of a page: all that passes know of it, found once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, NamedTuple

import numpy as np

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rules
from tasks.parse.layout.words import Word

Array = np.ndarray[Any, Any]


CLASSES = (
    "text", "title", "picture", "table", "list-item", "page-header", "page-footer", "section-header", "footnote", "caption",
    "formula",
)  # fmt: skip
"""What the layout model tells apart, in its order."""


class Source(Flag):
    """Where the regions of a page come from, by which passes are chosen."""

    DIGITAL = auto()
    """Its text layer, and the layout model: a born-digital page."""
    SCAN = auto()
    """OCR, and the layout model."""
    TABLE_READER = auto()
    """Its text layer, the layout model, and tables that another table reader, such as Camelot, has found and read."""
    PLAIN_TEXT = auto()
    """Its lines alone: no layout model is asked."""
    OWN_TABLES = DIGITAL | SCAN
    """Passes find its tables."""
    TEXT_LAYER = DIGITAL | TABLE_READER | PLAIN_TEXT
    LAYOUT_MODEL = DIGITAL | SCAN | TABLE_READER
    EVERY = LAYOUT_MODEL | PLAIN_TEXT


class BodyStyle(NamedTuple):
    """Type sizes in points of most characters: of text, None on a page with little, and of tables, None without any."""

    size: float | None = None
    table_size: float | None = None


Judge = Callable[[Array], Array]
"""How likely something is what a judge looks for (n, 1), in [0, 1], by rows of features: lines by those of
`tasks.parse.judge.line_features`, regions by those of `tasks.parse.judge.table_features`.
"""


class LineClasses(NamedTuple):
    """What the layout model thinks of each line: boxes (n, 4) in points, and how likely it is of each class (n, 11), in [0, 1].

    The classes are in the order of CLASSES.
    """

    boxes: Array
    likely: Array


class Sight(NamedTuple):
    """What the layout model sees on a page; what its variant for words alone does; the pictures that are only words; lines."""

    seen: Sequence[Region]
    told: Sequence[Region] = ()
    written: Sequence[Region] = ()
    lines: LineClasses | None = None


UNKNOWN = BodyStyle()


@dataclass(frozen=True)
class PageModel:
    """A page as passes see it, in points from its top left.

    `seen` are the regions that the layout model sees, `told` those that its variant for words alone sees on a scan, and `written`
    the pictures among `seen` that are only words. `noise` are words of a scan that are nonsense. `settled` are regions that have
    their words already, which are not among `words`.
    """

    box: Box
    source: Source
    words: Sequence[Word] = ()
    seen: Sequence[Region] = ()
    rules: Rules = NO_RULES
    frames: Sequence[Box] = ()
    """Boxes drawn around parts of the page: surfaces, outlines, and what rules enclose."""
    grids: Sequence[Box] = ()
    """Rectangles whose rules enclose cells of tables."""
    gutters: Sequence[float] = ()
    """Middles of the white space between the columns of the page, from left to right; none for one column."""
    pictures: Sequence[Box] = ()
    """Images, and groups of drawings."""
    painted: Sequence[Box] = ()
    """Where images and shadings are painted."""
    drawn: Sequence[Box] = ()
    """Rectangles of drawn lines and surfaces."""
    filled: Sequence[Box] = ()
    """Fields of a form that have a value."""
    settled: Sequence[Region] = ()
    told: Sequence[Region] = ()
    written: Sequence[Region] = ()
    noise: frozenset[Word] = frozenset()
    typewritten: bool = False
    """Whether all of the document is in fixed-width type, which then is no sign of code."""
    body: BodyStyle = UNKNOWN
    lines: LineClasses | None = None
    """What the layout model thinks of lines; None where it is not known."""
    judge: Judge | None = None
    """Says which lines are headings; None leaves this to the rules."""
    table_judge: Judge | None = None
    """Says which regions are tables; None leaves this to the rules."""
