from tasks.parse.layout.words import Word
from tasks.parse.tables.text_lines import text_lines


def test_a_comma_alone_is_on_the_line_that_it_stands_on() -> None:
    words = [Word((10, 0, 40, 7), "the", 0, 0, base=7.0), Word((5, 6, 7, 8), ",", 0, 0, base=7.0)]
    below = Word((10, 12, 40, 19), "end", 0, 0, base=19.0)
    assert [[word.text for word in line] for line in text_lines([below, *words])] == [["the", ","], ["end"]]
