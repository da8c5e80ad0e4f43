"""Running headers and footers: recognised because they are repeated at the edges of several pages."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

MIN_PAGES = 3
"""Text that is repeated on fewer pages may be a coincidence."""
SAME_HEIGHT = 3.0
"""Largest vertical distance between two occurrences of one running header, in points."""
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)

Sized = tuple[dict[str, Any], float]
"""An element with its type size in points."""


class PageWithEdges(Protocol):
    """A page's elements. The first `n_top` and the last `n_bottom` are set apart at its edges."""

    elements: list[Sized]
    n_top: int
    n_bottom: int


def settle_edges(pages: Sequence[PageWithEdges]) -> None:
    """Make furniture of text that is repeated on several pages, except for numbers, at the same height.

    Other text at the same place in the same type size is furniture too, such as a title above a single page.
    """
    places: dict[tuple[str, int, float], dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for n, page in enumerate(pages):
        for index, side in _edges(page):
            for place in _places(page.elements[index], side):
                places[place][_key(page.elements[index])].add(n)
    running = {place for place, texts in places.items() if max(map(len, texts.values())) >= MIN_PAGES}
    for page in pages:
        for index, side in _edges(page):
            element, size = page.elements[index]
            if _places((element, size), side)[0] in running:
                page.elements[index] = {**element, "kind": "furniture"}, size


def _edges(page: PageWithEdges) -> Iterator[tuple[int, str]]:
    """Yield the index of each element at an edge, and the name of the edge."""
    yield from ((n, "top") for n in range(page.n_top))
    yield from ((n, "bottom") for n in range(len(page.elements) - page.n_bottom, len(page.elements)))


def _places(sized: Sized, side: str) -> list[tuple[str, int, float]]:
    """Return the height step of an element and the neighbouring steps, because a near element may be in one of these."""
    element, size = sized
    step = round((element["bbox"]["y0"] + element["bbox"]["y1"]) / 2 / SAME_HEIGHT)
    return [(side, near, round(size * 2) / 2) for near in (step, step - 1, step + 1)]


def _key(sized: Sized) -> str:
    return _NUMBERS.sub("#", sized[0]["text"]).casefold()
