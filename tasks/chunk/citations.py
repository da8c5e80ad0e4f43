"""Citations: the section, pages, boxes and places of a span of a document's text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from schemas.records import Citation, PageBox, PlacedElement
from schemas.tables.elements import HEADINGS
from tasks.parse.elements.places import join_places, narrow_place


class ElementIndex:
    """Finds the elements of one document that a span touches."""

    def __init__(self, elements: Sequence[PlacedElement]) -> None:
        """Take the rows of DESCRIBED's elements. An element's position is its index; those without offsets are skipped."""
        spans = [(e["start_char"], e["end_char"], i) for i, e in enumerate(elements)]
        self._elements = elements
        self._placed = sorted((start, end, i) for start, end, i in spans if start is not None and end is not None)
        self._starts = [start for start, _, _ in self._placed]
        self._ends = list(accumulate((end for _, end, _ in self._placed), max))

    def find_touched_elements(self, start: int, end: int) -> list[int]:
        """Return the positions of the elements that share a character with [start, end), in order of the text."""
        low, high = bisect_right(self._ends, start), bisect_left(self._starts, end)
        return [i for first, last, i in self._placed[low:high] if max(first, start) < min(last, end)]

    def cite_span(self, start: int, end: int) -> Citation:
        """Return section, pages, boxes, element_positions and places of the span [start, end).

        The section is that of the first element that is not a heading. A span that touches no element has the page and section
        of the element before it, or page 1 in a document without elements.
        """
        positions = self.find_touched_elements(start, end)
        touched = [self._elements[i] for i in positions] or self._find_element_before(start)
        named = next((e for e in touched if e["kind"] not in HEADINGS), touched[0] if touched else None)
        boxes: list[PageBox] = [{"page_number": e["page_number"], "bbox": e["bbox"]} for e in touched if e["bbox"] is not None]
        return {
            "section": named["section"] if named else [],
            "pages": sorted({e["page_number"] for e in touched}) or [1],
            "boxes": boxes if positions else [],
            "element_positions": sorted(positions),
            "places": join_places(self._find_places(positions, start, end)) or None,
        }

    def _find_places(self, positions: Sequence[int], start: int, end: int) -> Iterator[str]:
        """Yield the places of the elements at `positions`, of tables only those of the rows in [start, end)."""
        for element in (self._elements[i] for i in positions):
            place, first = element.get("place"), element["start_char"]
            if place and first is not None:
                text = element["text"]
                yield narrow_place(place, text, max(0, start - first), min(len(text), end - first))

    def _find_element_before(self, start: int) -> list[PlacedElement]:
        before = max(bisect_right(self._starts, start) - 1, 0)
        return [self._elements[i] for _, _, i in self._placed[before : before + 1]]
