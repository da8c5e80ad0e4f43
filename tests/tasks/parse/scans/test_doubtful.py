"""Blocks that were read badly are read again."""

from tasks.parse.scans.doubtful import doubtful_in, with_doubtful
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
