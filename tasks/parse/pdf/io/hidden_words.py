"""Finds the words of a page that nobody can see. What the order of painting leaves open, the rendered page tells."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.raw_page import Drawing
from tasks.parse.layout.words import NO_INK, Word, without_doubles
from tasks.parse.pdf.hidden import (
    UNKNOWN,
    Flags,
    Surface,
    asks_for_surfaces,
    covered_by,
    doubtful,
    is_layer,
    is_outside,
    is_tiny,
    orders_of,
    stands_out,
)
from tasks.parse.pdf.io.drawings import rectangles_of
from tasks.parse.pdf.io.page_sight import PageSight
from tasks.parse.pdf.io.page_text import PageContent, words_of

if TYPE_CHECKING:
    import pymupdf


def without_hidden(page: "pymupdf.Page", content: PageContent) -> PageContent:
    """Return the content with the words that nobody sees among `hidden`, and without words printed twice."""
    box = (0.0, 0.0, float(page.rect.width), float(page.rect.height))
    beyond = _beyond(page, content, box)
    if not content.words:
        return content._replace(hidden=beyond)
    if asks_for_surfaces(content.words, content.marks, box):
        content = content._replace(drawings=page.get_cdrawings())
    unseen = _unseen(page, content, box)
    shown = _chosen(content.words, ~unseen)
    seen = without_doubles(shown)
    once = without_doubles([*seen, *_chosen(content.words, unseen)]) if unseen.any() else seen
    return content._replace(words=seen, hidden=[*once[len(seen) :], *beyond], doubled=len(seen) < len(shown))


def _chosen(words: Sequence[Word], flags: Flags) -> list[Word]:
    return [word for word, flag in zip(words, flags.tolist(), strict=True) if flag]


def _beyond(page: "pymupdf.Page", content: PageContent, box: Box) -> list[Word]:
    """Return the words outside the page, with numbers of blocks and lines that no word on the page has."""
    texts = [mark.box for mark in content.marks if mark.is_text]
    if all(x0 >= box[0] and y0 >= box[1] and x1 <= box[2] and y1 <= box[3] for x0, y0, x1, y1 in texts):
        return []
    outside = [word for word in words_of(page, clipped=False) if is_outside(word, box)]
    return without_doubles([word._replace(block=-1 - word.block, line=-1 - word.line) for word in outside])


def _unseen(page: "pymupdf.Page", content: PageContent, box: Box) -> Flags:
    """Tell of each word whether nobody sees it. The text layer of a scan is seen: in the picture."""
    words, marks = content.words, content.marks
    tiny = np.array([is_tiny(word, box) for word in words])
    pictures = [Surface(n, mark.box) for n, mark in enumerate(marks) if mark.is_picture]
    surfaces = [*pictures, *_surfaces(content.drawings or ())]
    orders = orders_of(words, marks) if surfaces else [len(marks)] * len(words)
    suspect = np.array([word.ink == NO_INK for word in words]) | covered_by(words, orders, pictures)
    if suspect.any() and is_layer(_chosen(words, suspect), _chosen(words, ~suspect), marks, box):
        return np.asarray(tiny & ~suspect)
    return np.asarray(tiny | _changes_nothing(page, words, suspect & ~tiny, doubtful(words, orders, surfaces) & ~tiny))


def _surfaces(drawings: Sequence[Drawing]) -> list[Surface]:
    """Return the filled areas, rectangles each by itself. The colour is unknown of other shapes, and where it is not opaque."""
    found: list[Surface] = []
    for drawn in drawings:
        if "f" in drawn["type"]:
            boxes = rectangles_of(drawn["items"])
            fill = _fill(drawn) if boxes else UNKNOWN
            found += [Surface(drawn["seqno"], box, fill) for box in boxes or [drawn["rect"]]]
    return found


def _changes_nothing(page: "pymupdf.Page", words: Sequence[Word], suspect: Flags, doubted: Flags) -> Flags:
    """Tell of each word that is `suspect` or `doubted` whether the page looks the same without it.

    Most doubted words are plain to see, and need not be removed to know it. A suspect word may be covered by its own colour.
    """
    found, plain = suspect | doubted, doubted & ~suspect
    if plain.any():
        sight = PageSight(page, _chosen(words, plain))
        found[plain] = [not stands_out(sight.part(word.box), word.ink) for word in _chosen(words, plain)]
    if found.any():
        left = _chosen(words, found)
        found[found] = PageSight(page, left).unchanged_without(left)
    return found


def _fill(drawn: Drawing) -> int:
    if drawn["fill_opacity"] < 1 or not drawn["fill"]:
        return UNKNOWN
    return int.from_bytes(round(255 * part) for part in drawn["fill"])
