from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.evaluate.report.charts.lines import CurvePoint, Series, line_chart

shares = st.floats(0, 1)
ats = st.builds(CurvePoint, st.integers(1, 10**4), shares, shares, shares, st.just("x"))


@settings(deadline=None)
@given(st.lists(st.lists(ats, min_size=1, max_size=30), min_size=1, max_size=7), st.booleans(), st.booleans())
def test_lines_have_numbers_for_coordinates(points: list[list[CurvePoint]], bands: bool, logarithmic: bool) -> None:
    series = [Series(str(at), found) for at, found in enumerate(points)]
    drawn = line_chart(series, "budget", "recall", marks=[(2, "recipe")], bands=bands, logarithmic=logarithmic)
    assert "nan" not in drawn
    assert drawn.count("<title>x</title>") == sum(map(len, points))


def test_generations_are_whole_numbers_on_the_axis() -> None:
    drawn = line_chart(
        [Series("recall", [CurvePoint(1, 0.5, 0.4, 0.6, ""), CurvePoint(2, 0.6, 0.5, 0.7, "")])], "generation", "mean"
    )
    assert ">1<" in drawn and ">2<" in drawn and ">1.2<" not in drawn


def test_series_differ_in_shape_as_well_as_in_colour() -> None:
    drawn = line_chart([Series(name, [CurvePoint(1, 0.5, 0.5, 0.5, "")]) for name in "abc"], "x", "y")
    assert "<circle" in drawn and drawn.count("<polygon") == 4
