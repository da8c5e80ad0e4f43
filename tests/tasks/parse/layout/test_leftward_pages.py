"""Pages from right to left."""

from tasks.parse.layout.reading_order import is_leftward
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import arrange

HEBREW = "\u05e9\u05dc\u05d5\u05dd"


def lines(text: str, n_lines: int, left: float, right: float, first: int = 0) -> list[Word]:
    """Return lines of one word, ragged at the side where `left` or `right` is not that of the others."""
    return [Word((left, 20.0 * n, right, 20.0 * n + 10), text, 0, first + n) for n in range(n_lines)]


def test_a_page_is_leftward_if_most_of_its_letters_are() -> None:
    assert is_leftward(lines(HEBREW, 5, 0, 90))
    assert not is_leftward([*lines("english", 9, 0, 90), *lines(HEBREW, 1, 0, 90, 9)])
    assert not is_leftward(lines("caf\u00e9", 5, 0, 90))


def test_a_page_that_quotes_more_english_than_it_has_of_its_own_is_leftward_if_its_lines_begin_at_the_right() -> None:
    ragged = [Word((10.0 * n, 20.0 * n, 90.0, 20.0 * n + 10), "english", 0, n) for n in range(6)]
    even = [Word((0.0, 20.0 * n, 90.0 - 10 * n, 20.0 * n + 10), "english", 0, n) for n in range(6)]
    own = [Word((40.0, 200.0 + 20 * n, 90.0, 210.0 + 20 * n), HEBREW, 0, 10 + n) for n in range(2)]
    assert is_leftward([*ragged, *own])
    assert not is_leftward([*even, *own])


def test_the_right_one_of_two_columns_comes_first_on_such_a_page() -> None:
    words = [*lines(HEBREW, 5, 0, 90), *lines(HEBREW, 5, 110, 200, 5)]
    columns = [Region((0, 0, 90, 90), "paragraph"), Region((110, 0, 200, 90), "paragraph")]
    found = arrange(words, columns, (0, 0, 200, 300))
    assert [region.box[0] for region in found] == [110, 0]
