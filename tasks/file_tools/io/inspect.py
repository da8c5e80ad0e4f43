"""Inspect: show how Pagemill sees one page, as a list of elements or as a drawing."""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.media_types import PDF
from schemas.options.sections import ParseOptions, RefreshOptions
from schemas.records import BBox, PlacedElement, Reason
from schemas.records import DescribedDocument as StagedDocument
from tasks.file_tools.io.describe_document import add_path_to_error, describe_file
from tasks.file_tools.io.inputs import open_document
from tasks.file_tools.rendering import DescribedDocument
from tasks.parse.io.parse import Tick
from tasks.parse.layout.geometry import Box, as_box, as_struct, centre, grown, holds
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.parse.tables.cell_places import places_of
from tasks.parse.tables.html_cells import cells_of
from tasks.refresh.io.screening import make_screen
from tasks.store import files
from tasks.workers.pool import Result, WorkerPool

Words = list[tuple[Box, str]]


class ElementChange(TypedDict):
    """What a step `by` that name did to an element, in words; its function is `at` a line of a file."""

    by: str
    at: str
    what: str


class PageRemark(ElementChange):
    """What a step left out, refused or weighed in a box of the page."""

    bbox: BBox


class ExplainedElement(TypedDict):
    """An element as parse reads it, with the changes that made it what it is, in order."""

    kind: str
    bbox: BBox | None
    text: str
    changes: list[ElementChange]


class ExplainedPage(TypedDict):
    """The elements of a page as parse reads them, and what else its steps did."""

    elements: list[ExplainedElement]
    remarks: list[PageRemark]


class InspectedElement(TypedDict):
    """An element of a page: its number in reading order, from 1, and its position in the document, from 0.

    It has `changes`, and the `remarks` on its place, if it was asked for why it is what it is.
    """

    number: int
    position: int
    kind: str
    level: int | None
    section: list[str]
    bbox: BBox | None
    text: str
    html: str | None
    confidence: float | None
    place: str | None
    changes: NotRequired[list[ElementChange]]
    remarks: NotRequired[list[PageRemark]]


class PersonalData(TypedDict):
    """A place of personal data on a page, with the box or place of its element; the value is told nowhere."""

    kind: str
    bbox: BBox | None
    place: str | None


class InspectedPage(TypedDict):
    """A page as Pagemill sees it; sizes are in points, None for a format without pages.

    It has `personal_data` if the options say that it is looked for, and the `remarks` on no shown element if it was asked why.
    """

    path: str
    output: str | None
    page_number: int
    n_pages: int
    width: float | None
    height: float | None
    ocr: bool
    n_furniture_left_out: int
    elements: list[InspectedElement]
    rejects: list[Reason]
    personal_data: NotRequired[list[PersonalData]]
    remarks: NotRequired[list[PageRemark]]


def inspect_page(
    path: Path, page_number: int, out: Path | None, furniture: bool, options: RefreshOptions, why: bool = False
) -> InspectedPage:
    """Return the elements of a page in reading order, numbered from 1. Draw them on the page in the PNG `out`, if given.

    Pages count from 1. The whole document is described, so levels and sections are right. If it is asked `why`, it is
    parsed once more: each element has its changes and the remarks on its place, and the page all other remarks.

    Raises:
        InputError: the document or page does not exist, the page has no picture, or `out` is not a possible file; or it is asked
            why of what is no PDF.
        WriteError: `out` cannot be written.
        PagemillError: the document cannot be read.
    """
    check_tesseract(options.parse.ocr_languages)
    if page_number < 1:
        raise InputError(f"--page {page_number}: pages count from 1")
    with WorkerPool(options.limits) as pool, open_document(pool, path, options.limits) as content:
        if out:
            _check_output_path(path, out, content.media_type)
        if why and content.media_type != PDF:
            raise InputError(f"{path}: only pages of PDFs are read by passes: leave out --why")
        if content.media_type == PDF:
            _check_page_number(path, page_number, _call_in_worker(pool, path, count_pages, content.path))
        document = describe_file(pool, path, content, options)
        found = _describe_page(path, document, page_number, furniture, str(out) if out else None)
        if options.pii.actions:
            row = document.table.to_pylist()[0]
            found["personal_data"] = _call_in_worker(pool, path, find_personal_data, row, page_number, options)
        if why:
            explained = _call_in_worker(pool, path, explain_page, content.path, page_number, options.parse)
            found["elements"], found["remarks"] = add_remarks(
                add_changes(found["elements"], explained["elements"]), explained["remarks"]
            )
        picture = _call_in_worker(pool, path, draw_page_elements, content.path, page_number, found) if out else b""
    if out:
        files.write_atomically(out, picture)
    return found


