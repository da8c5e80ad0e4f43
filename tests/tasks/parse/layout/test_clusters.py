from typing import Any

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.clusters import MAX_CLUSTERS, clusters_of, is_scattered
from tasks.parse.layout.geometry import Box

SIDES = st.integers(0, 60).map(float)
BOXES = st.lists(
    st.tuples(SIDES, SIDES, SIDES, SIDES).map(lambda s: (min(s[0], s[2]), min(s[1], s[3]), max(s[0], s[2]), max(s[1], s[3])))
)


@pytest.fixture(scope="module")
def page() -> Any:
    with pymupdf.open() as document:
        yield document.new_page()


@given(boxes=BOXES)
def test_clusters_are_those_of_pymupdf(page: Any, boxes: list[Box]) -> None:
    theirs = page.cluster_drawings(drawings=[{"rect": pymupdf.Rect(box)} for box in boxes], final_filter=False)
    assert sorted(clusters_of(boxes)) == sorted(map(tuple, theirs))


def test_a_box_inside_a_frame_belongs_to_it_even_if_it_is_near_no_side() -> None:
    frame = [(0.0, 0.0, 100.0, 1.0), (0.0, 0.0, 1.0, 100.0), (99.0, 0.0, 100.0, 100.0)]
    assert clusters_of([*frame, (50.0, 50.0, 51.0, 51.0)]) == [(0.0, 0.0, 100.0, 100.0)]


def test_points_of_a_chart_are_scattered_and_cells_of_a_table_are_not() -> None:
    points = [(10.0 * n, 7.0 * (n % 90), 10.0 * n + 2, 7.0 * (n % 90) + 2) for n in range(2 * MAX_CLUSTERS)]
    cells = [(10.0 * (n % 30), 8.0 * (n // 30), 10.0 * (n % 30) + 9, 8.0 * (n // 30) + 7) for n in range(2 * MAX_CLUSTERS)]
    assert is_scattered(points) and not is_scattered(points[:MAX_CLUSTERS])
    assert not is_scattered(cells)


def test_no_boxes_have_no_clusters() -> None:
    assert clusters_of([]) == []
