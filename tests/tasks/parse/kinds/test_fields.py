from collections.abc import Sequence

import pytest

from tasks.parse.kinds.fields import with_fields
from tasks.parse.layout.geometry import Box, grown, union
from tasks.parse.layout.regions import FIELD, FRAMED, Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word, words_in
from tests.tasks.parse.layout.pages import a_sentence, both, lattice

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


def lines(labels: Sequence[str], values: Sequence[str]) -> list[Word]:
    pairs = enumerate(zip(labels, values, strict=True))
    return [word for n, (a, b) in pairs for word in (*bold(a_sentence(a, 0, 20.0 * n)), *a_sentence(b, 120, 20.0 * n))]


def table_of(words: Sequence[Word], rules: Rules = NO_RULES, role: str = "") -> Region:
    return Region(box_of(words), "table", spaced=True, rules=rules, role=role)


def texts_of(words: Sequence[Word], region: Region) -> list[str]:
    found = with_fields(words, [region], [])
    return [" ".join(word.text for word in words_in(words, field.box)) for field in found if field.kind == "paragraph"]


def test_each_cell_of_a_grid_with_a_label_in_every_cell_is_a_paragraph() -> None:
    grid = lattice([-4, 30, 68], [-4, 190, 280])
    said = [f"{label} {value}" for label, value in zip(LABELS, VALUES, strict=True)]
    assert texts_of(WORDS, table_of(WORDS, grid, FRAMED)) == said


@pytest.mark.parametrize(
    "rules",
    [
        NO_RULES,
        Rules((Rule(12, 119, 300), Rule(32, 119, 300))),
        Rules((Rule(75, 0, 300),)),
        Rules(bands=((0, -25, 300, -5), (0, 75, 300, 95))),
    ],
    ids=["bare", "rules to write on", "a rule below all", "coloured headings above and below"],
)
def test_lines_of_bold_labels_and_values_are_paragraphs(rules: Rules) -> None:
    words = lines(LABELS, VALUES)
    said = [f"{label} {value}" for label, value in zip(LABELS, VALUES, strict=True)]
    assert texts_of(words, table_of(words, rules)) == said


@pytest.mark.parametrize(
    "words, rules",
    [
        (lines(LABELS, VALUES), Rules((Rule(15, 0, 300),))),
        (lines(LABELS, VALUES), Rules((Rule(-4, 0, 300), Rule(75, 0, 300)))),
        (lines(LABELS, VALUES), Rules(bands=((0, 18, 300, 34),))),
        (lines(["a.out", "-b", "len", "cap"], VALUES), NO_RULES),
        (lines(LABELS, ["what it is called in many words"] * 4), NO_RULES),
        ([*lines(LABELS, VALUES), *(word for n in range(4) for word in a_sentence("7.5", 250, 20.0 * n))], NO_RULES),
        ([word._replace(bold=False) for word in lines(LABELS, VALUES)], NO_RULES),
    ],
    ids=[
        "a rule over both",
        "rules above and below",
        "a coloured row",
        "names in code",
        "descriptions",
        "three columns",
        "no bold labels",
    ],
)
def test_other_lines_of_names_and_texts_stay_a_table(words: list[Word], rules: Rules) -> None:
    assert texts_of(words, table_of(words, rules)) == []


def test_rows_that_rules_enclose_are_no_lines_of_the_form_below_them() -> None:
    row = [*bold(a_sentence("Rooms", 5, -25)), *a_sentence("a hall", 125, -25)]
    words = [*row, *lines(LABELS, VALUES)]
    framed = Rules((Rule(-30, 0, 200), Rule(-10, 0, 200)), (Rule(0, -30, -10), Rule(120, -30, -10), Rule(200, -30, -10)))
    said = [f"{label} {value}" for label, value in zip(LABELS, VALUES, strict=True)]
    assert texts_of(words, table_of(words, framed)) == said
    kept = [region for region in with_fields(words, [table_of(words, framed)], []) if region.kind == "table"]
    assert [(region.box, region.role) for region in kept] == [((0, -30, 200, -10), FRAMED)]


def test_text_that_the_model_sees_around_fields_loses_them() -> None:
    below = a_sentence("signed at noon", 0, 90)
    text = Region(union(word.box for word in [*WORDS, *below]), "paragraph")
    found = with_fields([*WORDS, *below], [TABLE, text], BOXES)
    assert [region.box for region in found if region.role != FIELD] == [union(word.box for word in below)]


def test_the_lower_side_of_a_frame_above_lines_of_a_form_is_no_rule_of_theirs() -> None:
    words = lines(LABELS, VALUES)
    frame = both(lattice([-60, -3], [-4, 280]), Rules((Rule(75, 119, 300),)))
    assert len(texts_of(words, table_of(words, frame))) == len(LABELS)
    assert texts_of(words, table_of(words, Rules((Rule(-3, -4, 280), Rule(75, 119, 300))))) == []
