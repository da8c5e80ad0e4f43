from hypothesis import given
from hypothesis import strategies as st

from tasks.transforms.figure_words import Line, Parts, describe, parts_of, value_of

SIZE = (600, 400)


def line(text: str, x: float, y: float, width: float = 30) -> Line:
    return Line(text, (x, y, x + width, y + 10))


def chart() -> list[Line]:
    upward = [line(str(1000 * n), 20, 300 - 60 * n) for n in range(5)]
    across = [line(str(2019 + n), 80 + 100 * n, 330) for n in range(5)]
    legend = [line(name, 500, 80 + 15 * n, 60) for n, name in enumerate(("Skarn Bay", "Lower Firth"))]
    return [line("Harvest by bay", 250, 10, 120), *upward, *across, *legend, line("year", 290, 360, 40)]


def test_the_parts_of_a_chart_are_told_by_where_they_stand() -> None:
    found = parts_of(chart(), ["tonnes"], SIZE)
    assert found == Parts("Harvest by bay", "year", "tonnes", ("Skarn Bay", "Lower Firth"), (("2019", "2023"), ("0", "4000")))


def test_names_in_one_row_are_no_name_of_the_axis() -> None:
    months = [line(name, 60 + 90 * n, 340) for n, name in enumerate(("Jan", "Feb", "Mar", "Apr", "May"))]
    ticks = [line(str(n), 20, 300 - 60 * n) for n in range(5)]
    assert parts_of([*months, *ticks], [], SIZE).across == ""


def test_a_description_names_what_was_found_and_nothing_else() -> None:
    text = describe("line graph", 0.987, Parts("Tides", "hour", "metres", ("ebb", "flood")), "Figure 2. Tides.", "Tides 1 2 3")
    assert text.startswith("Line graph (confidence 0.99). Title: Tides. Axis: hour; metres. Legend: ebb, flood. ")
    assert text.endswith("Caption: Figure 2. Tides. Text: Tides 1 2 3")
    assert describe("photograph", 0.5, Parts(), None, "") == "Photograph (confidence 0.50)."
    assert describe("figure", None, Parts(), None, " ") == ""


@given(st.integers(-10_000_000, 10_000_000))
def test_a_number_means_the_same_with_and_without_commas(number: int) -> None:
    assert value_of(f"{number:,}") == value_of(str(number)) == number


@given(st.lists(st.tuples(st.text(max_size=8), st.floats(0, 600), st.floats(0, 400)), max_size=12))
def test_any_lines_have_parts_that_are_theirs(found: list[tuple[str, float, float]]) -> None:
    lines = [line(text, x, y) for text, x, y in found]
    parts = parts_of(lines, [], SIZE)
    texts = {text for text, _, _ in found} | {""}
    assert {parts.title, parts.across, *parts.legend} <= texts
