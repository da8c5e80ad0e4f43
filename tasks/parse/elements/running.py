"""Running headers and footers: recognised because they are repeated at the edges of several pages."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from schemas.records import Element
from schemas.tables.elements import HEADINGS
from tasks.parse.layout.geometry import box_of

MIN_PAGES = 3
"""Text that is repeated on fewer pages may be a coincidence."""
SAME_HEIGHT = 3.0
"""Largest vertical distance between two occurrences of one running header, in points."""
REPEATABLE = (*HEADINGS, "paragraph", "caption", "list_item")
"""Kinds that the layout model wrongly gives running headers."""
_NUMBERS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)

Sized = tuple[Element, float]
"""An element with its type size in points."""


class PageWithEdges(NamedTuple):
    """A page's elements. The first `n_top` and the last `n_bottom` are set apart at its edges."""

    elements: Sequence[Sized]
    n_top: int = 0
    n_bottom: int = 0


def with_running_headers(pages: Sequence[PageWithEdges]) -> list[list[Sized]]:
    """Return the elements of pages, text as furniture that is repeated on several, except for numbers, at the same height.

    Other text at the same place in the same type size is furniture too, such as a title above a single page.
    """
    places: dict[tuple[str, int, float], dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for n, page in enumerate(pages):
        for index, side in _edges(page):
            for place in _places(page.elements[index], side):
                places[place][_key(page.elements[index])].add(n)
    running = {place for place, texts in places.items() if max(map(len, texts.values())) >= MIN_PAGES}
    settled = [list(page.elements) for page in pages]
    for page, found in zip(pages, settled, strict=True):
        for index, side in _edges(page):
            element, size = found[index]
            if _places((element, size), side)[0] in running:
                found[index] = {**element, "kind": "furniture"}, size
    return settled


def with_repeated_settled(pages: Sequence[PageWithEdges]) -> list[list[Sized]]:
    """Return the elements of pages, text as furniture that is it on another: but for numbers, at one height, in one type.

    Pieces of a running header may be separate elements on one page and a single one on another. A heading stays one unless more
    pages have it as furniture than as a heading.
    """
    known: dict[tuple[str, float], list[tuple[int, float]]] = defaultdict(list)
    heads: dict[tuple[str, float], int] = defaultdict(int)
    for n, page in enumerate(pages):
        for key, height, size in _furniture(page.elements):
            known[key, size].append((n, height))
        for element, size in page.elements:
            heads[_key((element, size)), _step(size)] += element["kind"] in HEADINGS
    settled = [list(page.elements) for page in pages]
    for n, found in enumerate(settled):
        for index, (element, size) in enumerate(found):
            what = _key((element, size)), _step(size)
            if element["kind"] not in REPEATABLE or not element["bbox"]:
                continue
            others = {other for other, height in known.get(what, ()) if abs(height - _middle(element)) < SAME_HEIGHT} - {n}
            if len(others) > (heads[what] if element["kind"] in HEADINGS else 0):
                found[index] = {**element, "kind": "furniture"}, size
    return settled


def _furniture(elements: Sequence[Sized]) -> Iterator[tuple[str, float, float]]:
    """Yield key, height and type size of each piece of furniture, and of those at one height together."""
    found = [pair for pair in elements if pair[0]["kind"] == "furniture" and pair[0]["bbox"]]
    yield from ((_key(pair), _middle(pair[0]), _step(pair[1])) for pair in found)
    rows: list[list[Sized]] = []
    for pair in sorted(found, key=lambda pair: _middle(pair[0])):
        if rows and _middle(pair[0]) - _middle(rows[-1][0][0]) < SAME_HEIGHT:
            rows[-1].append(pair)
        else:
            rows.append([pair])
    for row in rows:
        ordered = sorted(row, key=lambda pair: box_of(pair[0])[0])
        yield " ".join(map(_key, ordered)), _middle(row[0][0]), max(_step(size) for _, size in row)


def _middle(element: Element) -> float:
    _, top, _, bottom = box_of(element)
    return (top + bottom) / 2


def _step(size: float) -> float:
    return round(size * 2) / 2


def _edges(page: PageWithEdges) -> Iterator[tuple[int, str]]:
    """Yield the index of each element at an edge, and the name of the edge."""
    ends = [(n, "top") for n in range(page.n_top)]
    ends += [(n, "bottom") for n in range(len(page.elements) - page.n_bottom, len(page.elements))]
    yield from ((n, side) for n, side in ends if page.elements[n][0]["kind"] != "footnote")


def _places(sized: Sized, side: str) -> list[tuple[str, int, float]]:
    """Return the height step of an element and the neighbouring steps, because a near element may be in one of these."""
    element, size = sized
    step = round(_middle(element) / SAME_HEIGHT)
    return [(side, near, _step(size)) for near in (step, step - 1, step + 1)]


def _key(sized: Sized) -> str:
    return _NUMBERS.sub("#", sized[0]["text"]).casefold()
