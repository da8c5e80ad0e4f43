"""What people see of words on a page: the page is rendered, once more without the words if need be."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import cos, hypot, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from tasks.parse.layout.geometry import Box, grown, union
from tasks.parse.layout.io.page_pictures import page_scale
from tasks.parse.layout.words import Word
from tasks.parse.pdf.hidden import Pixels
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.styled import line_boxes

if TYPE_CHECKING:
    import pymupdf

LEAST_CHANGE = 16
"""Of 256 levels. Removing a word that can be seen changes a pixel by more."""
PIXELS_HIGH, MOST_SCALE = 12, 8
"""Height of the smallest type when the page is rendered, in pixels, and most pixels per point."""
STEPS = 3
"""Places to a letter, on the line through a word, where it is removed together with what stands behind it."""
INNER = 0.25
"""Share of a word's height, at its top and bottom, that is left alone when the word is removed: other lines may touch it."""


class PageSight:
    """The picture of the part of a page that holds `words`."""

    def __init__(self, page: "pymupdf.Page", words: Sequence[Word]) -> None:
        """The part is rendered when it is looked at."""
        import pymupdf

        self._page = page
        self._clip = pymupdf.Rect(grown(union(word.box for word in words), 1, 1)) & page.rect
        wanted = min(MOST_SCALE, max(1.0, PIXELS_HIGH / min(word.size for word in words)))
        self._scale = page_scale(self._clip, wanted * 72)

    @cached_property
    def _picture(self) -> Pixels:
        return self._rendered(self._page)

    def part(self, box: Box) -> Pixels:
        """Return the pixels in `box`."""
        return self._part(self._picture, box)

    def unchanged_without(self, words: Sequence[Word]) -> list[bool]:
        """Tell of each word whether its part looks the same when all are removed; of one that cannot be removed, no."""
        with copied(self._page, (), ()) as sheet:
            before = self._rendered(sheet)
            _remove(sheet, _of_lines(words))
            change = np.abs(self._rendered(sheet) - before)
            left = {_place(word) for word in words_of(sheet)}
        parts = [self._part(change, word.box) for word in words]
        still = [not part.size or int(part.max()) <= LEAST_CHANGE for part in parts]
        return [same and _place(word) not in left for same, word in zip(still, words, strict=True)]

    def _rendered(self, page: "pymupdf.Page") -> Pixels:
        import pymupdf

        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(self._scale, self._scale), clip=self._clip, alpha=False)
        return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, pixmap.n).astype(np.int16)

    def _part(self, picture: Pixels, box: Box) -> Pixels:
        x0, x1 = (max(0, int((x - self._clip.x0) * self._scale)) for x in (box[0], box[2]))
        y0, y1 = (max(0, int((y - self._clip.y0) * self._scale)) for y in (box[1], box[3]))
        return picture[y0 : y1 + 1, x0 : x1 + 1]


@contextmanager
def copied(page: "pymupdf.Page", numbers: Sequence[Word], watermarks: Sequence[Word]) -> "Iterator[pymupdf.Page]":
    """Give a copy of a page without some of its words, for the layout model: of text behind watermarks some letters go, too."""
    import pymupdf

    with pymupdf.open() as copy:
        copy.insert_pdf(page.parent, from_page=page.number, to_page=page.number, links=False)
        sheet = copy[0]
        if numbers or watermarks:
            _remove(sheet, [*_of_lines(numbers), *(box for word in watermarks for box in _along(word))])
        yield sheet


def _remove(sheet: "pymupdf.Page", boxes: Sequence[Box]) -> None:
    for box in boxes:
        sheet.add_redact_annot(box, fill=False, cross_out=False)  # type: ignore[arg-type]  # no fill: PyMuPDF's own convention
    sheet.apply_redactions(images=0, graphics=0, text=0)


def _along(word: Word) -> Iterator[Box]:
    """Yield small boxes on the line through the middle of a word's letters, wherever it turns."""
    x0, y0, x1, y1 = word.box
    x, y, steps = (x0 + x1) / 2, (y0 + y1) / 2, STEPS * len(word.text)
    falls = radians(-word.turn)
    reach = hypot(x1 - x0, y1 - y0) / 2
    for n in range(-steps, steps + 1):
        at_x, at_y = x + cos(falls) * reach * n / steps, y + sin(falls) * reach * n / steps
        if x0 <= at_x <= x1 and y0 <= at_y <= y1:
            yield at_x - 1, at_y - 1, at_x + 1, at_y + 1


def _of_lines(words: Sequence[Word]) -> list[Box]:
    """Return a box for the words of each line, less high than these."""
    boxes = line_boxes(words)
    return [grown(box, 0, -INNER * (box[3] - box[1])) for box in boxes]


def _place(word: Word) -> tuple[str, int, int]:
    return word.text, round(word.box[0]), round(word.box[1])
