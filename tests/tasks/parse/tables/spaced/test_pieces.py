"""Pieces of lines: where names touch the texts beside them."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.pieces import Line, cut_at_edges, pieces_of
from tests.tasks.parse.tables.spaced.test_reader import letters

EDGE = 80.0


def row(n: int, name: str, text: str) -> list[Word]:
    return [*letters(name, 0, 20 + 14 * n), *letters(text, EDGE, 20 + 14 * n)]


def told(lines: list[Line]) -> list[list[str]]:
    return [[piece.text for piece in line] for line in lines]


@given(st.integers(15, 24))
def test_a_name_that_touches_or_covers_its_text_ends_where_texts_begin(length: int) -> None:
    rows = [row(0, "bar", "Shows a bar"), row(1, "graph", "Draws lines of points"), row(2, "x" * length, "Prints it all")]
    lines = cut_at_edges([pieces_of(line, ()) for line in rows])
    assert told(lines)[2] == ["x" * length, "Prints it all"]
    assert all(line[0].box[2] < EDGE for line in lines)


@given(st.integers(0, 3))
def test_a_sentence_below_the_edge_is_not_cut(off: int) -> None:
    sentence = letters("some words of a sentence that goes over both columns", EDGE - 40.0 + off * 12.5, 62)
    rows = [row(0, "bar", "Shows a bar"), row(1, "graph", "Draws lines of points"), sentence]
    lines = [pieces_of(line, ()) for line in rows]
    assert told(cut_at_edges(lines)) == told(lines)


def test_columns_set_flush_right_show_no_left_edge() -> None:
    figures = [[*letters("name", 0, 20 + 14 * n), *letters("a 96 kr", 70, 20 + 14 * n)] for n in range(3)]
    longer = [*letters("name", 0, 62), *letters("12", 55, 62), *letters("a 96 kr", 70, 62)]
    lines = [pieces_of(line, ()) for line in [*figures, longer]]
    assert told(cut_at_edges(lines)) == told(lines)


def test_a_name_printed_over_its_text_keeps_its_words() -> None:
    name = letters("approximate_all(lines, ...)", 0, 20)
    text = [word._replace(line=1) for word in letters("Shows some lines", name[1].box[0] - 5, 20)]
    assert told([pieces_of([*name, *text], ())]) == [["approximate_all(lines, ...)", "Shows some lines"]]
    assert pieces_of([*name, *text], ())[0].box[2] < text[0].box[0]
