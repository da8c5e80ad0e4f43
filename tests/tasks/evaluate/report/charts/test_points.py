import re
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.evaluate.report.charts.points import Point, frontier, label_places, scatter
from tasks.evaluate.report.charts.shapes import LETTER

shares = st.floats(0, 1)
points = st.lists(st.builds(Point, shares, shares, st.just("7"), st.just("a")), min_size=1, max_size=60)


@given(points, st.booleans())
def test_no_point_beats_one_of_the_frontier(found: list[Point], smaller_x: bool) -> None:
    sign = -1 if smaller_x else 1
    best = frontier(found, smaller_x)
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
        for (x, y), label in zip(label_places(places, labels), labels, strict=True)
        if x >= 0
    ]
    assert boxes
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@settings(deadline=None)
@given(points, st.booleans())
def test_coordinates_lie_within_the_drawing(found: list[Point], smaller_x: bool) -> None:
    drawn = scatter(found, "IoU", "recall", smaller_x)
    assert "nan" not in drawn and "inf" not in drawn.lower().replace("info", "")
    assert all(0 <= float(x) <= 380 for x in re.findall(r' (?:c?x[12]?)="([-\d.]+)"', drawn))
    assert all(0 <= float(y) <= 250 for y in re.findall(r' (?:c?y[12]?)="([-\d.]+)"', drawn))
