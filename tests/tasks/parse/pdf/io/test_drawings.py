from typing import Any

from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.pdf.io.drawings import boxes_of


def a_path(*items: tuple[Any, ...], rect: tuple[float, float, float, float] = (0, 0, 100, 60)) -> dict[str, Any]:
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
