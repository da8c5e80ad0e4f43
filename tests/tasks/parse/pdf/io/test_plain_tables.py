"""A page of text that needs no layout model is read with it where names and texts beside them are a table."""

import pymupdf

from schemas.options.sections import RefreshOptions
from tasks.parse.pdf.io.page import read_page

PROSE = "The mill grinds by day and by night, whatever the wind may be at sea."
ROWS = {"<": "less", "<=": "less or equal", ">": "greater", "==": "equal"}


def test_a_table_in_fixed_width_type_on_a_page_of_text_is_found() -> None:
    page = pymupdf.open().new_page(width=500, height=400)
    for n in range(5):
        page.insert_text((50, 250 + 13 * n), PROSE, fontsize=10)
    page.insert_text((50, 50), "Operation", fontname="hebo", fontsize=10)
    page.insert_text((300, 50), "Meaning", fontname="hebo", fontsize=10)
    for n, (name, text) in enumerate(ROWS.items(), 1):
        page.insert_text((50, 50 + 20 * n), name, fontname="cour", fontsize=10)
        page.insert_text((300, 50 + 20 * n), text, fontname="cour", fontsize=10)
    elements = [element for element, _ in read_page(page, RefreshOptions().parse).elements]
    (table,) = [element for element in elements if element["kind"] == "table"]
    assert [f"| {name} | {text} |" in table["text"] for name, text in ROWS.items()] == [True] * 4


def test_a_table_between_two_rules_on_a_page_of_text_is_found() -> None:
    page = pymupdf.open().new_page(width=500, height=400)
    for n in range(5):
        page.insert_text((50, 250 + 13 * n), PROSE, fontsize=10)
    for y in (40, 110):
        page.draw_line((50, y), (450, y))
    for n, name in enumerate(("color", "data", "draw", "measure")):
        page.insert_text((55, 55 + 15 * n), name, fontname="cour", fontsize=10)
    page.insert_text((150, 70), "Names its parts", fontsize=10)
    elements = [element for element, _ in read_page(page, RefreshOptions().parse).elements]
    rows = "| color |  |\n| --- | --- |\n| data | Names its parts |\n| draw |  |\n| measure |  |"
    assert [element["text"] for element in elements if element["kind"] == "table"] == [rows]
