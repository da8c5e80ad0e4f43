"""Hidden text: words of a page that nobody can see, told by their type and by the order in which the page is painted.

Text that people do not see but that programs read is the usual way to smuggle instructions into a corpus.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.geometry import Box, area, centre, common, holds, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import NO_INK, Word, by_block
from tasks.parse.scans.thresholds import SCAN_SHARE

TINY_POINTS = 1.0
TINY_SHARE = 1 / 500
"""Tiny type has at most this many points, and at most this share of the page's longer side. A screen that shows a whole page
gives such letters two pixels. The share keeps the text of pages that are measured in inches or metres."""
NEAR_INK = 48
"""Two colours may look the same if no channel, of 256 levels, differs by more. Whether they do, the rendered page tells."""
BACKGROUND = 0.9
"""A drawing of at least this share of the page is its background: it does not show what the text on it says."""
LEAST_INK, LEAST_PAPER = 0.02, 0.25
"""Smallest shares of a visible word's box that have its colour, and that have not: letters cover .1 to .7 of their boxes."""
WHITE = 0xFFFFFF
UNKNOWN = -1
"""The colour of a picture, and of a surface that shows what is behind it."""

Flags = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.int16]
"""Rows of pixels of three channels, 0 to 255."""


class Mark(NamedTuple):
    """What one operator paints: its kind as MuPDF names it (fill-text, fill-path, fill-image, …) and its box."""

    kind: str
    box: Box

    @property
    def is_text(self) -> bool:
        """Return whether it paints text, or would if the text were not invisible."""
        return self.kind.endswith("text")

    @property
    def is_outline(self) -> bool:
        """Return whether it paints the outlines of text, as programs do after filling it to imitate bold type."""
        return self.kind == "stroke-text"

    @property
    def is_picture(self) -> bool:
        """Return whether it paints an image or a shading."""
        return "image" in self.kind or self.kind.endswith(("imgmask", "shade"))


class Surface(NamedTuple):
    """A painted rectangle: its place in the order of painting, its box, and its colour as 0xRRGGBB, or UNKNOWN."""

    order: int
    box: Box
    fill: int = UNKNOWN


def is_tiny(word: Word, page: Box) -> bool:
    """Return whether the type of a word is too small to be seen."""
    return word.size <= min(TINY_POINTS, TINY_SHARE * max(page[2] - page[0], page[3] - page[1]))


def is_outside(word: Word, page: Box) -> bool:
    """Return whether the middle of a word is not on the page."""
    return not holds(page, centre(word.box))


def orders_of(words: Sequence[Word], marks: Sequence[Mark]) -> list[int]:
    """Return when each word is painted: the index of the last mark of text around its middle, -1 if there is none."""
    texts = [(n, mark.box) for n, mark in enumerate(marks) if mark.is_text]
    if not texts or not words:
        return [-1] * len(words)
    numbers = np.array([n for n, _ in texts])
    x, y = np.array([centre(word.box) for word in words]).T
    around = np.array([box for _, box in texts])
    inside = (around[:, 0] <= x[:, None]) & (x[:, None] <= around[:, 2])
    inside &= (around[:, 1] <= y[:, None]) & (y[:, None] <= around[:, 3])
    return [int(n) for n in np.where(inside, numbers, -1).max(axis=1)]


def asks_for_surfaces(words: Sequence[Word], marks: Sequence[Mark], page: Box) -> bool:
    """Return whether words may have the colour of a surface that they are on, or be covered by one.

    The background of the whole page matters only where there is light text, which a dark background needs.
    """
    fills = [mark.box for mark in marks if mark.kind == "fill-path"]
    if not fills:
        return False
    light = any(_alike(np.array([word.ink for word in words]), np.array(WHITE)))
    least = min(word.size for word in words) / 2
    large = (box for box in fills if min(box[2] - box[0], box[3] - box[1]) > least)
    return any(light or area(box) < BACKGROUND * area(page) for box in large)


