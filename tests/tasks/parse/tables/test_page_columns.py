from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.tables.page_columns import apart_at, page_gutters, strips
from tests.tasks.parse.tables.spaced.test_reader import letters


def apart_at_gutters(regions: list[Region], words: list[Word]) -> list[Region]:
    return apart_at(page_gutters(regions, words), regions, words)


def line(x: float, y: float, n: int, text: str) -> list[Word]:
    return letters(text, x, y + 14 * n)


def box_of(words: list[Word]) -> Box:
    return union(word.box for word in words)


def test_columns_of_a_page_are_about_as_wide_as_each_other_and_stand_closer_than_they_are_wide() -> None:
    columns = [(0.0, 0.0, 100.0, 90.0), (120.0, 0.0, 220.0, 90.0)]
    far, narrow = (320.0, 0.0, 420.0, 90.0), (120.0, 0.0, 180.0, 90.0)
    assert strips(columns) == [(0, 100), (120, 220)]
    assert strips([columns[0], far]) == [(0, 420)]
    assert strips([columns[0], narrow]) == [(0, 180)]


def columns(off: float) -> list[Word]:
    text = "some words of a text as long as a line"
    return [word for x, y in ((0, 20), (250, 20 + off)) for n in range(9) for word in line(x, y, n, text)]


def test_a_region_over_columns_of_a_page_is_one_for_each_unless_their_lines_are_beside_each_other() -> None:
    apart, level = columns(6), columns(0)
    for kind in ("paragraph", "table"):
        parts = apart_at_gutters([Region(box_of(apart), kind)], apart)
        assert [part.box for part in parts] == [box_of([w for w in apart if (w.box[0] < 240) == left]) for left in (True, False)]
        assert apart_at_gutters([Region(box_of(level), kind)], level) == [Region(box_of(level), kind)]
    figure = Region(box_of(apart), "figure")
    assert apart_at_gutters([figure], apart) == [figure]


def test_few_lines_and_columns_of_unlike_widths_are_no_columns_of_a_page() -> None:
    few = [word for x, y in ((0, 20), (250, 26)) for n in range(5) for word in line(x, y, n, "some words of a text")]
    narrow = [*columns(6)[:81], *(word for n in range(9) for word in line(250, 26, n, "a name"))]
    for words in (few, narrow):
        assert apart_at_gutters([Region(box_of(words), "paragraph")], words) == [Region(box_of(words), "paragraph")]


def test_columns_of_a_page_are_two_to_four() -> None:
    for count in (2, 3, 4):
        words = [word for n in range(count) for m in range(9) for word in line(200.0 * n, 20 + 5 * n, m, "some words of a text")]
        region = Region(box_of(words), "paragraph")
        assert len(page_gutters([region], words)) == count - 1
        assert len(apart_at_gutters([region], words)) == count
