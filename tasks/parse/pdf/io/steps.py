"""Steps: where the code of what makes elements stands, by the names that their changes give."""

from tasks.parse.elements.from_regions import CELLS, FIXED_WIDTH, elements_of
from tasks.parse.layout.io.layout_model import see_layout
from tasks.parse.layout.plain_pages import plain_regions
from tasks.parse.passes.document import DOCUMENT_PASSES
from tasks.parse.passes.runner import place_of
from tasks.parse.passes.table import PASSES
from tasks.parse.pdf.io.document import ASIDE
from tasks.parse.pdf.io.page import see_page
from tasks.parse.scans.io.ocr import give_up
from tasks.parse.tables.readers import read_table

STEPS = {
    "layout-model": see_layout,
    "plain-lines": plain_regions,
    "unread-page": give_up,
    ASIDE.by: see_page,
    CELLS: read_table,
    FIXED_WIDTH: elements_of,
    **{one.name: one.correct for one in (*PASSES, *DOCUMENT_PASSES)},
}
"""Functions by the names of steps: passes, and what is before and after them."""


def find_place(step: str) -> str:
    """Return the file and line of a step's function, as `tasks/parse/kinds/terms.py:30`."""
    return place_of(STEPS[step])
