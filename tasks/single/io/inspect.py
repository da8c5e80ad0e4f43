"""Inspect: show how Pagemill sees one page, as a list of elements or as a drawing."""

from pathlib import Path
from typing import Any

from schemas.errors import DocumentError, InputError
from schemas.media_types import PDF, media_type_of
from schemas.options.sections import RefreshOptions
from schemas.references import Content
from tasks.parse.elements.assembly import assemble
from tasks.parse.io.parse import Tick, parse_content
from tasks.parse.layout.geometry import Box, as_box, centre, grown, holds
from tasks.parse.scans.io.tesseract import check_tesseract
from tasks.parse.tables.cell_places import places_of
from tasks.parse.tables.html_cells import cells_of
from tasks.single.io.inputs import content_of, find_document
from tasks.single.messages import naming
from tasks.store import files
from tasks.workers.pool import run_one

Words = list[tuple[Box, str]]
SHOWN = ("kind", "level", "section", "bbox", "text", "html", "confidence")


def inspect_page(path: Path, page_number: int, out: Path | None, furniture: bool, options: RefreshOptions) -> dict[str, Any]:
    """Return the elements of a page in reading order, numbered from 1. Draw them on the page in the PNG `out`, if given.

    Pages count from 1. The whole document is parsed, so levels and sections are right.

    Raises:
        InputError: the document or page does not exist, the page has no picture, or `out` is not a possible file.
        WriteError: `out` cannot be written.
        PagemillError: the document cannot be read.
    """
    check_tesseract(options.parse.ocr_languages)
    find_document(path)
    if page_number < 1:
        raise InputError(f"--page {page_number}: pages count from 1")
    if out:
        _check_output(path, out)
    content = content_of(path)
    try:
        found, picture = run_one(inspected, (content, page_number, furniture, bool(out), options), options.limits)
    except DocumentError as error:
        raise naming(path, error) from error
    if out:
        files.put(out, picture)
    return {"path": str(path), "output": str(out) if out else None, **found}


def _check_output(path: Path, out: Path) -> None:
    if media_type_of(path.name) != PDF:
        raise InputError(f"{path} has no page picture, because only PDFs have one: leave out --out to list its elements")
    if out.is_dir():
        raise InputError(f"{out} is a folder: name a file in it, such as {out / 'page.png'}")
    if out.suffix.lower() != ".png":
        raise InputError(f"{out} does not end in .png: choose a name that does, because the page is drawn as PNG")
    files.check_folder(out.parent, make=False)


def inspected(
    content: Content, page_number: int, furniture: bool, drawn: bool, options: RefreshOptions, tick: Tick
) -> tuple[dict[str, Any], bytes]:
    """Return the elements of the page, and its PNG if `drawn` (otherwise empty bytes). Runs in a worker.

    Raises:
        InputError: the document does not have this page.
        DocumentError: the document cannot be read.
    """
    path = content.path
    if content.media_type == PDF:
        from tasks.parse.pdf.io.page_view import n_pages_of

        _check_page(path, page_number, n_pages_of(Path(path).read_bytes()))
    row = parse_content(content, options.parse, tick).to_pylist()[0]
    found = _page_of(path, row, page_number, furniture)
    return found, _drawn(path, page_number, found) if drawn else b""


def _check_page(path: str, page_number: int, n_pages: int) -> None:
    if page_number > n_pages:
        pages = f"pages 1 to {n_pages}" if n_pages > 1 else "one page"
        raise InputError(f"{path} has {pages}: there is no page {page_number}")


def _page_of(path: str, row: dict[str, Any], page_number: int, furniture: bool) -> dict[str, Any]:
    n_pages = max((page["page_number"] for page in row["pages"]), default=1)
    _check_page(path, page_number, n_pages)
    page: dict[str, Any] = next((page for page in row["pages"] if page["page_number"] == page_number), {})
    elements = [
        {"position": position, **element}
        for position, element in enumerate(assemble(row["elements"], row["text"]).elements)
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
        "rejects": [reject for reject in row["rejects"] if reject["page_number"] in (0, page_number)],
    }


def _drawn(path: str, page_number: int, found: dict[str, Any]) -> bytes:
    from tasks.parse.pdf.io.page_view import view_page
    from tasks.single.io.page_drawing import draw_page

    view = view_page(Path(path).read_bytes(), page_number)
    marks = [_mark(element, view.words) for element in found["elements"] if element["bbox"]]
    title = f"{Path(path).name}, page {page_number} of {found['n_pages']}"
    return draw_page(view.picture, view.scale, marks, title, _notes(found))


def _mark(element: dict[str, Any], words: Words) -> Any:
    from tasks.single.io.page_drawing import Mark

    box = as_box(element["bbox"])
    return Mark(element["number"], element["kind"], element["level"], box, _cells(element, words), element["text"])


def _cells(element: dict[str, Any], words: Words) -> list[Box]:
    if not element["html"]:
        return []
    box = as_box(element["bbox"])
    inside = [(_core(place), text) for place, text in words if holds(box, centre(place))]
    return places_of(cells_of(element["html"]), inside, box)


def _core(place: Box) -> Box:
    """Return the middle half of a word's height: word boxes have the height of their type, so boxes of close rows overlap."""
    return grown(place, 0.0, -(place[3] - place[1]) / 4)


def _notes(found: dict[str, Any]) -> list[str]:
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
