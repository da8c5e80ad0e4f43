"""Inspect: show how Pagemill sees one page, as a list of elements or as a drawing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemas.errors import DocumentError, InputError, PagemillError
from schemas.media_types import PDF, media_type_of
from schemas.options.sections import RefreshOptions
from tasks.file_tools.io.describe_document import add_path_to_error, describe_file
from tasks.file_tools.io.inputs import open_document
from tasks.file_tools.rendering import DescribedDocument
from tasks.parse.io.parse import Tick
from tasks.parse.layout.geometry import Box, as_box, centre, grown, holds
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.parse.tables.cell_places import places_of
from tasks.parse.tables.html_cells import cells_of
from tasks.store import files
from tasks.workers.pool import WorkerPool

Words = list[tuple[Box, str]]
SHOWN = ("kind", "level", "section", "bbox", "text", "html", "confidence")


def inspect_page(path: Path, page_number: int, out: Path | None, furniture: bool, options: RefreshOptions) -> dict[str, Any]:
    """Return the elements of a page in reading order, numbered from 1. Draw them on the page in the PNG `out`, if given.

    Pages count from 1. The whole document is described, so levels and sections are right.

    Raises:
        InputError: the document or page does not exist, the page has no picture, or `out` is not a possible file.
        WriteError: `out` cannot be written.
        PagemillError: the document cannot be read.
    """
    check_tesseract(options.parse.ocr_languages)
    if page_number < 1:
        raise InputError(f"--page {page_number}: pages count from 1")
    if out:
        _check_output_path(path, out)
    with WorkerPool(options.limits) as pool, open_document(pool, path, options.limits) as content:
        if content.media_type == PDF:
            _check_page_number(path, page_number, _call_in_worker(pool, path, count_pages, content.path))
        found = _describe_page(path, describe_file(pool, path, content, options), page_number, furniture)
        picture = _call_in_worker(pool, path, draw_page_elements, content.path, page_number, found) if out else b""
    if out:
        files.write_atomically(out, picture)
    return {"path": str(path), "output": str(out) if out else None, **found}


def _call_in_worker(pool: WorkerPool, path: Path, function: Callable[..., Any], *args: object) -> Any:
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


def _check_output_path(path: Path, out: Path) -> None:
    if media_type_of(path.name) != PDF:
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


def _describe_page(path: Path, document: DescribedDocument, page_number: int, furniture: bool) -> dict[str, object]:
    n_pages = max((page["page_number"] for page in document.pages), default=1)
    _check_page_number(path, page_number, n_pages)
    page: dict[str, Any] = next((dict(page) for page in document.pages if page["page_number"] == page_number), {})
    elements = [
        {"position": position, **element}
        for position, element in enumerate(document.table["elements"][0].as_py())
        if element["page_number"] == page_number
    ]
    shown = [element for element in elements if furniture or element["kind"] != "furniture"]
    return {
        "page_number": page_number,
        "n_pages": n_pages,
        "width": page.get("width"),
        "height": page.get("height"),
        "ocr": page.get("ocr", False),
        "n_furniture_left_out": len(elements) - len(shown),
        "elements": [
            {"number": n, "position": element["position"], **{name: element[name] for name in SHOWN}}
            for n, element in enumerate(shown, 1)
        ],
        "rejects": [reject for reject in document.rejects if reject["page_number"] in (0, page_number)],
    }


def draw_page_elements(path: str, page_number: int, found: dict[str, Any], tick: Tick) -> bytes:
    """Return the PNG of a PDF's page with its elements, as `inspect_page` finds them. Runs in a worker."""
    from tasks.file_tools.io.page_drawing import draw_marked_page
    from tasks.parse.pdf.io.page_view import view_page

    view = view_page(Path(path).read_bytes(), page_number)
    marks = [_make_element_mark(element, view.words) for element in found["elements"] if element["bbox"]]
    title = f"{Path(path).name}, page {page_number} of {found['n_pages']}"
    return draw_marked_page(view.picture, view.scale, marks, title, _list_page_notes(found))


def _make_element_mark(element: dict[str, Any], words: Words) -> Any:
    from tasks.file_tools.io.page_drawing import Mark

    box = as_box(element["bbox"])
    return Mark(element["number"], element["kind"], element["level"], box, _locate_table_cells(element, words), element["text"])


def _locate_table_cells(element: dict[str, Any], words: Words) -> list[Box]:
    if not element["html"]:
        return []
    box = as_box(element["bbox"])
    inside = [(_take_middle_half(place), text) for place, text in words if holds(box, centre(place))]
    return places_of(cells_of(element["html"]), inside, box)


def _take_middle_half(place: Box) -> Box:
    """Return the middle half of a word's height: word boxes have the height of their type, so boxes of close rows overlap."""
    return grown(place, 0.0, -(place[3] - place[1]) / 4)


def _list_page_notes(found: dict[str, Any]) -> list[str]:
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
