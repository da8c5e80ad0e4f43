"""Pictured tables: whether what was read in a picture is a table, and its elements in place of the figure."""

from collections.abc import Mapping, Sequence

from schemas.records import Element
from tasks.parse.layout.geometry import Box, area, as_box, as_struct, box_of
from tasks.parse.tables.cells import extent
from tasks.parse.tables.html_cells import cells_of, grid_of

LEAST_CONFIDENCE = 0.6
"""Smallest mean confidence of a letter in a table."""
LEAST_FILLED = 0.5
"""Smallest share of a table's places that have text."""
PLAIN_ROWS, PLAIN_FILLED = 3, 0.75
"""Fewest rows of a table that only its words show, and smallest share of its places that have text. The words of a chart in rows
and columns leave more places empty."""
MOSTLY = 0.6
"""Smallest share of a picture's letters that are in its tables, if the picture is one of a table."""
MOST_LOST = 0.2
"""Largest share of the letters in a picture that may be missing in its elements."""
SEVERAL = 2.0
"""What has more than so many times the letters of another reading of a picture says more."""
PROSE = ("title", "heading", "furniture", "figure")
"""Kinds that make no sense inside a picture: what it says over a table is no section of the document."""


def choose_elements_of_picture(found: Sequence[Element], text: str) -> list[Element]:
    """Return the elements that replace a picture in which `found` was read; none if it is not the picture of a table.

    `text` is what OCR reads in the picture without regard to tables.
    """
    kept = [_as_paragraph(element) for element in found if element["text"].strip()]
    tables = [element for element in kept if element["kind"] == "table"]
    if not tables or not all(map(_is_table, tables)):
        return []
    letters, within = (sum(_count_letters(join_texts_of_elements([element])) for element in part) for part in (kept, tables))
    if within < MOSTLY * letters or letters < (1 - MOST_LOST) * _count_letters(text):
        return []
    return kept


def _as_paragraph(element: Element) -> Element:
    return {**element, "kind": "paragraph", "level": None} if element["kind"] in PROSE else element


def is_plain_table(found: Sequence[Element]) -> bool:
    """Return whether one of the elements is a table of several rows and columns, almost all of whose cells have text."""
    return any(_is_table(element, PLAIN_ROWS, PLAIN_FILLED) for element in found if element["kind"] == "table")


def _is_table(element: Element, least_rows: int = 2, least_filled: float = LEAST_FILLED) -> bool:
    """Return whether a table has rows and two columns with text, and confident words in enough of its places."""
    cells = [cell for cell in cells_of(element["html"] or "") if any(map(str.isalnum, cell.text))]
    n_rows, n_columns = extent(cells_of(element["html"] or ""))
    filled = sum(cell.rows * cell.columns for cell in cells)
    return (
        len({cell.row for cell in cells}) >= least_rows
        and len({cell.column for cell in cells}) > 1
        and filled >= least_filled * n_rows * n_columns
        and (element["confidence"] or 0) >= LEAST_CONFIDENCE
    )


def has_more_letters(found: Sequence[Element], text: str) -> bool:
    """Return whether the elements in a picture have several times as many letters as `text`.

    Without regard to its rules, OCR takes a ruled table for a drawing and reads nothing in it.
    """
    return _count_letters(join_texts_of_elements(found)) > SEVERAL * _count_letters(text)


def join_texts_of_elements(found: Sequence[Element]) -> str:
    """Return the words of elements, a row of a table a line."""
    return "\n".join(filter(None, map(_get_element_words, found)))


def _get_element_words(element: Element) -> str:
    if element["kind"] != "table":
        return str(element["text"])
    return "\n".join(" ".join(filter(None, row)) for row in grid_of(element["html"] or ""))


def _count_letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def place_on_page(element: Element, page_number: int, box: Box | None) -> Element:
    """Return an element whose box is in shares of a picture on the page where the picture lies in `box`; None: nowhere."""
    if box is None:
        return {**element, "page_number": page_number, "bbox": None}
    x0, y0, x1, y1 = box_of(element)
    width, height = box[2] - box[0], box[3] - box[1]
    inner = (box[0] + x0 * width, box[1] + y0 * height, box[0] + x1 * width, box[1] + y1 * height)
    return {**element, "page_number": page_number, "bbox": as_struct(inner)}


def replace_figures(elements: Sequence[Element], pictured: Mapping[int, Sequence[Element]]) -> tuple[list[Element], list[int]]:
    """Return `elements` with others in place of some figures, by position, and the new position of each.

    The position of a figure that is replaced is that of its largest table.
    """
    found: list[Element] = []
    positions = []
    for n, element in enumerate(elements):
        parts = pictured.get(n, [element])
        positions.append(len(found) + max(range(len(parts)), key=lambda m: _measure_element(parts[m])))
        found += parts
    return found, positions


def _measure_element(element: Element) -> tuple[bool, float]:
    box = element["bbox"]
    return element["kind"] == "table", area(as_box(box)) if box else float(len(element["text"]))
