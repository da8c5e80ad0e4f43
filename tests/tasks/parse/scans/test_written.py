import numpy as np
import pytest

from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.scans.written import (
    may_have_tables,
    mixed_in,
    replaced,
    with_headings_of,
    with_tables_of,
    written_in,
)

POINTS = 0.5
FIGURE = Region((10, 10, 110, 90), "figure")
WORDS = [Word((20, y, 80, y + 8), f"line{y}", 0, y) for y in (20, 40, 60)]
FRAME = Rules((Rule(12, 12, 108), Rule(88, 12, 108)), (Rule(12, 12, 88), Rule(108, 12, 88)))


def sheet(*boxes: tuple[float, float, float, float], paper: int = 250) -> np.ndarray:
    """Return a picture of the words, and of what else is drawn in boxes of points."""
    picture = np.full((200, 240), 250, dtype=np.uint8)
    picture[20:180, 20:220] = paper
    for x0, y0, x1, y1 in [*(word.box for word in WORDS), *boxes]:
        picture[round(y0 / POINTS) : round(y1 / POINTS) + 1, round(x0 / POINTS) : round(x1 / POINTS) + 1] = 20
    return picture


@pytest.mark.parametrize("paper", [250, 225], ids=["plain", "coloured"])
def test_a_picture_of_words_alone_is_written(paper: int) -> None:
    assert written_in([FIGURE], WORDS, NO_RULES, sheet(paper=paper), POINTS) == [FIGURE]


def test_a_frame_around_words_is_no_picture() -> None:
    drawn = sheet((12, 12, 108, 12.5), (12, 88, 108, 88.5), (12, 12, 12.5, 88), (108, 12, 108.5, 88))
    assert written_in([FIGURE], WORDS, FRAME, drawn, POINTS) == [FIGURE]
    assert written_in([FIGURE], WORDS, NO_RULES, drawn, POINTS) == []


def test_what_has_more_than_words_or_hardly_a_word_stays_a_picture() -> None:
    assert written_in([FIGURE], WORDS, NO_RULES, sheet((85, 15, 105, 85)), POINTS) == []
    assert written_in([FIGURE], WORDS[:2], NO_RULES, sheet(), POINTS) == []
    assert written_in([Region(FIGURE.box, "table")], WORDS, NO_RULES, sheet(), POINTS) == []


def test_regions_of_words_stand_where_a_picture_was_written() -> None:
    heading, beside, again = (
        Region((10, 10, 90, 20), "heading"),
        Region((10, 100, 90, 120), "paragraph"),
        Region((10, 30, 90, 40), "table"),
    )
    kept = Region((10, 28, 110, 42), "paragraph")
    found = replaced([FIGURE, kept], [FIGURE], [heading, beside, again, Region((10, 50, 90, 80), "figure")])
    assert found == [kept, heading]


def cells(y: float, *starts: float) -> list[Word]:
    return [Word((x, y, x + 20, y + 10), "cell", 0, int(y)) for x in starts]


TABLE = Region((10, 10, 110, 90), "table")
ROWS = [word for y in (15, 35, 55) for word in cells(y, 15, 60)]


def test_a_table_of_columns_stands_where_others_see_nothing_but_text() -> None:
    text, below = Region((12, 12, 108, 60), "paragraph"), Region((10, 100, 90, 120), "paragraph")
    assert with_tables_of([text, below], [TABLE], ROWS) == [below, TABLE]
    assert with_tables_of([below], [TABLE, Region((10, 10, 50, 50), "figure")], ROWS) == [below, TABLE]


def test_a_table_over_a_picture_or_a_part_of_a_text_or_of_few_columns_is_none() -> None:
    for other in (FIGURE, Region((10, 10, 110, 50), "table"), Region((10, 10, 110, 300), "paragraph")):
        assert with_tables_of([other], [TABLE], ROWS) == [other]
    assert with_tables_of([], [TABLE], ROWS[:5]) == []
    assert with_tables_of([], [TABLE], [word for y in (15, 35, 55) for word in cells(y, 15)]) == []


def test_a_table_may_be_where_lines_of_text_have_columns() -> None:
    text, below = Region((12, 12, 108, 60), "paragraph"), Region((10, 100, 90, 120), "paragraph")
    assert may_have_tables([text, below], ROWS) and may_have_tables([], ROWS)
    assert not may_have_tables([text, TABLE], ROWS)
    assert not may_have_tables([text], ROWS[:5])
    assert not may_have_tables([text], [word for y in (15, 35, 55) for word in cells(y, 15)])


TITLE, *PROSE = [Word((10, y, 90, y + size), f"line{y}", 0, y, float(size)) for y, size in ((10, 12), (30, 9), (42, 9), (54, 9))]
MERGED = Region((10, 10, 90, 63), "paragraph")


LINES = [Word((x, y, x + 18, y + 9), "words", 0, y, 9.0) for y in (42, 54) for x in (10, 32, 54, 72)]


def bold_line(end: float) -> Word:
    return Word((10, 30, end, 39), "bold words", 0, 30, 9.0, bold=True)


def test_bold_words_at_the_beginning_of_a_paragraph_are_no_heading_if_their_line_is_full() -> None:
    assert mixed_in([MERGED], [bold_line(80), *LINES]) == []
    assert mixed_in([MERGED], [bold_line(60), *LINES]) == [MERGED], "the first word of the next line would fit"
    chinese = [word._replace(text="\u6587\u5b57") for word in LINES]
    assert mixed_in([MERGED], [bold_line(78), *chinese]) == [MERGED], "one of its characters would fit"


def test_bold_words_of_arabic_end_at_the_left() -> None:
    heading, *rest = (word._replace(text="\u0643\u0644\u0645\u0629") for word in (bold_line(90), *LINES))
    assert mixed_in([MERGED], [heading, *rest]) == []
    assert mixed_in([MERGED], [heading._replace(box=(50, 30, 90, 39)), *rest]) == [MERGED]


def test_a_paragraph_is_mixed_if_a_line_above_others_is_larger_or_bold() -> None:
    assert mixed_in([MERGED], [TITLE, *PROSE]) == [MERGED]
    assert mixed_in([MERGED], [bold_line(50), *LINES]) == [MERGED]
    assert mixed_in([MERGED], [*PROSE[:2], PROSE[2]._replace(bold=True)]) == [], "nothing stands below it"
    assert mixed_in([MERGED], PROSE) == []
    assert mixed_in([MERGED], [word._replace(bold=True) for word in PROSE]) == []
    assert mixed_in([Region(MERGED.box, "table")], [TITLE, *PROSE]) == []
    assert mixed_in([MERGED], []) == []


def test_a_mixed_paragraph_is_parted_where_words_alone_show_a_heading() -> None:
    heading, text = Region((10, 10, 90, 22), "heading"), Region((10, 30, 90, 63), "paragraph")
    other = Region((10, 100, 90, 120), "paragraph")
    assert with_headings_of([MERGED, other], [MERGED], [heading, text]) == [other, heading, text]
    assert with_headings_of([MERGED, other], [MERGED], [text]) == [MERGED, other]
    assert with_headings_of([MERGED, other], [MERGED], [heading]) == [MERGED, other]
