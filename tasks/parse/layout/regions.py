"""Regions: the parts of a page, each of one kind, with what made them what they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.rules import NO_RULES, Rules
from tasks.parse.layout.words import Word

FRAMED = "framed"
"""The role of a table whose cells are drawn on the page: words in it are its own, whatever else overlaps it."""

FIELD = "field"
"""The role of text that is a field of a form: those beside each other are read row by row."""

PROSE = ("paragraph", "list_item")
"""Kinds of regions that are sentences of the text."""

UNNUMBERED = -1
"""The number of a region that a pass has made anew: whoever runs passes gives it one."""


class Change(NamedTuple):
    """What a pass did to a region, in words, such as `heading → paragraph`."""

    by: str
    what: str


class Remark(NamedTuple):
    """What a step `by` that name left out, refused or weighed in a box of the page: in words, as `no table: too few rows`."""

    box: Box
    what: str
    by: str = ""


@dataclass(frozen=True)
class Region:
    """A part of a page of one kind (see `schemas.tables.elements.KINDS`) and the words in it.

    White space may part the cells of a table that is `spaced`; of others only rules show that they are tables. `number` is its
    identity on the page: what `dataclasses.replace` makes of it is the same region, changed. `changes` are in order, the first
    says where it comes from. Regions that differ in these two alone are equal.
    """

    box: Box
    kind: str
    spaced: bool = False
    rules: Rules = NO_RULES
    role: str = ""
    words: Sequence[Word] = ()
    confidence: float | None = None
    number: int = field(default=UNNUMBERED, compare=False)
    changes: tuple[Change, ...] = field(default=(), compare=False)
