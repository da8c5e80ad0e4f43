import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.describe.figure_words import MOST_LINES, ChartParts, describe_figure, find_chart_parts
from tasks.parse.layout.figure_lines import FigureLine

SIZE = (600, 400)


def line(text: str, x: float, y: float, size: float = 10, turn: int = 0) -> FigureLine:
    """A line whose middle is at (x, y)."""
    width, height = (size * len(text) / 2, size) if turn % 180 == 0 else (size, size * len(text) / 2)
    return FigureLine(text, (x - width / 2, y - height / 2, x + width / 2, y + height / 2), size, turn)


def starting(text: str, x: float, y: float, size: float = 10) -> FigureLine:
    """A line that begins at x."""
    return line(text, x + size * len(text) / 4, y, size)


def ending(text: str, x: float, y: float, size: float = 10) -> FigureLine:
    """A line that ends at x."""
    return line(text, x - size * len(text) / 4, y, size)


def upright_axis(x: float = 60, step: int = 1000) -> list[FigureLine]:
    return [ending(str(step * n), x, 300 - 60 * n) for n in range(5)]


def row(*texts: str, y: float = 325) -> list[FigureLine]:
    return [line(text, 120 + 400 * n / (len(texts) - 1), y) for n, text in enumerate(texts)]


YEARS = ("2019", "2020", "2021", "2022", "2023")
BAYS = ("Skarn Bay", "Lower Firth")
NAMES = [line("tonnes", 15, 180, turn=90), line("year", 320, 350)]


def chart() -> list[FigureLine]:
    legend = [starting(name, 500, 80 + 15 * n) for n, name in enumerate(BAYS)]
    return [line("Harvest by bay", 320, 15, 12), *upright_axis(), *row(*YEARS), *legend, *NAMES]


