import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.records import BBox, Element
from tasks.describe.pictured_tables import (
    choose_elements_of_picture,
    has_more_letters,
    join_texts_of_elements,
    place_on_page,
    replace_figures,
)
from tasks.parse.elements.from_regions import element
from tasks.parse.tables.cells import Cell, as_html, as_pipes

WHOLE: BBox = {"x0": 0.0, "y0": 0.0, "x1": 1.0, "y1": 1.0}
ROWS = [["Region", "2022"], ["North", "120"], ["South", "90"]]


def table(rows: list[list[str]], confidence: float = 0.9) -> Element:
    cells = [Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    return element(1, "table", as_pipes(cells), html=as_html(cells), bbox=WHOLE, confidence=confidence)


def prose(text: str, kind: str = "paragraph") -> Element:
    return element(1, kind, text, bbox=WHOLE, level=1 if kind == "heading" else None, confidence=0.9)


def test_what_is_written_around_a_table_is_kept_and_is_no_heading_of_the_document() -> None:
    found = [prose("Sales", "heading"), table(ROWS), prose("In tonnes.", "footnote")]
    kept = choose_elements_of_picture(found, "Sales Region 2022 North 120 South 90 In tonnes.")
    assert [(part["kind"], part["level"]) for part in kept] == [("paragraph", None), ("table", None), ("footnote", None)]
    assert join_texts_of_elements(kept) == "Sales\nRegion 2022\nNorth 120\nSouth 90\nIn tonnes."


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ([prose("Region 2022")], "Region 2022"),
        ([table([["Region", "2022"]])], "Region 2022"),
        ([table([["Region"], ["North"]])], "Region North"),
        ([table([["Region", "."], ["North", "|"]])], "Region North"),
        ([table([["Region", "", ""], ["", "", "120"], ["", "", ""]])], "Region 120"),
        ([table(ROWS, confidence=0.4)], "Region 2022"),
        ([table(ROWS), prose("A chart of the sales of flour in all regions of the country.")], "Region 2022"),
        ([table(ROWS)], "Region 2022 North 120 South 90 and much else that the table lacks"),
        ([], ""),
    ],
    ids=["no table", "one row", "one column", "specks", "sparse", "unsure", "mostly text", "loses text", "nothing"],
)
def test_a_picture_that_is_no_clear_table_stays_a_figure(found: list[Element], text: str) -> None:
    assert choose_elements_of_picture(found, text) == []


def test_a_box_in_a_picture_becomes_one_on_the_page() -> None:
    part: Element = {**table(ROWS), "bbox": {"x0": 0.25, "y0": 0.5, "x1": 0.75, "y1": 1.0}}
    on_page = place_on_page(part, 7, (100.0, 200.0, 300.0, 280.0))
    assert (on_page["page_number"], on_page["bbox"]) == (7, {"x0": 150.0, "y0": 240.0, "x1": 250.0, "y1": 280.0})
    assert place_on_page(part, 1, None)["bbox"] is None


@given(sizes=st.lists(st.integers(0, 3), max_size=8))
def test_each_figure_keeps_its_place_and_points_to_its_table(sizes: list[int]) -> None:
    elements = [prose(str(n)) for n in range(len(sizes))]
    pictured = {n: [*[prose("Note")] * (size - 1), table(ROWS)] for n, size in enumerate(sizes) if size}
    found, positions = replace_figures(elements, pictured)
    assert len(found) == sum(max(1, size) for size in sizes)
    assert positions == sorted(positions)
    for n, (position, size) in enumerate(zip(positions, sizes, strict=True)):
        assert found[position] == (table(ROWS) if size else elements[n])


def test_what_the_reader_of_tables_alone_reads_is_not_lost() -> None:
    found = [table([["Region", "2022"]])]
    assert choose_elements_of_picture(found, "") == []
    assert has_more_letters(found, "") and has_more_letters(found, "Reg") and not has_more_letters(found, "Region")
    assert join_texts_of_elements(found) == "Region 2022"