def _call_in_worker(pool: WorkerPool, path: Path, function: Callable[..., Result], *args: object) -> Result:
    """Return what a worker's function returns.

    Raises:
        PagemillError: what it raised; a DocumentError names the path.
    """
    [(_, outcome)] = pool.map(function, [args])
    if isinstance(outcome, DocumentError):
        raise add_path_to_error(path, outcome) from outcome
    if isinstance(outcome, PagemillError):
        raise outcome
    return outcome


def _check_output_path(path: Path, out: Path, media_type: str) -> None:
    if media_type != PDF:
        raise InputError(f"{path} has no page picture, because only PDFs have one: leave out --out to list its elements")
    if out.is_dir():
        raise InputError(f"{out} is a folder: name a file in it, such as {out / 'page.png'}")
    if out.suffix.lower() != ".png":
        raise InputError(f"{out} does not end in .png: choose a name that does, because the page is drawn as PNG")
    files.check_folder_writable(out.parent, make=False)


def count_pages(path: str, tick: Tick) -> int:
    """Return the number of pages of a PDF. Runs in a worker.

    Raises:
        DocumentError: the document cannot be read.
    """
    from tasks.parse.pdf.io.page_view import n_pages_of

    return n_pages_of(Path(path).read_bytes())


def _check_page_number(path: Path, page_number: int, n_pages: int) -> None:
    if page_number > n_pages:
        pages = f"pages 1 to {n_pages}" if n_pages > 1 else "one page"
        raise InputError(f"{path} has {pages}: there is no page {page_number}")


def _describe_page(
    path: Path, document: DescribedDocument, page_number: int, furniture: bool, output: str | None
) -> InspectedPage:
    n_pages = max((page["page_number"] for page in document.pages), default=1)
    _check_page_number(path, page_number, n_pages)
    page = next((page for page in document.pages if page["page_number"] == page_number), None)
    rows: list[PlacedElement] = document.table["elements"][0].as_py()
    elements = [(position, row) for position, row in enumerate(rows) if row["page_number"] == page_number]
    shown = [(position, row) for position, row in elements if furniture or row["kind"] != "furniture"]
    return {
        "path": str(path),
        "output": output,
        "page_number": page_number,
        "n_pages": n_pages,
        "width": page["width"] if page else None,
        "height": page["height"] if page else None,
        "ocr": page["ocr"] if page else False,
        "n_furniture_left_out": len(elements) - len(shown),
        "elements": [
            {
                "number": number,
                "position": position,
                "kind": row["kind"],
                "level": row["level"],
                "section": row["section"],
                "bbox": row["bbox"],
                "text": row["text"],
                "html": row["html"],
                "confidence": row["confidence"],
                "place": row.get("place"),
            }
            for number, (position, row) in enumerate(shown, 1)
        ],
        "rejects": [reject for reject in document.rejects if reject["page_number"] in (0, page_number)],
    }


def explain_page(path: str, page_number: int, options: ParseOptions, tick: Tick) -> ExplainedPage:
    """Return the elements of a page as parse reads them, and what its steps did to make them. Runs in a worker.

    Raises:
        DocumentError: the document cannot be read.
    """
    from tasks.parse.pdf.io.document import explain_pdf_page
    from tasks.parse.pdf.io.steps import find_place

    page = explain_pdf_page(Path(path).read_bytes(), page_number, options, tick)
    return {
        "elements": [
            {
                "kind": element["kind"],
                "bbox": element["bbox"],
                "text": element["text"],
                "changes": [{"by": change.by, "at": find_place(change.by), "what": change.what} for change in changes],
            }
            for element, changes in page.elements
        ],
        "remarks": [
            {"by": one.by, "at": find_place(one.by), "what": one.what, "bbox": as_struct(one.box)} for one in page.remarks
        ],
    }


