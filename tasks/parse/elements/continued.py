"""Continued: tables and paragraphs that continue on the next page or in the next column.

Each part stays an element with its own page and box. `joined_by` is the text between a part and the part before it. `wholes`
joins the parts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from schemas.records import BBox, Element
from schemas.tables.elements import OUT_OF_TEXT
from tasks.parse.layout.prose import joint
from tasks.parse.tables.continued import joined_html, names_the_same, rest_of, says_continued

ASIDE = (*OUT_OF_TEXT, "footnote", "note")
FLOATS = ("figure", "caption", "table")
"""Kinds that may come between the parts of a paragraph that continues on the next page, because they are set at the top or
bottom of pages and the text flows around them. On one page the reading order stays."""
MIN_WORDS = 4
"""Fewest words of a paragraph that may continue elsewhere. Labels and cells of forms have fewer."""
HIGHER = 10.0
"""Least distance, in points, of the top of a table's part in the next column from that of the part before it."""
SAME_SIZE = 0.6
"""Largest difference between the type sizes of two parts, in points."""
_ENDED = re.compile(r"""[.!?:;…。！？：；؟۔।]["'”’»)\]」』）】》\u00b2\u00b3\u00b9\u2070-\u2079]*\Z""")  # noqa: RUF001
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|\S+")
"""A word; in scripts without spaces, two letters count as one."""
SAME_EDGE = 1.0
"""Largest distance between the left edges of two parts, and the right edges, in type sizes."""
TWO_LINES = 2.0
"""Least height of two lines, in type sizes."""


class PositionedElement(NamedTuple):
    """An element, its position before parts were moved together, and its type size in points."""

    number: int
    element: Element
    size: float


def continued(pieces: Iterable[PositionedElement], heights: Mapping[int, float]) -> list[PositionedElement]:
    """Return the document's elements, continuing parts marked and moved after what they continue. `heights` are the pages'."""
    order: list[PositionedElement] = []
    heads: dict[int, Element] = {}
    for piece in pieces:
        at = _table_before(order, piece, heights, heads) if piece.element["kind"] == "table" else _paragraph_before(order, piece)
        if at is None:
            order.append(piece)
        else:
            order.insert(at, _joined(order, at, piece, heads))
    return order


def _joined(order: list[PositionedElement], at: int, piece: PositionedElement, heads: dict[int, Element]) -> PositionedElement:
    """Return `piece` as the continuation of the element before `at`, which loses a hyphen at its end."""
    before = order[at - 1]
    if piece.element["kind"] == "table":
        heads[piece.number] = heads.get(before.number, before.element)
        for n, between in enumerate(order[at:], at):
            if between.element["kind"] not in (*ASIDE, "table"):
                order[n] = between._replace(element={**between.element, "kind": "furniture", "level": None})
        return piece._replace(element={**piece.element, "text": rest_of(heads[piece.number], piece.element), "joined_by": "\n"})
    n_dropped, between_them = joint(before.element["text"], piece.element["text"])
    text = before.element["text"][: len(before.element["text"]) - n_dropped]
    order[at - 1] = before._replace(element={**before.element, "text": text})
    return piece._replace(element={**piece.element, "joined_by": between_them})


def _table_before(
    order: Sequence[PositionedElement], piece: PositionedElement, heights: Mapping[int, float], heads: Mapping[int, Element]
) -> int | None:
    """Return the place in `order` after the table that continues in `piece`, None if there is no such table."""
    for at in range(len(order), 0, -1):
        before = order[at - 1]
        if before.element["kind"] != "table":
            if not _may_pass(before.element, order[: at - 1], piece.element):
                return None
            continue
        goes_on = _breaks(before.element, piece.element, heights) or (
            before.number in heads and _is_beside(before.element, piece.element)
        )
        if goes_on and rest_of(heads.get(before.number, before.element), piece.element):
            return at
        if at < 2 or not _is_beside(order[at - 2].element, before.element):
            return None
    return None


def _is_beside(before: Element, after: Element) -> bool:
    """Return whether both are tables and the second stands to the right of the first on one page."""
    if before["kind"] != "table" or before["page_number"] != after["page_number"]:
        return False
    return _is_next_column(before["bbox"], after["bbox"])


