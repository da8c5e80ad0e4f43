"""Turned pages: text that runs up or down the page, or stands on its head, is read as if the page were turned, and put back."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from schemas.records import Element
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.geometry import Box, as_box, as_struct
from tasks.parse.layout.words import Word

if TYPE_CHECKING:
    import pymupdf

MOSTLY = 0.8
"""Least share of a page's characters that run in the direction by which the page is turned."""
FEWEST = 100
"""Fewest characters that show it: a margin note on a page with a picture does not."""
FEWEST_ON_HEAD = 20
"""Fewest that show that a page is upside down: no margin note is."""


def set_upright(page: "pymupdf.Page") -> None:
    """Remove the page's rotation without changing how it looks. PyMuPDF does this correctly only without a crop box."""
    import pymupdf

    rotation, crop, media = page.rotation, page.cropbox, page.mediabox
    if rotation:
        page.set_rotation(0)
        page.set_mediabox(pymupdf.Rect(crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0))
        page.set_rotation(rotation)
        page.remove_rotation()


def turn_of(words: Iterable[Word]) -> int:
    """Return by how many degrees the text is turned to the left: 90 if it runs up, 270 if down, 180 if upside down, else 0."""
    turns: Counter[int] = Counter()
    for word in words:
        turns[word.turn] += len(word.text)
    turn, n = turns.most_common(1)[0] if turns else (0, 0)
    fewest = {90: FEWEST, 180: FEWEST_ON_HEAD, 270: FEWEST}.get(turn)
    return turn if fewest and turns.total() >= fewest and n >= MOSTLY * turns.total() else 0


def turned_back(result: PageResult, turn: int) -> PageResult:
    """Return the result of a page that was turned to the right by `turn` degrees, as that of the page as it is displayed."""
    sides = result.width, result.height
    shown = sides if turn == 180 else sides[::-1]

    def back(pairs: Iterable[tuple[Element, float]]) -> list[tuple[Element, float]]:
        return [
            ({**found, "bbox": found["bbox"] and as_struct(box_before(as_box(found["bbox"]), turn, *sides))}, size)
            for found, size in pairs
        ]

    remarks = [one._replace(box=box_before(one.box, turn, *sides)) for one in result.remarks]
    elements, asides = back(result.elements), back(result.asides)
    return replace(result, width=shown[0], height=shown[1], elements=elements, asides=asides, remarks=remarks)


def box_before(box: Box, turn: int, width: float, height: float) -> Box:
    """Return where a box of a page, `width` by `height`, was before the page was turned to the right by 90, 180 or 270 degrees.

    >>> box_before((0, 0, 10, 20), 90, 200, 100), box_before((0, 0, 10, 20), 270, 200, 100)
    ((0, 190, 20, 200), (80, 0, 100, 10))
    >>> box_before((0, 0, 10, 20), 180, 200, 100)
    (190, 80, 200, 100)
    """
    x0, y0, x1, y1 = box
    if turn == 180:
        return width - x1, height - y1, width - x0, height - y0
    return (y0, width - x1, y1, width - x0) if turn == 90 else (height - y1, x0, height - y0, x1)
