from dataclasses import replace

import pytest

from tasks.parse.elements.from_regions import elements_of
from tasks.parse.layout.geometry import Box
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import Cell
from tasks.parse.tables.html_cells import grid_of
from tasks.parse.tables.readers import read_table
from tasks.parse.tables.sideways import turned_upright

XS, YS = (10.0, 110.0, 210.0), (10.0, 40.0, 70.0)
TEXTS = [["one two", "three"], ["four", "five six"]]


def turned(box: Box, downwards: bool) -> Box:
    """Where a box lies once an upright page is printed sideways: running down, or up."""
    x0, y0, x1, y1 = box
    return (300 - y1, x0, 300 - y0, x1) if downwards else (y0, 300 - x1, y1, 300 - x0)


def sideways_table(downwards: bool) -> Region:
    words = []
    for row, texts in enumerate(TEXTS):
        for column, text in enumerate(texts):
            for n, part in enumerate(text.split()):
                x, y = XS[column] + 5 + 30 * n, YS[row] + 10
                box = turned((x, y, x + 5 * len(part), y + 10), downwards)
                words.append(Word(box, part, 0, 10 * row + column, turn=270 if downwards else 90))
    across = [turned((XS[0], y, XS[-1], y), downwards) for y in YS]
    down = [turned((x, YS[0], x, YS[-1]), downwards) for x in XS]
    rules = Rules(tuple(Rule(b[1], b[0], b[2]) for b in down), tuple(Rule(b[0], b[1], b[3]) for b in across))
    return Region((0.0, 0.0, 300.0, 300.0), "table", True, rules, words=words)


@pytest.mark.parametrize("downwards", [True, False])
def test_a_ruled_table_printed_sideways_is_read_as_if_upright(downwards: bool) -> None:
    region = turned_upright(sideways_table(downwards))
    cells = read_table(region.words, region.spaced, region.rules).cells
    assert cells == [Cell(row, column, text) for row, texts in enumerate(TEXTS) for column, text in enumerate(texts)]


@pytest.mark.parametrize("downwards", [True, False])
def test_a_spaced_table_printed_sideways_is_read_as_if_upright(downwards: bool) -> None:
    region = replace(sideways_table(downwards), rules=Rules())
    [(found, _, _)] = elements_of(1, [region], all_mono=False)
    assert [" ".join(filter(None, row)) for row in grid_of(found["html"] or "")] == ["one two three", "four five six"]


@pytest.mark.parametrize("downwards", [True, False])
def test_sideways_text_that_only_rules_could_make_a_table_is_a_paragraph_in_its_own_order(downwards: bool) -> None:
    region = replace(sideways_table(downwards), rules=Rules(), spaced=False)
    [(found, _, _)] = elements_of(1, [region], all_mono=False)
    assert (found["kind"], found["text"]) == ("paragraph", "one two three four five six")


def test_upright_text_stays_as_it_is() -> None:
    region = sideways_table(True)
    region = replace(region, words=[word._replace(turn=0) for word in region.words])
    assert turned_upright(region) is region
