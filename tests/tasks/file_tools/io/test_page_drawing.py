from hypothesis import given
from hypothesis import strategies as st

from tasks.file_tools.io.page_drawing import place_labels
from tasks.parse.layout.geometry import Box, area, common

CANVAS = (0.0, 0.0, 400.0, 400.0)
SIZE = 20.0, 12.0
PLACES = st.integers(-50, 450)
SIDES = st.integers(0, 300)
BOXES = st.builds(lambda x, y, w, h: (float(x), float(y), float(x + w), float(y + h)), PLACES, PLACES, SIDES, SIDES)


@given(boxes=st.lists(BOXES, max_size=12))
def test_labels_stay_on_the_canvas(boxes: list[Box]) -> None:
    for place in place_labels(boxes, [SIZE] * len(boxes), CANVAS):
        assert abs(area(common(place, CANVAS)) - SIZE[0] * SIZE[1]) < 1e-6


@given(rows=st.lists(st.integers(20, 300), min_size=1, max_size=12))
def test_labels_of_lines_of_text_cover_nothing(rows: list[int]) -> None:
    boxes = [(60.0, 20.0 + 30 * n, 60.0 + width, 40.0 + 30 * n) for n, width in enumerate(rows)]
    places = place_labels(boxes, [SIZE] * len(boxes), CANVAS)
    assert all(area(common(place, box)) == 0 for place in places for box in boxes)
    assert all(area(common(a, b)) == 0 for n, a in enumerate(places) for b in places[:n])


def test_the_labels_of_boxes_in_one_another_lie_apart() -> None:
    boxes = [(100.0, 100.0, 200.0, 200.0)] * 4
    places = place_labels(boxes, [SIZE] * 4, CANVAS)
    assert all(area(common(a, b)) == 0 for n, a in enumerate(places) for b in places[:n])
