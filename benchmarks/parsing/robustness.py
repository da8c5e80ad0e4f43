"""Odd files: every one is accounted for, no page is silently empty, every box lies on its page."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.report import say
from schemas.errors import DocumentError
from schemas.media_types import PDF
from schemas.options.sections import LimitOptions, ParseOptions
from tasks.file_tools.io.inputs import hash_content
from tasks.parse.io.parse import Tick, parse_content
from tasks.workers.pool import WorkerPool

TOLERANCE = 0.01
"""Points that a box may reach over the edge of its page: places are rounded."""


class Look(NamedTuple):
    """What parse made of one document. A silent page has neither elements nor a reject, and is not of one colour."""

    n_pages: int
    n_ocr: int
    n_blank: int
    silent: list[int]
    n_rejects: int
    n_elements: int
    off_page: list[str]
    has_text: bool


def say_robustness(kit: Path) -> None:
    """Print what became of the odd files, and where the boxes of these and of the pages with known text lie."""
    say("\nrobustness: odd files; every one is a document or a reject with its reason")
    folder = kit / "robustness" / "pdf"
    with (kit / "robustness" / "inventory.csv").open(newline="") as source:
        inventory = {row["file"]: row for row in csv.DictReader(source)}
    looks = look_at(sorted(folder.rglob("*.pdf")))
    _say_outcomes({path.relative_to(folder).as_posix(): look for path, look in looks.items()}, inventory)
    looks |= look_at(sorted((kit / "parsing" / "pdf").glob("*.pdf")))
    read = {path: look for path, look in looks.items() if isinstance(look, Look)}
    off = [f"{path.name} {place}" for path, look in read.items() for place in look.off_page]
    n_elements = sum(look.n_elements for look in read.values())
    missed = " MISSED" if off else ""
    say(f"  these files and the pages with known text: {n_elements} elements, {len(off)} boxes off their page{missed}")
    for place in off[:10]:
        say(f"    {place}")


def _say_outcomes(looks: dict[str, Any], inventory: dict[str, dict[str, str]]) -> None:
    read = {name: look for name, look in looks.items() if isinstance(look, Look)}
    errors = {name: look for name, look in looks.items() if name not in read}
    died = {name: error for name, error in errors.items() if not isinstance(error, DocumentError)}
    lost = sorted(set(inventory) - set(looks))
    say(f"  {len(inventory)} files = {len(read)} documents + {len(errors) - len(died)} rejects + {len(died)} crashes or hangs")
    say(f"  not accounted for: {len(lost)}{' MISSED' if lost or died else ''}")
    for reason, n in Counter(str(error) for error in errors.values()).most_common():
        say(f"    {n} x {reason[:110]}")
    known, refused = (
        sum(int(inventory[name]["pages"] or 0) for name in names if name in inventory) for names in (inventory, errors)
    )
    silent = [f"{name} {look.silent}" for name, look in read.items() if look.silent]
    say(
        f"  pages: {sum(look.n_pages for look in read.values())} read, {refused} in rejected documents, of {known}; "
        f"{sum(look.n_ocr for look in read.values())} by OCR, {sum(look.n_rejects for look in read.values())} with a reject, "
        f"{sum(look.n_blank for look in read.values())} of one colour"
    )
    say(f"  pages without elements or reject: {sum(len(look.silent) for look in read.values())}{' MISSED' if silent else ''}")
    for line in silent[:10]:
        say(f"    {line}")
    bare = [name for name, row in inventory.items() if row["status"] == "no_text"]
    say(f"  files without a text layer: {len(bare)}, of which OCR gave text for {sum(_has_text(looks.get(n)) for n in bare)}")


def _has_text(look: Any) -> bool:
    return isinstance(look, Look) and look.has_text


def look_at(paths: list[Path]) -> dict[Path, Any]:
    """Return a Look or an error for each document."""
    with WorkerPool(LimitOptions()) as pool:
        return {
            paths[index]: Look(*found) if isinstance(found, tuple) else found
            for index, found in pool.map(look, [(str(path),) for path in paths])
        }


def look(path: str, tick: Tick) -> Look:
    """Parse one document, in a worker."""
    content = hash_content(Path(path))
    row = parse_content(content, ParseOptions(), tick).to_pylist()[0]
    seen = {element["page_number"] for element in row["elements"]} | {reject["page_number"] for reject in row["rejects"]}
    empty = [page["page_number"] for page in row["pages"] if page["page_number"] not in seen]
    blank = _of_one_colour(path, empty) if content.media_type == PDF else []
    pages = {page["page_number"]: page for page in row["pages"]}
    return Look(
        n_pages=len(row["pages"]),
        n_ocr=sum(page["ocr"] for page in row["pages"]),
        n_blank=len(blank),
        silent=[number for number in empty if number not in blank],
        n_rejects=len(row["rejects"]),
        n_elements=len(row["elements"]),
        off_page=[f"page {e['page_number']}: {e['kind']} {e['bbox']}" for e in row["elements"] if is_off(e, pages)],
        has_text=any(element["text"].strip() for element in row["elements"]),
    )


def _of_one_colour(path: str, numbers: list[int]) -> list[int]:
    from tasks.parse.layout.io.page_pictures import is_blank
    from tasks.parse.pdf.io.document import opened

    with opened(Path(path).read_bytes()) as document:
        return [number for number in numbers if is_blank(document.load_page(number - 1))]


def is_off(element: dict[str, Any], pages: dict[int, Any]) -> bool:
    """Return whether an element's box is upside down or reaches over the edge of its page."""
    box, page = element["bbox"], pages.get(element["page_number"])
    if box is None:
        return False
    if page is None:
        return True
    across = -TOLERANCE <= box["x0"] <= box["x1"] <= page["width"] + TOLERANCE
    return not (across and -TOLERANCE <= box["y0"] <= box["y1"] <= page["height"] + TOLERANCE)
