from collections.abc import Sequence

import pytest

from tasks.parse.kinds.fields import with_fields
from tasks.parse.layout.geometry import Box, grown, union
from tasks.parse.layout.regions import FRAMED, Region
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import a_sentence

PLACES = [(0.0, 0.0), (200.0, 0.0), (0.0, 40.0), (200.0, 40.0)]
LABELS, VALUES = ["Place of birth", "Since", "Rent", "Office"], ["Ashford", "12.03.2011", "410.50", "North hall"]


def bold(words: Sequence[Word]) -> list[Word]:
    return [word._replace(bold=True) for word in words]


def field(n: int, strong: bool = True) -> list[Word]:
    x, y = PLACES[n]
    label = a_sentence(LABELS[n], x, y)
    return [*(bold(label) if strong else label), *a_sentence(VALUES[n], x, y + 13)]


def box_of(words: Sequence[Word]) -> Box:
    return grown(union(word.box for word in words), 4, 4)


FIELDS = [field(n) for n in range(4)]
WORDS = [word for words in FIELDS for word in words]
BOXES = [box_of(words) for words in FIELDS]
TABLE = Region(union(BOXES), "table", spaced=True)


def test_each_box_of_a_form_is_a_paragraph() -> None:
    around = grown(union(BOXES), 9, 9)
    found = with_fields(WORDS, [TABLE], [*BOXES, around])
    assert [(region.kind, region.box) for region in found] == [
        ("paragraph", union(word.box for word in words)) for words in FIELDS
    ]


@pytest.mark.parametrize(
    "words, region, boxes",
    [
        ([word for n in range(4) for word in field(n, strong=False)], TABLE, BOXES),
        (WORDS, TABLE, BOXES[:3]),
        (WORDS, TABLE, []),
        (WORDS, Region(TABLE.box, "table", role=FRAMED), BOXES),
        (WORDS, Region(TABLE.box, "paragraph"), BOXES),
    ],
    ids=["no labels", "words outside the boxes", "no boxes", "a frame of cells", "text"],
)
def test_all_else_stays(words: list[Word], region: Region, boxes: list[Box]) -> None:
    assert with_fields(words, [region], boxes) == [region]