def find_personal_data(row: StagedDocument, page_number: int, options: RefreshOptions, tick: Tick) -> list[PersonalData]:
    """Return the places of personal data on a page, in a row of DESCRIBED. Runs in a worker.

    Raises:
        InputError: a recogniser of the user's cannot be used.
    """
    _, found = make_screen(options.pii, secrets.token_bytes(32)).screen_described(row, [])
    return [
        {"kind": one["kind"], "bbox": one["bbox"], "place": one["place"]} for one in found if one["page_number"] == page_number
    ]


def add_changes(elements: Sequence[InspectedElement], explained: Sequence[ExplainedElement]) -> list[InspectedElement]:
    """Return described elements with the changes of those of parse that have their kind and text, or else their place."""
    left = list(explained)
    found: list[InspectedElement] = []
    for element in elements:
        same = (one for one in left if (one["kind"], one["text"]) == (element["kind"], element["text"]))
        around = (one for one in left if _lies_in(element["bbox"], one["bbox"]))
        own = next(same, None) or next(around, None)
        changes = list(own["changes"]) if own else []
        if own and own["kind"] != element["kind"]:
            place = "tasks/describe/io/describe.py"
            changes.append({"by": "describe", "at": place, "what": f"{own['kind']} → {element['kind']}"})
        elif own:
            left.remove(own)
        found.append({**element, "changes": changes})
    return found


def add_remarks(
    elements: Sequence[InspectedElement], remarks: Sequence[PageRemark]
) -> tuple[list[InspectedElement], list[PageRemark]]:
    """Return elements, each with the remarks on boxes whose middles are in it, and the other remarks."""
    found: list[InspectedElement] = []
    left = list(remarks)
    for element in elements:
        own = [one for one in left if _lies_in(one["bbox"], element["bbox"])]
        left = [one for one in left if one not in own]
        found.append({**element, "remarks": own})
    return found, left


def _lies_in(inner: BBox | None, outer: BBox | None) -> bool:
    """Return whether the middle of a box is in another."""
    return inner is not None and outer is not None and holds(as_box(outer), centre(as_box(inner)))


def draw_page_elements(path: str, page_number: int, found: InspectedPage, tick: Tick) -> bytes:
    """Return the PNG of a PDF's page with its elements, as `inspect_page` finds them. Runs in a worker."""
    from tasks.file_tools.io.page_drawing import Mark, draw_marked_page
    from tasks.parse.pdf.io.page_view import view_page

    view = view_page(Path(path).read_bytes(), page_number)
    marks = [
        Mark(one["number"], one["kind"], one["level"], box, _locate_table_cells(one["html"], box, view.words), one["text"])
        for one in found["elements"]
        if one["bbox"] and (box := as_box(one["bbox"]))
    ]
    title = f"{Path(path).name}, page {page_number} of {found['n_pages']}"
    return draw_marked_page(view.picture, view.scale, marks, title, _list_page_notes(found))


def _locate_table_cells(html: str | None, box: Box, words: Words) -> list[Box]:
    if not html:
        return []
    inside = [(_take_middle_half(place), text) for place, text in words if holds(box, centre(place))]
    return places_of(cells_of(html), inside, box)


def _take_middle_half(place: Box) -> Box:
    """Return the middle half of a word's height: word boxes have the height of their type, so boxes of close rows overlap."""
    return grown(place, 0.0, -(place[3] - place[1]) / 4)


def _list_page_notes(found: InspectedPage) -> list[str]:
    notes = [reject["message"] for reject in found["rejects"]]
    if found["ocr"]:
        notes.append("The page was read by OCR.")
    section = next((" / ".join(element["section"]) for element in found["elements"]), "")
    if section:
        notes.append(f"It begins in the section {section}.")
    if any(element["kind"] == "hidden" for element in found["elements"]):
        notes.append("It holds text that nobody can see, which chunks leave out.")
    if not found["elements"]:
        notes.append("No elements were found on the page.")
    if found["n_furniture_left_out"]:
        notes.append(f"Running headers, footers, page numbers: {found['n_furniture_left_out']}, not drawn (--furniture).")
    return notes
