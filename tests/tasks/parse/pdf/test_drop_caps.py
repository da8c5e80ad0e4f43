from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.lines import lines_of
from tasks.parse.layout.words import Word
from tasks.parse.pdf.drop_caps import with_drop_caps

LINES = st.lists(st.lists(st.text("abc", min_size=1, max_size=7), min_size=1, max_size=5), max_size=6)


def text(lines: list[list[str]], x: float = 80) -> list[Word]:
    return [
        Word((x + 40 * n, 100 + 12 * row, x + 30 + 40 * n, 110 + 12 * row), part, 1, row + 1)
        for row, line in enumerate(lines)
        for n, part in enumerate(line)
    ]


def cap(letter: str, n_lines: int = 3, size: float = 40, y: float = 98) -> Word:
    return Word((50, y, 76, y + 12 * n_lines), letter, 0, 0, size)


def test_a_drop_cap_begins_the_first_word_beside_it() -> None:
    lines = [["ndia", "suffers", "from"], ["cholesterol", "that", "is"], ["the", "way"], ["and", "on"]]
    found = with_drop_caps([cap("I"), *text(lines)])
    assert " ".join(word.text for word in found) == "India suffers from cholesterol that is the way and on"


def test_a_drop_cap_that_is_a_word_stays_one() -> None:
    found = with_drop_caps([cap("A"), *text([["mill", "stands"], ["by", "the"], ["old", "mill"]])])
    assert [line.text for line in lines_of(found)] == ["A mill stands", "by the", "old mill"]


def test_a_large_letter_without_lines_beside_it_stays_apart() -> None:
    lines = [["first", "line"], ["second", "line"], ["third", "line"]]
    for letter in (cap("B", n_lines=1, y=100), cap("B", y=300), cap("b"), cap("B", size=12)):
        assert with_drop_caps([letter, *text(lines)]) == [letter, *text(lines)]
    assert with_drop_caps([cap("B"), *text(lines, x=200)]) == [cap("B"), *text(lines, x=200)]


@given(LINES)
def test_no_letter_is_lost(lines: list[list[str]]) -> None:
    words = [cap("B"), *text(lines)]
    found = with_drop_caps(words)
    assert sorted("".join(word.text for word in found)) == sorted("".join(word.text for word in words))
