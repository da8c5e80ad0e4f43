"""What PyMuPDF returns of a page as dicts: its text in blocks, lines, spans and characters, and its drawings."""

from typing import Any, TypedDict

from tasks.parse.layout.geometry import Box


class RawChar(TypedDict, total=False):
    """A character of `rawdict`; `origin` is where its base line begins."""

    c: str
    bbox: Box
    origin: tuple[float, float]


class RawSpan(TypedDict, total=False):
    """Characters of one type. `text` is there in `dict`, `chars` in `rawdict`."""

    size: float
    flags: int
    font: str
    color: int
    alpha: int
    origin: tuple[float, float]
    bbox: Box
    text: str
    chars: list[RawChar]


class TextLine(TypedDict):
    """A line; `dir` is the direction of its base line, `wmode` is 1 for vertical writing."""

    spans: list[RawSpan]
    dir: tuple[float, float]
    wmode: int
    bbox: Box


class RawBlock(TypedDict, total=False):
    """A block: lines of text (type 0), a picture (1), or other blocks (2)."""

    type: int
    bbox: Box
    lines: list[TextLine]
    blocks: list["RawBlock"]


class Drawing(TypedDict, total=False):
    """A path: `items` are tuples of an operator and its points; `type` says whether it is filled (f), stroked (s) or both."""

    items: list[tuple[Any, ...]]
    type: str
    rect: Box
    fill: tuple[float, ...] | None
    fill_opacity: float
    even_odd: bool
    seqno: int
