"""Blocks and cells that were read badly are read again."""

from tasks.parse.scans.doubtful import doubtful_cells_in, doubtful_in, with_cells, with_doubtful
from tasks.parse.scans.words import OcrWord


def word(text: str, left: float, top: float, confidence: float, paragraph: tuple[int, int] = (1, 1), line: int = 1) -> OcrWord:
    return OcrWord(text, (left, top, left + 10.0 * len(text), top + 20), confidence, paragraph, line)


TEXTS = [word("release", 100, 20, 0.95), word("snapshot", 100, 60, 0.95, line=2)]
DOWN = OcrWord("PPP", (10, 20, 60, 80), 0.2, (2, 1), 1)
AGAIN = [word("1.8.0", 10, 20, 0.9), word("1.8.1", 10, 60, 0.9)]


def test_a_block_read_with_little_confidence_is_doubtful_and_marks_are_not() -> None:
    assert doubtful_in([*TEXTS, DOWN]) == [DOWN.box]
    assert doubtful_in([*TEXTS, word("--", 10, 90, 0.1, (3, 1))]) == []


def test_what_is_read_again_surely_stands_in_the_rows_beside_it() -> None:
    found = with_doubtful([*TEXTS, DOWN], AGAIN, [DOWN.box])
    assert [(seen.text, seen.paragraph, seen.line) for seen in found] == [
        ("1.8.0", (1, 1), 1),
        ("release", (1, 1), 1),
        ("1.8.1", (1, 1), 2),
        ("snapshot", (1, 1), 2),
    ]


def test_what_has_no_row_is_a_block_of_its_own() -> None:
    *others, last, _ = with_doubtful([word("far", 10, 200, 0.9), DOWN], [*AGAIN], [DOWN.box])
    assert [seen.text for seen in others] == ["far"] and last.paragraph != (1, 1)


def test_what_is_read_no_surer_or_less_is_left() -> None:
    words = [*TEXTS, DOWN]
    assert with_doubtful(words, [word("1.8.0", 10, 20, 0.7)], [DOWN.box]) == words
    assert with_doubtful(words, [], [DOWN.box]) == words
    assert with_doubtful([word("1.8.0", 10, 20, 0.64)], [word("1", 10, 20, 0.9)], [(10, 20, 60, 40)])[0].text == "1.8.0"


ROW = [word("assert_", 100, 20, 0.95), word("Sd", 300, 20, 0.4), word("new", 400, 20, 0.95), word("in", 440, 20, 0.95)]


def test_words_far_from_the_others_of_their_row_that_were_read_with_little_confidence_are_a_doubtful_cell() -> None:
    assert doubtful_cells_in(ROW) == [ROW[1].box]
    own_block = [ROW[0], ROW[1]._replace(paragraph=(2, 1))]
    assert doubtful_cells_in(own_block) == [ROW[1].box]
    two = [ROW[0], word("S", 300, 20, 0.4), word("d", 315, 20, 0.4)]
    assert doubtful_cells_in(two) == [(300, 20, 325, 40)]
    assert doubtful_cells_in([]) == []


def test_words_of_a_sentence_and_lines_alone_and_marks_are_no_doubtful_cells() -> None:
    assert doubtful_cells_in([ROW[0], word("Sd", 175, 20, 0.4), word("and", 200, 20, 0.95)]) == []
    assert doubtful_cells_in([ROW[0], word("Sd", 300, 60, 0.4, line=2)]) == []
    assert doubtful_cells_in([ROW[0], word("--", 300, 20, 0.1), ROW[2]]) == []


def test_a_cell_that_is_read_again_surely_stands_where_it_stood() -> None:
    again = [word("1", 320, 20, 0.9), word("3.", 300, 20, 0.9, (7, 1), 9)]
    found = with_cells(ROW, again, [(300, 20, 320, 40)])
    assert [(seen.text, seen.paragraph, seen.line) for seen in found[:3]] == [
        ("assert_", (1, 1), 1),
        ("3.", (1, 1), 1),
        ("new", (1, 1), 1),
    ]
    assert with_cells(ROW, [word("31", 300, 20, 0.7)], [ROW[1].box]) == ROW
    assert with_cells([ROW[0], word("Sd", 300, 20, 0.5)], [word("3", 300, 20, 0.9)], [ROW[1].box])[1].text == "Sd"
    assert with_cells(ROW, [word("31", 300, 20, 0.9)], [(600, 20, 620, 40)]) == ROW
