from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.judge.io.models import read_trees
from tasks.parse.judge.table_features import FEATURES, features_of_tables
from tasks.parse.judge.tables import explain_judged_tables, with_judged_tables
from tasks.parse.judge.trees import Array
from tasks.parse.layout.page_model import CLASSES, LineClasses, PageModel, Source
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.passes.runner import seen_by

PROSE = (
    "the wind of the north has driven a small ship",
    "against rocks that no chart of the coast shows to",
    "anybody who sails without a pilot at night in",
)


def _cells(rows: list[tuple[str, ...]], starts: tuple[float, ...], y: float) -> list[Word]:
    """Return the words of rows whose cells start at given places."""
    words = []
    for n, row in enumerate(rows):
        for start, cell in zip(starts, row, strict=True):
            x = start
            for text in cell.split():
                words.append(Word((x, y + 12 * n, x + 4.5 * len(text), y + 12 * n + 10), text, n, n, font="Serif"))
                x += 4.5 * len(text) + 3
    return words


FIGURES = _cells([("Rope", "12", "4.5"), ("Sail", "7", "3.2"), ("Mast", "1", "9.0"), ("Oar", "24", "1.1")], (60, 200, 300), 100)
COLUMNS = _cells([(a, b) for a, b in zip(PROSE * 3, PROSE[::-1] * 3, strict=True)], (60, 310), 300)
PAGE = PageModel((0, 0, 600, 800), Source.DIGITAL, words=[*FIGURES, *COLUMNS])
TABLE, TEXT = Region((55, 95, 320, 150), "table", spaced=True), Region((55, 295, 560, 412), "table", spaced=True)


def _never(rows: Array) -> Array:
    return np.zeros((len(rows), 1))


def test_a_table_that_is_doubted_is_left_out_and_the_text_that_is_seen_there_is_back() -> None:
    columns = [Region((55, 295, 300, 412), "paragraph"), Region((305, 295, 560, 412), "paragraph")]
    page = replace(PAGE, seen=seen_by("model", [TABLE, *columns]), table_judge=lambda rows: rows[:, [FEATURES.index("three")]])
    found = with_judged_tables(page, [page.seen[0], replace(TEXT, number=7)])
    assert [(region.kind, region.box) for region in found] == [("table", TABLE.box), *(("paragraph", one.box) for one in columns)]


def test_without_a_judge_regions_stay() -> None:
    assert with_judged_tables(PAGE, [TABLE, TEXT]) == [TABLE, TEXT]


def test_it_is_said_how_likely_each_table_is() -> None:
    remarks = list(explain_judged_tables(replace(PAGE, table_judge=_never), [TABLE, replace(TEXT, kind="paragraph")]))
    assert [(remark.box, remark.what) for remark in remarks] == [(TABLE.box, "0.00 of 0.20 for a table")]


def test_calls_and_contents_are_never_doubted() -> None:
    calls = _cells([("open(path, mode)", "opens"), ("read(size)", "reads"), ("close()", "closes")], (60, 250), 100)
    contents = _cells([(f"Chapter {n}", "." * 20 + f" {3 * n}") for n in range(1, 7)], (60, 200), 300)
    page = replace(PAGE, words=[*calls, *contents], table_judge=_never)
    assert with_judged_tables(page, [TABLE, TEXT]) == [TABLE, TEXT]
    assert with_judged_tables(replace(page, words=FIGURES), [TABLE]) == []


def test_features_tell_figures_between_rules_from_columns_of_prose() -> None:
    rules = Rules(tuple(Rule(y, 55, 330) for y in (97.0, 111.0, 148.0)))
    lines = LineClasses(np.array([[55.0, 95.0, 320.0, 150.0]]), np.eye(len(CLASSES))[[CLASSES.index("table")]])
    page = replace(PAGE, rules=rules, lines=lines, seen=[TABLE, replace(TEXT, kind="paragraph")])
    table, text = (dict(zip(FEATURES, row, strict=True)) for row in features_of_tables([TABLE.box, TEXT.box], page))
    assert (table["lines"], table["pieces"], table["words_median"], table["full"]) == (4, 3, 1, 0)
    assert (text["lines"], text["pieces"], text["three"]) == (9, 2, 0)
    assert text["full"] > 0.9 and text["words_median"] >= 9
    assert table["over_by_line"] == 0.75 and np.isnan(text["beyond"])
    assert table["likely_table"] == text["seen_paragraph"] == 1
    assert table["seen_same"] > 0.7 and np.isnan(text["likely_table"])
    assert table["gap_below"] > 10 and table["beside"] == text["beside"] == 0


@given(st.floats(-300, 300), st.floats(0.5, 2))
def test_features_are_the_same_wherever_and_however_large_a_page_is(off: float, scale: float) -> None:
    def moved(box: tuple[float, ...]) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = (scale * (at + off) for at in box)
        return x0, y0, x1, y1

    words = [word._replace(box=moved(word.box), size=scale * word.size) for word in PAGE.words]
    page = replace(PAGE, box=moved(PAGE.box), words=words)
    boxes = [TABLE.box, TEXT.box]
    given, other = features_of_tables(boxes, PAGE), features_of_tables([moved(box) for box in boxes], page)
    np.testing.assert_allclose(given, other, rtol=0.02, atol=0.02)


def test_a_region_without_words_has_no_features() -> None:
    assert np.isnan(features_of_tables([(400, 600, 500, 700)], PAGE)).all()
    assert features_of_tables([], PAGE).shape == (0, len(FEATURES))


def test_the_shipped_judge_knows_the_features_and_tells_prose_in_columns() -> None:
    trees = read_trees("tables")
    assert trees.features == FEATURES
    lines = LineClasses(np.array([TABLE.box, TEXT.box]), np.eye(len(CLASSES))[[CLASSES.index("table"), CLASSES.index("text")]])
    page = replace(PAGE, lines=lines, seen=[TABLE], table_judge=trees.probabilities)
    assert with_judged_tables(page, [TABLE, replace(TEXT, number=7)]) == [TABLE]
