from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.words import Word
from tasks.parse.pdf.styled import line_boxes, may_be_doubled, may_be_ruled

PLACES = st.floats(0, 800)


def line(number: int, y: float, x: float = 50) -> list[Word]:
    return [Word((x + 40 * n, y, x + 40 * n + 35, y + 12), "word", 0, number) for n in range(5)]


@given(drawn=st.lists(st.tuples(PLACES, PLACES, PLACES, PLACES), max_size=5))
def test_a_page_without_words_has_no_styles(drawn: list[Box]) -> None:
    assert not may_be_ruled(line_boxes([]), drawn)
    assert not may_be_doubled(line_boxes([]))


def test_lines_below_each_other_have_no_styles() -> None:
    lines = line_boxes([*line(0, 100), *line(1, 114), *line(2, 114, x=300)])
    assert not may_be_doubled(lines)
    assert not may_be_ruled(lines, [])


@given(right=st.floats(0, 1.5), down=st.floats(0, 1.5))
def test_a_line_printed_again_a_little_beside_itself_may_be_bold(right: float, down: float) -> None:
    assert may_be_doubled(line_boxes([*line(0, 100), *line(1, 100 + down, x=50 + right)]))


def test_a_rule_at_a_line_may_style_it_and_a_far_one_does_not() -> None:
    lines = line_boxes(line(0, 100))
    assert may_be_ruled(lines, [(50, 113, 90, 113)])
    assert may_be_ruled(lines, [(40, 106, 300, 106.5)])
    assert not may_be_ruled(lines, [(50, 130, 300, 130)])
    assert not may_be_ruled(lines, [(400, 113, 500, 113)])