def _may_pass(between: Element, above: Sequence[PositionedElement], table: Element) -> bool:
    if between["kind"] in ASIDE or says_continued(between["text"]):
        return True
    captions = [piece.element["text"] for piece in above if piece.element["kind"] == "caption"]
    own = between["kind"] == "caption" and between["page_number"] == table["page_number"]
    return own and any(names_the_same(between["text"], caption) for caption in captions[-1:])


def _breaks(before: Element, after: Element, heights: Mapping[int, float]) -> bool:
    """Return whether one part ends low on its page, and the other begins high on the next page or in the next column.

    In the next column it may as well begin higher than the first part: columns of equal length may end anywhere on a page.
    """
    n_pages = after["page_number"] - before["page_number"]
    if n_pages not in (0, 1) or not before["bbox"] or not after["bbox"]:
        return False
    if not n_pages and not _is_next_column(before["bbox"], after["bbox"]):
        return False
    if not n_pages and after["bbox"]["y0"] < before["bbox"]["y0"] - HIGHER:
        return True
    bottom, top = before["bbox"]["y1"] / heights[before["page_number"]], after["bbox"]["y0"] / heights[after["page_number"]]
    return bool(bottom >= 0.6 and top <= 0.4)


def _paragraph_before(order: Sequence[PositionedElement], piece: PositionedElement) -> int | None:
    """Return the place in `order` after the paragraph that continues in `piece`, None if there is no such paragraph."""
    first = piece.element["text"][:1]
    if piece.element["kind"] != "paragraph" or not (first.islower() or _has_no_case(first)):
        return None
    at = len(order)
    while at and order[at - 1].element["kind"] in ASIDE + FLOATS:
        at -= 1
    if not at or not _goes_on(order[at - 1], piece):
        return None
    floats = any(between.element["kind"] in FLOATS for between in order[at:])
    return None if floats and order[at - 1].element["page_number"] == piece.element["page_number"] else at


def _goes_on(before: PositionedElement, after: PositionedElement) -> bool:
    text = before.element["text"].rstrip()
    if before.element["kind"] not in ("paragraph", "list_item") or abs(before.size - after.size) > SAME_SIZE:
        return False
    if _ENDED.search(text) or len(_WORD.findall(text)) < MIN_WORDS:
        return False
    if not after.element["text"][0].islower() and not _are_flush(before, after):
        return False
    n_pages = after.element["page_number"] - before.element["page_number"]
    hyphenated = joint(text, after.element["text"])[0] > 0
    return n_pages == 1 or (n_pages == 0 and (hyphenated or _is_next_column(before.element["bbox"], after.element["bbox"])))


def _has_no_case(letter: str) -> bool:
    return letter.isalpha() and letter.lower() == letter.upper()


def _are_flush(before: PositionedElement, after: PositionedElement) -> bool:
    """Return whether the part before has several lines, and both begin and end at the same places."""
    a, b = before.element["bbox"], after.element["bbox"]
    if not a or not b or a["y1"] - a["y0"] < TWO_LINES * before.size:
        return False
    return max(abs(a["x0"] - b["x0"]), abs(a["x1"] - b["x1"])) <= SAME_EDGE * before.size


def _is_next_column(before: BBox | None, after: BBox | None) -> bool:
    if not before or not after:
        return False
    return after["x0"] >= (before["x0"] + before["x1"]) / 2 and after["y0"] < before["y1"]


def wholes(elements: Iterable[Element]) -> list[Element]:
    """Return the elements with the parts of each table and paragraph joined, with the page and box of the first part.

    Its text, offsets and HTML are those of all parts.
    """
    parted: list[list[Element]] = []
    for element in elements:
        if element.get("joined_by") is not None and parted:
            parted[-1].append(element)
        else:
            parted.append([element])
    return [_whole(parts) for parts in parted]


def _whole(parts: Sequence[Element]) -> Element:
    first = parts[0].copy()
    if len(parts) == 1:
        return first
    first["text"] += "".join(f"{part['joined_by']}{part['text']}" for part in parts[1:])
    more = [(part["html"], part["text"].count("\n") + 1) for part in parts[1:] if part["html"]]
    if first["html"] and more:
        first["html"] = joined_html(first["html"], more)
    first["links"] = [link for part in parts for link in part.get("links") or ()] or None
    first["end_char"] = parts[-1].get("end_char")
    return first
