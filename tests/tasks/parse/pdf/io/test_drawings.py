from typing import Any, Unpack

import pytest

from tasks.parse.layout.raw_page import Drawing
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.pdf.io.drawings import boxes_of, rules_of


def a_path(*items: tuple[Any, ...], rect: tuple[float, float, float, float] = (0, 0, 100, 60)) -> Drawing:
    return {"items": list(items), "rect": rect, "type": "f"}


ROUND = [
    ("l", (10, 0), (90, 0)),
    ("c", (90, 0), (95, 0), (100, 5), (100, 10)),
    ("l", (100, 10), (100, 60)),
    ("l", (100, 60), (0, 60)),
    ("l", (0, 60), (0, 10)),
    ("c", (0, 10), (0, 5), (5, 0), (10, 0)),
]


def test_surfaces_and_outlines_with_round_corners_are_boxes() -> None:
    surface = a_path(("re", (200, 0, 300, 90), 1), rect=(200, 0, 300, 90))
    assert boxes_of([surface, a_path(*ROUND)], NO_RULES) == [(200, 0, 300, 90), (0, 0, 100, 60)]


def test_blobs_and_small_surfaces_are_none() -> None:
    blob = a_path(("c", (0, 0), (10, 40), (40, 10), (50, 30)), ("l", (50, 30), (100, 60)))
    assert boxes_of([blob, a_path(("re", (0, 0, 100, 20), 1), rect=(0, 0, 100, 20))], NO_RULES) == []


def test_four_rules_that_meet_are_a_box() -> None:
    sides = Rules((Rule(0, 0, 100), Rule(60, 0, 100)), (Rule(0, 0, 60), Rule(100, 0, 60)))
    assert boxes_of([], sides) == [(0, 0, 100, 60)]
    assert boxes_of([], sides._replace(horizontals=sides.horizontals[:1])) == []


def a_ring(thick: float, **more: Unpack[Drawing]) -> Drawing:
    inner, outer = (thick, thick, 100 - thick, 60 - thick), (0, 0, 100, 60)
    return {**a_path(("re", inner, -1), ("re", outer, -1)), "type": "f", "fill": (0, 0, 0), **more}


@pytest.mark.parametrize(
    ("drawing", "is_border"),
    [
        (a_ring(2, even_odd=True), True),
        ({**a_ring(2), "items": [("re", (2, 2, 98, 58), 1), ("re", (0, 0, 100, 60), -1)]}, True),
        (a_ring(2, even_odd=False), False),
        (a_ring(20, even_odd=True), False),
    ],
    ids=["even-odd", "opposite turns", "filled", "thick"],
)
def test_a_border_filled_between_two_rectangles_is_four_rules_and_no_surface(drawing: Drawing, is_border: bool) -> None:
    found = rules_of([drawing])
    sides = Rules((Rule(1, 1, 99), Rule(59, 1, 99)), (Rule(1, 1, 59), Rule(99, 1, 59)))
    assert (found == sides) == is_border
    assert bool(found.bands) != is_border
