"""Charts of Office: numbers as their formats show them, levels of categories, sizes of bubbles, and the newer kinds."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tasks.parse.office.charts import as_shown, chart_text

C = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"'
SHOWN = {
    ("0.25", "0%"): "25%",
    ("0.125", "0.0%"): "12.5%",
    ("0.30000000000000004", "0%"): "30%",
    ("-0.07", "0%;[Red]-0%"): "-7%",
    ("0.30000000000000004", "General"): "0.3",
    ("1234567.5", "#,##0"): "1234567.5",
    ("12345678901234567890", "0"): "12345678901234567890",
    ("45322", "d-mmm-yy"): "2024-01-31",
    ("45322.75", "yyyy\\-mm\\-dd hh:mm"): "2024-01-31",
    ("45322", "[$-409]mmm yyyy;@"): "2024-01",
    ("45322", "yyyy"): "2024",
    ("45322", "m/d/yyyy"): "2024-01-31",
    ("45322", '0.0 "days"'): "45322",
    ("45322", "Standard"): "45322",
    ("5", '0 "%"'): "5",
    ("0", "d-mmm"): "0",
    ("Q1", "0%"): "Q1",
    ("", "0%"): "",
}


@pytest.mark.parametrize(("told", "text"), SHOWN.items())
def test_a_number_is_written_as_its_format_shows_it(told: tuple[str, str], text: str) -> None:
    assert as_shown(*told) == text


@given(st.text() | st.floats().map(str), st.text(alphabet='ymdhs0#%.,;[]"\\\\ AMP/-') | st.text())
def test_no_number_or_format_raises(text: str, code: str) -> None:
    assert isinstance(as_shown(text, code), str)


def points(*values: str) -> str:
    return "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values) if value)


def numbers(place: str, code: str, *values: str) -> str:
    inner = f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points(*values)}</c:numCache></c:numRef>"
    return f"<c:{place}>{inner}</c:{place}>"


def levels(*names: list[str]) -> str:
    inner = "".join(f"<c:lvl>{points(*level)}</c:lvl>" for level in names)
    return f"<c:cat><c:multiLvlStrRef><c:multiLvlStrCache>{inner}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>"


SERIES = {
    numbers("cat", "m/d/yyyy", "45322", "45351") + numbers("val", "0%", "0.25", "0.5"): "2024-01-31 25%, 2024-02-29 50%",
    levels(["Q1", "Q2", "Q1", "Q2"], ["2023", "", "2024", ""]) + numbers("val", "General", "1", "2", "3", "4"): (
        "2023 Q1 1, 2023 Q2 2, 2024 Q1 3, 2024 Q2 4"
    ),
    levels(["a", "b", "c"], ["", "B", ""], ["X"]) + numbers("val", "General", "1", "2", "3"): "X a 1, X B b 2, X B c 3",
    numbers("xVal", "General", "1") + numbers("yVal", "0%", "0.2") + numbers("bubbleSize", "General", "300"): "1 20% 300",
    numbers("val", "General", "1", "", "3"): "1, 3",
}


@pytest.mark.parametrize(("series", "text"), SERIES.items())
def test_a_series_keeps_all_that_its_points_say(series: str, text: str) -> None:
    chart = etree.fromstring(f"<c:chartSpace {C}><c:chart><c:ser>{series}</c:ser></c:chart></c:chartSpace>")
    assert chart_text(chart) == text


def test_days_are_counted_from_1904_where_the_chart_says_so() -> None:
    series = numbers("cat", "yyyy-mm-dd", "43860") + numbers("val", "General", "1")
    space = f'<c:chartSpace {C}><c:date1904 val="1"/><c:chart><c:ser>{series}</c:ser></c:chart></c:chartSpace>'
    assert chart_text(etree.fromstring(space)) == "2024-01-31 1"


def chart(layout: str, names: str, values: str = "val") -> Any:
    levels = "".join(f'<cx:lvl><cx:pt idx="0">{one}</cx:pt><cx:pt idx="1">{one}2</cx:pt></cx:lvl>' for one in names.split())
    numbers = '<cx:lvl><cx:pt idx="0">120</cx:pt><cx:pt idx="1">-17</cx:pt></cx:lvl>'
    data = f'<cx:strDim type="cat">{levels}</cx:strDim><cx:numDim type="{values}">{numbers}</cx:numDim>'
    series = (
        f'<cx:series layoutId="{layout}"><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series>'
    )
    inner = f'<cx:chartData><cx:data id="0">{data}</cx:data></cx:chartData><cx:chart>{series}</cx:chart>'
    return etree.fromstring(f"<cx:chartSpace {CX}>{inner}</cx:chartSpace>")


@pytest.mark.parametrize("layout", ["waterfall", "funnel", "boxWhisker", "paretoLine", "clusteredColumn", "regionMap"])
def test_a_newer_chart_keeps_its_data(layout: str) -> None:
    assert chart_text(chart(layout, "A")) == "Cash: A 120, A2 -17"


@pytest.mark.parametrize("layout", ["treemap", "sunburst"])
def test_a_chart_of_levels_names_the_outer_one_first(layout: str) -> None:
    assert chart_text(chart(layout, "leaf branch", "size")) == "Cash: branch leaf 120, branch2 leaf2 -17"
