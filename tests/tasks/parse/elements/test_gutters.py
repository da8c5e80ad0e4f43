"""Regions that reach over the white space between columns."""

from tasks.parse.elements.gutters import cut_at_gutters
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

LINE = "the wheel turns by day and by night"


def column(x: float, first: int, n_lines: int = 12, text: str = LINE) -> list[Word]:
    """Return lines of words, 5 points wide for each character, one line below the other."""
    words = []
    for n in range(n_lines):
        at = x
        for part in text.split():
            words.append(Word((at, 20.0 * n, at + 5 * len(part), 20.0 * n + 10), part, 0, first + n))
            at += 5 * len(part) + 5
    return words


WIDE = Region((0, 100, 400, 150), "paragraph")


def test_text_that_reaches_over_the_gutter_of_two_columns_is_cut_there() -> None:
    words = [*column(0, 0), *column(200, 20)]
    found = cut_at_gutters([WIDE], words)
    assert [(region.kind, region.box[0] >= 190) for region in found] == [("paragraph", False), ("paragraph", True)]
    assert cut_at_gutters([Region((0, 0, 180, 90), "paragraph")], words) == [Region((0, 0, 180, 90), "paragraph")]


def test_tables_titles_and_single_columns_stay_whole() -> None:
    words = [*column(0, 0), *column(200, 20)]
    table = Region(WIDE.box, "table")
    assert cut_at_gutters([table], words) == [table]
    title = Word((100, 102, 300, 112), "title", 0, 90)
    assert cut_at_gutters([WIDE], [*words, title]) == [WIDE]
    assert cut_at_gutters([WIDE], column(0, 0)) == [WIDE]


def test_bullets_and_short_lines_are_no_columns() -> None:
    assert cut_at_gutters([WIDE], [*column(0, 0, text="\u2022"), *column(20, 20)]) == [WIDE]
    assert cut_at_gutters([WIDE], [*column(0, 0, 3), *column(200, 20, 3)]) == [WIDE]
