import re
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.charts.charts import (
    ROW,
    CurvePoint,
    Point,
    Series,
    compute_box_plot_figures,
    draw_box_plot,
    draw_count_histogram,
    draw_interval,
    draw_line_chart,
    draw_scatter_plot,
    draw_stacked_bars,
    find_pareto_frontier,
    place_point_labels,
)
from tasks.charts.shapes import LETTER
from tests.tasks.evaluate.report.logs import HOSTILE

values = st.lists(st.floats(0, 1), min_size=1, max_size=50)

shares = st.floats(0, 1)
points = st.lists(st.builds(Point, shares, shares, st.just("7"), st.just("a")), min_size=1, max_size=60)

heights = st.floats(0, 1)
ats = st.builds(CurvePoint, st.integers(1, 10**4), heights, heights, heights, st.just("x"))


@given(values)
def test_a_box_plot_is_in_order(found: list[float]) -> None:
    drawn = compute_box_plot_figures(found)
    assert min(found) <= drawn.low <= drawn.first + 1e-9
    assert drawn.first <= drawn.median <= drawn.third
    assert drawn.third - 1e-9 <= drawn.high <= max(found)
    assert drawn.n == len(found)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["law", "chat"]), st.dictionaries(st.sampled_from("ab"), values, min_size=1), min_size=1))
def test_boxes_have_numbers_for_coordinates(groups: dict[str, dict[str, list[float]]]) -> None:
    drawn = draw_box_plot(groups, "iou@5")
    assert "nan" not in drawn
    assert drawn.count("<rect") == sum(map(len, groups.values()))


def test_sixty_recipes_have_a_row_each() -> None:
    drawn = draw_stacked_bars(
        {f"{at} recipe": {"cut": 3, "ranked last": at} for at in range(60)}, ["cut", "ranked last"], "questions"
    )
    rows = sorted(
        {float(y) for y in re.findall(r'text-anchor="end">|<text x="[\d.]+" y="([\d.]+)" text-anchor="end"', drawn) if y}
    )
    assert len(rows) == 60
    assert all(b - a == ROW for a, b in pairwise(rows))


def test_a_reason_is_told_by_letter_and_not_by_colour_alone() -> None:
    drawn = draw_stacked_bars({"one": {"cut": 30, "ranked last": 70}}, ["cut", "ranked last"], "questions")
    assert ">A 30<" in drawn and ">B 70<" in drawn
    assert "<span>cut</span>" in drawn and "cut: 30" in drawn


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=300))
def test_a_histogram_has_few_bars_and_counts_all(counts: list[int]) -> None:
    drawn = draw_count_histogram(counts, 16, "tokens")
    assert 1 <= drawn.count("<rect") <= 32
    assert "nan" not in drawn


def test_names_cannot_break_out_of_a_drawing() -> None:
    drawn = draw_stacked_bars({HOSTILE: {HOSTILE: 3}}, [HOSTILE], HOSTILE) + draw_box_plot({HOSTILE: {HOSTILE: [0.5]}}, HOSTILE)
    assert "<script" not in drawn and "<img" not in drawn and "\u202e" not in drawn


def test_an_interval_says_its_numbers_in_words() -> None:
    assert 'aria-label="0.500, interval 0.400 to 0.600"' in draw_interval(0.5, 0.4, 0.6, 1.0)


@given(points, st.booleans())
def test_no_point_beats_one_of_the_frontier(found: list[Point], smaller_x: bool) -> None:
    sign = -1 if smaller_x else 1
    best = find_pareto_frontier(found, smaller_x)
    assert best
    for point in best:
        assert not any(other.y >= point.y and sign * other.x > sign * point.x for other in found)
        assert not any(other.y > point.y and sign * other.x >= sign * point.x for other in found)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(60, 360), st.floats(15, 200)), min_size=60, max_size=60))
def test_no_two_labels_of_sixty_recipes_overlap(places: list[tuple[float, float]]) -> None:
    labels = [str(at) for at in range(1, 61)]
    boxes = [
        (x, y - 9, x + LETTER * len(label), y + 2)
        for (x, y), label in zip(place_point_labels(places, labels), labels, strict=True)
        if x >= 0
    ]
    assert boxes
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@settings(deadline=None)
@given(points, st.booleans())
def test_coordinates_lie_within_the_drawing(found: list[Point], smaller_x: bool) -> None:
    drawn = draw_scatter_plot(found, "IoU", "recall", smaller_x)
    assert "nan" not in drawn and "inf" not in drawn.lower().replace("info", "")
    assert all(0 <= float(x) <= 380 for x in re.findall(r' (?:c?x[12]?)="([-\d.]+)"', drawn))
    assert all(0 <= float(y) <= 250 for y in re.findall(r' (?:c?y[12]?)="([-\d.]+)"', drawn))


@settings(deadline=None)
@given(st.lists(st.lists(ats, min_size=1, max_size=30), min_size=1, max_size=7), st.booleans(), st.booleans())
def test_lines_have_numbers_for_coordinates(points: list[list[CurvePoint]], bands: bool, logarithmic: bool) -> None:
    series = [Series(str(at), found) for at, found in enumerate(points)]
    drawn = draw_line_chart(series, "budget", "recall", marks=[(2, "recipe")], bands=bands, logarithmic=logarithmic)
    assert "nan" not in drawn
    assert drawn.count("<title>x</title>") == sum(map(len, points))


def test_generations_are_whole_numbers_on_the_axis() -> None:
    drawn = draw_line_chart(
        [Series("recall", [CurvePoint(1, 0.5, 0.4, 0.6, ""), CurvePoint(2, 0.6, 0.5, 0.7, "")])], "generation", "mean"
    )
    assert ">1<" in drawn and ">2<" in drawn and ">1.2<" not in drawn


def test_series_differ_in_shape_as_well_as_in_colour() -> None:
    drawn = draw_line_chart([Series(name, [CurvePoint(1, 0.5, 0.5, 0.5, "")]) for name in "abc"], "x", "y")
    assert "<circle" in drawn and drawn.count("<polygon") == 4