def test_the_parts_of_a_chart_are_found_by_their_positions() -> None:
    assert find_chart_parts(chart(), SIZE) == ChartParts(
        "Harvest by bay", ("year", "tonnes"), (), BAYS, (("2019", "2023"), ("0", "4000"))
    )


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_chart_printed_sideways_has_the_same_parts(turn: int) -> None:
    lines, (width, height) = chart(), SIZE
    for _ in range(turn // 90):
        boxes = [(found.box[1], width - found.box[2], found.box[3], width - found.box[0]) for found in lines]
        lines = [found._replace(box=box, turn=(found.turn + 90) % 360) for found, box in zip(lines, boxes, strict=True)]
        width, height = height, width
    assert find_chart_parts(lines, (width, height)) == find_chart_parts(chart(), SIZE)


def test_names_in_one_row_are_categories_and_may_continue_below() -> None:
    found = find_chart_parts(
        [*row("Skarn", "Eider", "Lower", "Upper", "Mole"), line("Firth", 320, 337), *upright_axis(), line("year", 320, 360)], SIZE
    )
    assert found.categories == ("Skarn", "Eider", "Lower Firth", "Upper", "Mole")
    assert (found.axes, found.legend, found.ranges) == (("year",), (), (("0", "4000"),))


def test_dates_in_one_row_are_a_range() -> None:
    found = find_chart_parts([*row("Jan", "Feb", "Mar", "Apr", "May"), *upright_axis()], SIZE)
    assert (found.ranges, found.categories) == ((("Jan", "May"), ("0", "4000")), ())


def test_level_bars_have_their_categories_at_the_left() -> None:
    names = [ending(name, 100, 60 + 50 * n) for n, name in enumerate(("Kelp", "Dulse from", "Laver", "Carrageen"))]
    found = find_chart_parts([*names, ending("the sound", 100, 121), *row("0", "20", "40", "60")], SIZE)
    assert found.categories == ("Kelp", "Dulse from the sound", "Laver", "Carrageen")
    assert found.ranges == (("0", "60"),)


def test_a_second_upright_axis_has_its_own_name_and_range() -> None:
    second = [*(starting(str(n), 540, 300 - 60 * n) for n in range(5)), line("degrees", 585, 180, turn=270)]
    found = find_chart_parts([*upright_axis(), *second, *row(*YEARS), *NAMES], SIZE)
    assert (found.axes, found.ranges[1:]) == (("year", "tonnes", "degrees"), (("0", "4000"), ("0", "4")))


def test_numbers_at_the_bars_are_not_an_axis() -> None:
    stacked = [line(str(number), 220, y) for number, y in ((71, 250), (21, 170), (5, 120), (2, 80))]
    assert find_chart_parts([*stacked, *upright_axis(), *row(*YEARS)], SIZE).ranges == (("2019", "2023"), ("0", "4000"))


def test_a_name_above_an_axis_or_of_several_lines_is_one_name() -> None:
    of_two = [line("tonnes of kelp", 10, 180, turn=90), line("as landed", 22, 180, turn=90)]
    assert find_chart_parts([*upright_axis(), *row(*YEARS), *of_two], SIZE).axes == ("tonnes of kelp as landed",)
    assert find_chart_parts([*upright_axis(), *row(*YEARS), starting("% of all", 40, 40)], SIZE).axes == ("% of all",)


def test_a_title_may_have_two_lines_and_a_legend_none_of_them() -> None:
    legend = [starting(name, 250, 50 + 15 * n) for n, name in enumerate(("ebb", "flood", "slack"))]
    title = [line("The tides of", 320, 10, 13), line("Eider Strait", 320, 26, 13)]
    found = find_chart_parts([*title, *legend, *upright_axis(), *row(*YEARS)], SIZE)
    assert (found.title, found.legend) == ("The tides of Eider Strait", ("ebb", "flood", "slack"))
    assert find_chart_parts([*legend, *upright_axis(), *row(*YEARS)], SIZE).title == ""


def test_a_legend_may_be_in_rows_below_and_may_consist_of_years() -> None:
    legend = [starting(year, 200 + 80 * n, 370) for n, year in enumerate(("2021", "2022", "2023"))]
    found = find_chart_parts([*upright_axis(), *row("Skarn", "Eider", "Firth"), *legend], SIZE)
    assert (found.categories, found.legend) == (("Skarn", "Eider", "Firth"), ("2021", "2022", "2023"))


def test_an_entry_of_two_lines_is_one() -> None:
    legend = [starting("harvest of kelp", 300, 80), starting("before drying", 306, 92), starting("sales", 300, 104)]
    assert find_chart_parts([*upright_axis(), *row(*YEARS), *legend], SIZE).legend == ("harvest of kelp before drying", "sales")


def test_the_source_of_a_chart_is_not_part_of_it() -> None:
    assert find_chart_parts([*upright_axis(), *row(*YEARS), line("Source: the harbour board.", 320, 350)], SIZE).axes == ()


def test_a_round_chart_has_names_around_it_or_a_legend() -> None:
    around = [line("Buyers of kelp", 300, 20, 13), line("Food makers", 480, 120), line("Feed", 90, 200), line("54 %", 350, 180)]
    assert find_chart_parts(around, SIZE, has_axes=False) == ChartParts("Buyers of kelp", categories=("Food makers", "Feed"))
    legend = [starting(name, 500, 80 + 15 * n) for n, name in enumerate(("Food", "Feed", "Other"))]
    assert find_chart_parts([*legend, line("54 %", 250, 180)], SIZE, has_axes=False) == ChartParts(
        legend=("Food", "Feed", "Other")
    )


def test_a_figure_of_very_many_lines_has_no_parts() -> None:
    many = [line("kelp", 10 + n, 200) for n in range(MOST_LINES)]
    assert find_chart_parts([*chart(), *many], SIZE) == find_chart_parts([], SIZE) == ChartParts()


def test_a_description_names_what_was_found_and_nothing_else() -> None:
    parts = ChartParts("Tides", ("hour", "metres"), ("Mole", "Weir"), ("ebb", "flood"), (("0", "24"),))
    text = describe_figure("line graph", 0.987, parts, "Figure 2. Tides.", "Tides 1 2 3")
    assert text.startswith(
        "Line graph (confidence 0.99). Title: Tides. Axis: hour; metres. Categories: Mole, Weir. Legend: ebb, "
    )
    assert text.endswith("flood. Values: 0 to 24. Caption: Figure 2. Tides. Text: Tides 1 2 3")
    assert describe_figure("photograph", 0.5, ChartParts(), None, "") == "Photograph (confidence 0.50)."
    assert describe_figure("figure", None, ChartParts(), None, " ") == ""


PIECES = st.tuples(
    st.one_of(st.text(max_size=8), st.from_regex(r"-?[0-9]{1,5}%?", fullmatch=True)),
    st.floats(0, 600),
    st.floats(0, 400),
    st.floats(1, 40),
    st.sampled_from((0, 0, 45, 90, 270)),
)


@given(st.lists(PIECES, max_size=20), st.booleans())
def test_any_lines_have_parts_that_are_theirs(found: list[tuple[str, float, float, float, int]], has_axes: bool) -> None:
    parts = find_chart_parts([line(*piece) for piece in found], SIZE, has_axes)
    words = {word for text, *_ in found for word in text.split()}
    said = [parts.title, *parts.axes, *parts.categories, *parts.legend, *(end for span in parts.ranges for end in span)]
    assert {word for text in said for word in text.split()} <= words
