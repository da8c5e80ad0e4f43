"""Assembly: joins elements in reading order into one text, and gives each element its offsets."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from schemas.records import Element, Page, PlacedElement
from schemas.tables.elements import HEADINGS, OUT_OF_TEXT
from tasks.parse.layout.geometry import Box, as_box, as_struct, box_of, clamped

SEPARATOR = "\n\n"
_AROUND = re.compile(r"(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+)+(?=#{1,6}[ \t])")
"""The markers of items and quotations that a heading of Markdown stands in."""
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}\Z")
"""The name and classes that a heading of Markdown is given."""
_ROW = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\Z")
"""The row of punctuation under, and in reStructuredText also over, a heading."""
MAX_DISTANCE = 72.0
"""Largest distance between a figure and its caption, in points."""


class Assembled(NamedTuple):
    """A document's text, and its elements as values of `schemas.tables.elements.PLACED`."""

    text: str
    elements: list[PlacedElement]


def assemble(elements: Sequence[Element], text: str | None = None, hidden: bool = False) -> Assembled:
    """Return the text of `elements`, with blank lines between them, and the elements with their offsets and sections.

    The parts of one table or paragraph are joined by their `joined_by`. Furniture, elements without text and, unless `hidden`,
    hidden elements have no offsets. A given `text` stays as it is, and so do the offsets.
    """
    if text is not None:
        return Assembled(text, _with_sections(elements))
    parts: list[str] = []
    placed: list[Element] = []
    end = 0
    for element in elements:
        start = None
        shown = element["kind"] not in OUT_OF_TEXT or (hidden and element["kind"] == "hidden")
        if shown and element["text"].strip():
            joined_by = element.get("joined_by")
            between = SEPARATOR if joined_by is None else joined_by
            start = end + len(between) if parts else 0
            end = start + len(element["text"])
            parts += [between, element["text"]] if parts else [element["text"]]
        placed.append({**element, "start_char": start, "end_char": None if start is None else end})
    return Assembled("".join(parts), _with_sections(placed))


def _with_sections(elements: Iterable[Element]) -> list[PlacedElement]:
    """Add the headings above each element, outermost first. A heading ends the sections of its own level and below."""
    above: list[tuple[int, str]] = []
    found: list[PlacedElement] = []
    for element in elements:
        if element["kind"] in HEADINGS:
            level = element["level"] or 1
            above = [heading for heading in above if heading[0] < level]
        found.append({**element, "section": [name for _, name in above]})
        if element["kind"] in HEADINGS:
            above.append((level, plain_heading(element["text"])))
    return found


def plain_heading(text: str) -> str:
    r"""Return a heading without its markers.

    >>> plain_heading("## A #1 title ##"), plain_heading("A title\n======="), plain_heading("~~~~~~~\nA title\n~~~~~~~")
    ('A #1 title', 'A title', 'A title')
    >>> plain_heading("## Fees {#fees .wide}"), plain_heading("1. - # Gates")
    ('Fees', 'Gates')
    """
    lines = text.strip().splitlines()
    if len(lines) > 2 and _ROW.match(lines[0]) and lines[0][0] == lines[-1][0]:
        del lines[0]
    if len(lines) > 1 and (_ROW.match(lines[-1]) or not lines[-1].strip("=- ")):
        lines.pop()
    joined = _ATTRIBUTES.sub("", _AROUND.sub("", " ".join(line.strip() for line in lines)))
    bare = joined.lstrip("#")
    if bare == joined or not bare.startswith((" ", "\t")):
        return joined
    stripped = bare.rstrip().rstrip("#")
    return (stripped if stripped.endswith((" ", "\t")) else bare).strip()


def on_pages(elements: Iterable[Element], pages: Iterable[Page]) -> list[Element]:
    """Return `elements` with their boxes clipped to their pages, since letters and drawings may cross the edges."""
    sizes = {page["page_number"]: (0.0, 0.0, page["width"], page["height"]) for page in pages}
    return [
        {**element, "bbox": as_struct(clamped(as_box(element["bbox"]), sizes[element["page_number"]]))}
        if element["bbox"]
        else element.copy()
        for element in elements
    ]


def captions_of(elements: Sequence[Element]) -> dict[int, str]:
    """Return, by position, the caption of each figure. A caption belongs to the nearest figure."""
    captions: dict[int, tuple[float, str]] = {}
    figures = [n for n, element in enumerate(elements) if element["kind"] == "figure" and element["bbox"]]
    for caption in elements:
        same_page = [n for n in figures if elements[n]["page_number"] == caption["page_number"]]
        if caption["kind"] != "caption" or not caption["bbox"] or not same_page:
            continue
        distance, nearest = min((_distance(box_of(elements[n]), box_of(caption)), n) for n in same_page)
        if distance <= MAX_DISTANCE and distance < captions.get(nearest, (MAX_DISTANCE + 1, ""))[0]:
            captions[nearest] = distance, caption["text"]
    return {n: text for n, (_, text) in captions.items()}


def _distance(a: Box, b: Box) -> float:
    """Return the gap between two rectangles, in points; 0 if they touch."""
    dx = max(a[0] - b[2], b[0] - a[2], 0.0)
    dy = max(a[1] - b[3], b[1] - a[3], 0.0)
    return float((dx * dx + dy * dy) ** 0.5)
