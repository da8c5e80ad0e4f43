import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.extended import extended
from tests.tasks.parse.layout.pages import a_row, a_sentence

ROWS = [a_row(20 * n, name, str(n), "10.5") for n, name in enumerate(["pump", "valve", "motor", "shaft", "weld", "gear"])]
WORDS = [word for row in ROWS for word in row]


def around(rows: list[list[Word]]) -> Box:
    return union(word.box for row in rows for word in row)


@given(st.integers(0, 4), st.integers(2, 5))
def test_a_table_grows_to_the_rows_next_to_it_and_text_loses_them(first: int, count: int) -> None:
    seen = ROWS[first : first + count]
    if len(seen) < 2:
        return
    text = Region((0, -40, 300, 200), "paragraph")
    prose = a_sentence("A line of prose over all the columns of the table, far above it", 0, -40)
    found = extended([*prose, *WORDS], [Region(around(seen), "table", spaced=True), text], NO_RULES)
    assert [region.box for region in found if region.kind == "table"] == [around(ROWS)]
    assert [region.box for region in found if region.kind == "paragraph"] == [around([prose])]


@pytest.mark.parametrize(
    "line",
    [
        a_sentence("A paragraph that stands below the table", 0, 120),
        a_row(180, "brake", "7", "11.5"),
        a_row(120, "brake", "7", "11.5", width=70),
        [word._replace(size=12.0, font="Serif") for word in a_row(120, "brake", "7", "11.5")],
    ],
    ids=["prose", "far", "other columns", "other size"],
)
def test_what_is_no_row_stays_outside(line: list[Word]) -> None:
    table = Region(around(ROWS), "table", spaced=True)
    assert extended([*WORDS, *line], [table], NO_RULES) == [table]


def test_a_row_of_a_scan_belongs_to_its_table_though_its_type_is_measured_larger() -> None:
    head = [word._replace(size=12.0) for word in a_row(-20, "Part", "Load", "Cost")]
    table = Region(around(ROWS), "table", spaced=True)
    assert extended([*head, *WORDS], [table], NO_RULES)[0].box == around([head, *ROWS])
    larger = [word._replace(size=14.0) for word in head]
    assert extended([*larger, *WORDS], [table], NO_RULES) == [table]


def test_a_framed_table_and_one_that_is_not_spaced_stay() -> None:
    regions = [Region(around(ROWS[:3]), "table", spaced=True, role="framed"), Region(around(ROWS[3:5]), "table")]
    assert extended(WORDS, regions, NO_RULES) == regions


@pytest.mark.parametrize(
    ("last", "is_row"),
    [
        (a_sentence("Outdoor", 0, 140), True),
        (a_sentence("Source: what the readers of it say in a survey", 0, 140), False),
        (a_sentence("Outdoor", 0, 170), False),
        (a_sentence("Outdoor", 40, 140), False),
        ([*a_sentence("Outdoor", 0, 140), *a_sentence("Text", 0, 160)], False),
    ],
    ids=["heading", "note", "far", "elsewhere", "not last"],
)
def test_the_last_line_of_a_page_is_a_heading_of_rows_where_a_table_has_others(last: list[Word], is_row: bool) -> None:
    headed = [*ROWS[0], *a_sentence("Indoor", 0, 20), *(word for row in ROWS[1:] for word in _lower(row, 20))]
    table = Region(union(word.box for word in headed), "table", spaced=True)
    (found,) = extended([*headed, *last], [table], NO_RULES)
    assert found.box == union(word.box for word in (*headed, *(last if is_row else [])))
    assert extended([*WORDS, *_lower(last, -20)], [Region(around(ROWS), "table", spaced=True)], NO_RULES)[0].box == around(ROWS)


def _lower(words: list[Word], by: float) -> list[Word]:
    return [word._replace(box=(word.box[0], word.box[1] + by, word.box[2], word.box[3] + by)) for word in words]
