"""The table of what only all pages of a document show: running headers, outline, parts that go on elsewhere, levels; in order.

To say why an element is what it is, `pagemill inspect FILE --page N --why` names these after the passes of its page.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from schemas.records import Element
from tasks.parse.elements.continued import PositionedElement, continued
from tasks.parse.elements.running import PageWithEdges, Sized, with_repeated_settled, with_running_headers
from tasks.parse.layout.levels import with_levels
from tasks.parse.layout.outline import OutlineEntry, outlined
from tasks.parse.layout.regions import Change
from tasks.parse.scans.elements import with_alike_headings


class PageElements(NamedTuple):
    """What was read of a page: its elements, the first `n_top` and the last `n_bottom` at its edges, and `asides` after them."""

    number: int
    height: float
    is_scan: bool
    elements: Sequence[Sized]
    n_top: int
    n_bottom: int
    asides: Sequence[Sized]


class DocumentModel(NamedTuple):
    """A document as its passes see it. Elements are numbered as its pages have them, those of a page before its asides."""

    pages: Sequence[PageElements]
    outline: Sequence[OutlineEntry]

    def starts(self) -> list[int]:
        """Return the number of the first element of each page."""
        return list(accumulate((len(page.elements) + len(page.asides) for page in self.pages[:-1]), initial=0))

    def on_pages(self, found: Sequence[PositionedElement]) -> Iterator[tuple[PageElements, list[PositionedElement]]]:
        """Yield each page with its elements but asides, before any has moved."""
        for start, page in zip(self.starts(), self.pages, strict=True):
            yield page, list(found[start : start + len(page.elements)])


@dataclass(frozen=True)
class DocumentPass:
    """A step over the elements of a document; what it does not change, it returns as it is. `evidence` as that of a `Pass`."""

    name: str
    correct: Callable[[DocumentModel, Sequence[PositionedElement]], Sequence[PositionedElement]]
    evidence: str = ""


def _at_edges(settle: Callable[[Sequence[PageWithEdges]], list[list[Sized]]]) -> Callable[..., list[PositionedElement]]:
    """Return a step that settles what stands at the edges of pages."""

    def correct(document: DocumentModel, found: Sequence[PositionedElement]) -> list[PositionedElement]:
        parts = list(document.on_pages(found))
        pages = [PageWithEdges([(p.element, p.size) for p in part], page.n_top, page.n_bottom) for page, part in parts]
        return _settled(found, [part for _, part in parts], settle(pages))

    return correct


def _with_sizes(document: DocumentModel, found: Sequence[PositionedElement]) -> list[PositionedElement]:
    parts = [part for page, part in document.on_pages(found) if page.is_scan]
    return _settled(found, parts, with_alike_headings([[(p.element, p.size) for p in part] for part in parts]))


def _settled(
    found: Sequence[PositionedElement], parts: Sequence[Sequence[PositionedElement]], settled: Sequence[Sequence[Sized]]
) -> list[PositionedElement]:
    """Return elements with those of `parts` as they are `settled`."""
    new = {
        piece.number: piece._replace(element=element, size=size)
        for part, pairs in zip(parts, settled, strict=True)
        for piece, (element, size) in zip(part, pairs, strict=True)
    }
    return [new.get(piece.number, piece) for piece in found]


def _outlined(document: DocumentModel, found: Sequence[PositionedElement]) -> list[PositionedElement]:
    named = outlined([(piece.element, piece.size) for piece in found], document.outline)
    return [piece._replace(element=element) for piece, (element, _) in zip(found, named, strict=True)]


def _levelled(document: DocumentModel, found: Sequence[PositionedElement]) -> list[PositionedElement]:
    levelled = with_levels((piece.element, piece.size) for piece in found)
    return [piece._replace(element=element) for piece, element in zip(found, levelled, strict=True)]


BEFORE_MOVES = (
    DocumentPass("running-headers", _at_edges(with_running_headers)),
    DocumentPass("repeated-headers", _at_edges(with_repeated_settled)),
    DocumentPass("sizes-of-scanned-headings", _with_sizes),
    DocumentPass("outline", _outlined, evidence="roundtrip nid +.0001, roundtrip mhs +.0044"),
)
"""All elements are where their pages have them."""

MOVES_AND_LEVELS = (
    DocumentPass(
        "continued",
        lambda document, found: continued(found, {page.number: page.height for page in document.pages}),
        evidence="roundtrip nid +.0018, roundtrip teds +.0201, roundtrip mhs +.0012",
    ),
    DocumentPass("levels", _levelled, evidence="roundtrip nid +.0002, dpbench nid -.0003"),
)

DOCUMENT_PASSES = (*BEFORE_MOVES, *MOVES_AND_LEVELS)


def elements_on(pages: Sequence[PageElements]) -> list[PositionedElement]:
    """Return the elements of pages, and after those of each its asides."""
    pairs = (pair for page in pages for pair in (*page.elements, *page.asides))
    return [PositionedElement(number, element, size) for number, (element, size) in enumerate(pairs)]


def settle(
    document: DocumentModel,
    found: Sequence[PositionedElement],
    passes: Sequence[DocumentPass],
    changes: dict[int, tuple[Change, ...]],
    without: Container[str] = (),
) -> list[PositionedElement]:
    """Return the elements after all passes but those `without`; what they change of an element is added to `changes`."""
    for one in passes:
        if one.name not in without:
            before = {piece.number: piece.element for piece in found}
            found = one.correct(document, found)
            for piece in found:
                what = _change(before[piece.number], piece.element)
                if what:
                    changes[piece.number] = (*changes.get(piece.number, ()), Change(one.name, what))
    return list(found)


def _change(old: Element, new: Element) -> str:
    """Return in words what became of an element, "" for nothing."""
    if old is new:
        return ""
    if old["kind"] != new["kind"]:
        return f"{old['kind']} → {new['kind']}"
    if old["level"] != new["level"]:
        return f"level {new['level']}"
    return "goes on from another part" if old["joined_by"] != new["joined_by"] else ""
