"""Elements of scanned pages: their OCR confidence, and the type sizes of headings over the pages of a document."""

from collections import Counter
from collections.abc import Sequence

from schemas.records import Element
from schemas.tables.elements import HEADINGS
from tasks.parse.layout.geometry import box_of, centre, holds
from tasks.parse.scans.typefaces.sizes import nearest, unlike
from tasks.parse.scans.words import ScannedWord

Sized = tuple[Element, float]


def with_confidence(elements: Sequence[Element], seen: Sequence[ScannedWord]) -> list[Element]:
    """Return elements with the mean confidence of the letters in them; null for those without words."""
    return [{**found, "confidence": _confidence(found, seen)} for found in elements]


def _confidence(found: Element, seen: Sequence[ScannedWord]) -> float | None:
    box = box_of(found)
    inside = [word for word in seen if holds(box, centre(word.word.box))]
    letters = sum(len(word.word.text) for word in inside)
    return sum(word.confidence * len(word.word.text) for word in inside) / letters if letters else None


def with_alike_headings(pages: Sequence[Sequence[Sized]]) -> list[list[Sized]]:
    """Return the elements of scanned pages, headings of nearly equal type size with the most frequent of their sizes.

    Sizes are measured on each page: headings of one level differ by a point from page to page. Bold type stays a step above.
    """
    counts: Counter[float] = Counter()
    for page in pages:
        counts.update(int(size * 2) / 2 for found, size in page if found["kind"] in HEADINGS)
    chosen = unlike(counts)
    return [[(found, _alike(size, chosen) if found["kind"] in HEADINGS else size) for found, size in page] for page in pages]


def _alike(size: float, chosen: Sequence[float]) -> float:
    """Return the size of a heading, in half points and a step above for bold type, by the sizes `chosen` for a document."""
    plain = int(size * 2) / 2
    return nearest(plain, chosen) + size - plain
