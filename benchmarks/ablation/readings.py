"""Readings of a document: with all passes, and with each of those left out that does something to it."""

import time
from collections import defaultdict
from collections.abc import Sequence, Set
from contextlib import ExitStack
from typing import NamedTuple

from schemas.errors import DocumentError
from schemas.options.sections import ParseOptions
from schemas.records import Element
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.page_model import PageModel
from tasks.parse.layout.regions import Region
from tasks.parse.passes.document import DOCUMENT_PASSES
from tasks.parse.passes.runner import Pass, run_passes
from tasks.parse.passes.table import CLASSIFICATION, SEGMENTATION, prepare_to_classify
from tasks.parse.pdf.io.document import PdfMetadata, seen_pdf, settle_document
from tasks.parse.pdf.io.page import SeenPage, settle_page

WHOLE = ""
"""The name of the reading that leaves nothing out."""
TOGETHER = "all of these"
"""The name of the reading that leaves several passes out."""


class Readings(NamedTuple):
    """Elements by the name of the pass that is left out, as far as they differ from those of WHOLE; heights of pages by number.

    `seconds` are what passes took of the processor, by name, on `n_pages`.
    """

    elements: dict[str, list[Element]]
    heights: dict[int, float]
    seconds: dict[str, float]
    n_pages: int


def read_with_each_left_out(content: bytes, options: ParseOptions) -> Readings:
    """Read a PDF with all passes, and without each that does anything to it. One that cannot be read has no elements."""
    with ExitStack() as stack:
        try:
            seen, metadata = stack.enter_context(seen_pdf(content, options))
        except DocumentError:
            return Readings({WHOLE: []}, {}, {}, 0)
        return _leave_each_out(seen, metadata)


def _leave_each_out(seen: Sequence[SeenPage], metadata: PdfMetadata) -> Readings:
    whole = [settle_page(page)[0] for page in seen]
    elements = {WHOLE: _elements_of(whole, metadata)}
    acting, seconds = _acting(seen)
    for name, numbers in acting.items():
        pages = [settle_page(page, {name})[0] if n in numbers else whole[n] for n, page in enumerate(seen)]
        elements[name] = _elements_of(pages, metadata)
    for one in DOCUMENT_PASSES:
        elements[one.name] = _elements_of(whole, metadata, {one.name})
    differing = {name: found for name, found in elements.items() if name == WHOLE or found != elements[WHOLE]}
    return Readings(differing, {page.number: page.height for page in whole}, seconds, len(seen))


def read_without_all(content: bytes, options: ParseOptions, names: Set[str]) -> Readings:
    """Read a PDF with all passes, and, as TOGETHER, without those called `names`. One that cannot be read has no elements."""
    with ExitStack() as stack:
        try:
            seen, metadata = stack.enter_context(seen_pdf(content, options))
        except DocumentError:
            return Readings({WHOLE: []}, {}, {}, 0)
        whole = _elements_of([settle_page(page)[0] for page in seen], metadata)
        without = _elements_of([settle_page(page, names)[0] for page in seen], metadata, names)
    elements = {WHOLE: whole} if whole == without else {WHOLE: whole, TOGETHER: without}
    return Readings(elements, {page.result.number: page.result.height for page in seen}, {}, len(seen))


def _elements_of(pages: Sequence[PageResult], metadata: PdfMetadata, without: Set[str] = frozenset()) -> list[Element]:
    try:
        return [piece.element for piece in settle_document(list(pages), metadata, without).found]
    except DocumentError:
        return []


def _acting(seen: Sequence[SeenPage]) -> tuple[dict[str, set[int]], dict[str, float]]:
    """Return the places of pages that each pass changes, for those that can be left out, and seconds of all by name."""
    acting: dict[str, set[int]] = defaultdict(set)
    seconds: dict[str, float] = defaultdict(float)

    def run(number: int, page: PageModel, regions: Sequence[Region], passes: Sequence[Pass]) -> Sequence[Region]:
        for one in passes:
            began = time.process_time()
            found = run_passes(page, regions, [one])
            seconds[one.name] += time.process_time() - began
            if not one.needed and (len(found) != len(regions) or any(a is not b for a, b in zip(found, regions, strict=True))):
                acting[one.name].add(number)
            regions = found
        return regions

    for number, page in enumerate(seen):
        for part in page.parts:
            model, regions = prepare_to_classify(part, run(number, part, part.seen, SEGMENTATION))
            run(number, model, regions, CLASSIFICATION)
    return acting, seconds