def doubtful(words: Sequence[Word], orders: Sequence[int], surfaces: Sequence[Surface]) -> Flags:
    """Tell of each word whether something painted later covers it, or whether it may have the colour of what is behind it.

    `orders` say when the words are painted. Behind them is the last surface that was painted before, else white paper.
    """
    paper = Surface(-2, (-np.inf, -np.inf, np.inf, np.inf), WHITE)
    painted = sorted([paper, *surfaces])
    when, fills = np.array([surface.order for surface in painted]), np.array([surface.fill for surface in painted])
    inside = _inside(words, painted)
    before = when < np.array(orders)[:, None]
    covered = (inside & ~before & (when >= 0)).any(axis=1)
    behind = fills[len(painted) - 1 - np.argmax((inside & before | (when < 0))[:, ::-1], axis=1)]
    return covered | _alike(np.array([word.ink for word in words]), behind)


def covered_by(words: Sequence[Word], orders: Sequence[int], surfaces: Sequence[Surface]) -> Flags:
    """Tell of each word whether one of `surfaces` is painted over it."""
    if not surfaces:
        return np.zeros(len(words), dtype=bool)
    after = np.array([surface.order for surface in surfaces]) > np.array(orders)[:, None]
    return np.asarray((_inside(words, surfaces) & after).any(axis=1))


def _inside(words: Sequence[Word], surfaces: Sequence[Surface]) -> Flags:
    """Tell of each word (row) and surface (column) whether the word is in it, but for a tenth of its type size."""
    boxes, outer = np.array([word.box for word in words]), np.array([surface.box for surface in surfaces])
    slack = 0.1 * np.array([word.size for word in words])[:, None]
    x0, y0, x1, y1 = boxes.T[:, :, None]
    inside = x0 >= outer[:, 0] - slack
    inside &= y0 >= outer[:, 1] - slack
    inside &= x1 <= outer[:, 2] + slack
    inside &= y1 <= outer[:, 3] + slack
    return np.asarray(inside)


def _alike(inks: npt.NDArray[np.int_], others: npt.NDArray[np.int_]) -> Flags:
    """Return whether each pair of colours may look the same; any colour may look like UNKNOWN, and none is like NO_INK."""
    differences = [np.abs((inks >> shift & 255) - (others >> shift & 255)) for shift in (0, 8, 16)]
    near = np.asarray(differences).max(axis=0) <= NEAR_INK
    return np.asarray((near | (others == UNKNOWN)) & (inks != NO_INK))


def stands_out(picture: Pixels, ink: int) -> bool:
    """Return whether the picture of a word in the colour `ink` shows both this colour and, around the letters, others."""
    if not picture.size:
        return False
    differences = np.abs(picture - np.array([ink >> 16 & 255, ink >> 8 & 255, ink & 255])).max(axis=2)
    return bool(np.mean(differences <= NEAR_INK) >= LEAST_INK and np.mean(differences > NEAR_INK) >= LEAST_PAPER)


def is_layer(unseen: Sequence[Word], seen: Sequence[Word], marks: Sequence[Mark], page: Box) -> bool:
    """Return whether words without ink, or below a picture, say what the picture shows, as the text that OCR adds to a scan does.

    Pictures cover a scan, and hardly any other text stands on it. Where no text is seen at all, it may also be smaller pictures,
    or drawn letters, that the words belong to.
    """
    pictures = [mark.box for mark in marks if mark.is_picture]
    on_pictures = [word for word in unseen if any(holds(box, centre(word.box)) for box in pictures)]
    if sum(area(common(box, page)) for box in pictures) >= SCAN_SHARE * area(page):
        return 2 * len(on_pictures) > len(unseen) and letters(unseen) > letters(seen)
    shown = [*pictures, *(mark.box for mark in marks if mark.kind.endswith("path") and area(mark.box) < BACKGROUND * area(page))]
    return not seen and bool(shown) and 2 * _meets(unseen, shown).sum() > len(unseen)


def _meets(words: Sequence[Word], boxes: Sequence[Box]) -> Flags:
    """Tell of each word whether it meets one of `boxes`."""
    (x0, y0, x1, y1), others = np.array([word.box for word in words]).T[:, :, None], np.array(boxes).T
    across, down = (x0 < others[2]) & (others[0] < x1), (y0 < others[3]) & (others[1] < y1)
    return np.asarray((across & down).any(axis=1))


def letters(words: Sequence[Word]) -> int:
    """Return the number of characters in `words`."""
    return sum(len(word.text) for word in words)


def hidden_regions(words: Iterable[Word]) -> list[Region]:
    """Return a region for each block of hidden words."""
    return [Region(union(word.box for word in block), "hidden", words=block) for block in by_block(words)]
