from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.records import NO_PROPERTIES, Element
from tasks.parse.elements.continued import wholes
from tasks.parse.elements.flow_document import FlowDocument, document_row
from tasks.parse.elements.places import column_letters, join_places, narrow_place, read_cells_place, write_cells_place
from tasks.parse.sheets.sheet import PART_PLACES, Merged, Sheet, find_regions, sheet_blocks

CELLS = st.dictionaries(st.tuples(st.integers(0, 12), st.integers(0, 6)), st.text("ab1", min_size=1, max_size=3), min_size=1)


def sheet_of(cells: dict[tuple[int, int], str], **rest: object) -> Sheet:
    rows: dict[int, dict[int, str]] = {}
    for (row, column), text in sorted(cells.items()):
        rows.setdefault(row, {})[column] = text
    return Sheet("S", rows, **rest)  # type: ignore[arg-type]


def elements_of(sheet: Sheet) -> list[Element]:
    return document_row(FlowDocument([], NO_PROPERTIES, stream=sheet_blocks(sheet)), 150)["elements"]


@given(CELLS)
def test_every_filled_cell_lies_in_one_region(cells: dict[tuple[int, int], str]) -> None:
    filled = {row: sum(1 << c for r, c in cells if r == row) for row in sorted({r for r, _ in cells})}
    regions = find_regions(filled)
    for row, column in cells:
        assert sum(row in region.rows and region.first <= column <= region.last for region in regions) == 1


@settings(max_examples=40, deadline=None)
@given(CELLS, st.sets(st.integers(0, 12)), st.sets(st.integers(0, 6)), st.data())
def test_no_cell_is_lost_whatever_is_hidden_or_merged(
    cells: dict[tuple[int, int], str], rows: set[int], columns: set[int], data: st.DataObject
) -> None:
    numbered = {at: f"{n}x{text}z" for n, (at, text) in enumerate(cells.items())}
    merged = [Merged(r, c, r + data.draw(st.integers(0, 2)), c + data.draw(st.integers(0, 2))) for r, c in list(cells)[:2]]
    found = elements_of(sheet_of(numbered, hidden_rows=rows, hidden_columns=columns, merged=merged))
    shown = " ".join(e["text"] for e in found if e["kind"] != "hidden").replace("|", " ").split()
    hidden = " ".join(e["text"] for e in found if e["kind"] == "hidden").replace("|", " ").split()
    for (row, column), text in numbered.items():
        inside = hidden if row in rows or column in columns else shown
        assert inside.count(text) == 1


def test_a_long_table_is_one_whose_parts_cite_their_rows() -> None:
    n = PART_PLACES
    cells = {(r, c): f"{r}.{c}" if r else "name" for r in range(n) for c in range(2)}
    heading, *parts = elements_of(sheet_of(cells, hidden_rows={5}))
    assert heading["text"] == "S"
    assert [part.get("place") for part in parts[:2]] == ["S!A1:B5,A7:B2001", "S!A2002:B4000"]
    (whole,) = [element for element in wholes(parts) if element["kind"] == "table"]
    lines = whole["text"].split("\n")
    assert len(lines) == n and lines[0] == "| name | name |" and lines[-1] == "| 3999.0 | 3999.1 |"
    assert (whole["html"] or "").count("<tr>") == n - 1
    assert (parts[1]["html"] or "").startswith("<table><thead><tr><td>name</td>")
    assert parts[-1]["kind"] == "hidden" and parts[-1].get("place") == "S!A6:B6"


@given(st.lists(st.integers(0, 400), min_size=1, unique=True).map(sorted), st.integers(0, 30), st.integers(0, 30))
def test_a_place_of_cells_reads_as_it_was_written(rows: list[int], first: int, more: int) -> None:
    for sheet in ("", "S", "it's 5%"):
        found = read_cells_place(write_cells_place(sheet, rows, (first, first + more)))
        assert found is not None
        assert [row - 1 for run in found.runs for row in run] == rows
        assert (found.first, found.last) == (column_letters(first), column_letters(first + more))


@given(st.integers(2, 30), st.data())
def test_the_place_of_part_of_a_table_is_that_of_the_rows_that_it_touches(n: int, data: st.DataObject) -> None:
    lines = [f"| {row} | x |" for row in range(n)]
    lines.insert(1, "| --- | --- |")
    text = "\n".join(lines)
    first = data.draw(st.integers(1, n - 1))
    last = data.draw(st.integers(first, n - 1))
    start, end = text.index(f"| {first} |"), text.index(f"| {last} |") + 3
    narrowed = narrow_place(f"S!A1:B{n}", text, start, end)
    assert narrowed == write_cells_place("S", range(first, last + 1), (0, 1))


def test_places_that_go_on_are_joined() -> None:
    assert join_places(["S!A1:B4", "S!A6:B9"]) == ["S!A1:B4,A6:B9"]
    assert join_places(["00:00:01.000-00:00:02.000", "00:00:02.500-00:00:04.000"]) == ["00:00:01.000-00:00:04.000"]
    assert join_places(["S!A1", "S!A1", "$.a", "$.b"]) == ["S!A1", "$.a", "$.b"]
