"""The case of single letters, and spaces and stops that OCR passes over."""

import numpy as np
import pytest

from tasks.parse.scans.letters import with_cases, with_spaces, with_stops
from tasks.parse.scans.words import OcrWord

SIZE = 40.0
ROW = [OcrWord("numpy", (0, 11, 100, 48.8), 0.9, (1, 1), 1), OcrWord("1.20.3", (200, 11, 280, 40), 0.9, (1, 1), 1)]


def letter(text: str, high: float, wide: float = 24) -> OcrWord:
    return OcrWord(text, (400, 40 - high, 400 + wide, 40), 0.5, (2, 1), 1)


@pytest.mark.parametrize("text", ["x", "X", "xX", "Xx"])
def test_the_height_of_a_letter_tells_its_case(text: str) -> None:
    assert with_cases([*ROW, letter(text, 0.72 * SIZE)])[-1].text == "X"
    assert with_cases([*ROW, letter(text, 0.52 * SIZE)])[-1].text == "x"


def test_letters_that_differ_by_case_and_words_stay() -> None:
    for text, wide in (("d", 24.0), ("xx", 24.0), ("oX", 24.0), ("xX", 50.0), ("10", 24.0)):
        assert with_cases([*ROW, letter(text, 0.52 * SIZE, wide)])[-1].text == text


def test_a_letter_beside_nothing_keeps_its_case_and_is_one() -> None:
    assert with_cases([letter("X", 20), letter("c", 30)])[0].text == "X"
    assert [word.text for word in with_cases([letter("Cc", 20)])] == ["C"]


def line_of(*starts: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a picture of letters 10 pixels wide."""
    picture = np.full((40, 600), 250, dtype=np.uint8)
    for x in starts:
        picture[10:30, x : x + 10] = 10
    return picture


@pytest.mark.parametrize(
    ("text", "starts", "parts"),
    [
        ("Arat", (100, 122, 134, 146), ["A", "rat"]),
        ("Arated", (100, 122, 134, 146), ["A", "rated"]),
        ("torun", (100, 112, 134, 146, 158), ["to", "run"]),
        ("torun", (100, 134), ["torun"]),
        ("a.conf", (100, 112, 134, 146, 158, 170), ["a.conf"]),
        ("2011", (100, 112, 127, 139), ["2011"]),
        ("wide", (100, 122, 144, 166), ["wide"]),
    ],
)
def test_a_word_is_parted_at_a_space_as_wide_as_its_line_s(text: str, starts: tuple[int, ...], parts: list[str]) -> None:
    word = OcrWord(text, (starts[0], 10, starts[-1] + 10, 30), 0.9, (1, 1), 1)
    after = OcrWord("then", (starts[-1] + 22, 10, starts[-1] + 60, 30), 0.9, (1, 1), 1)
    found = with_spaces([word, after], line_of(*starts))
    assert [each.text for each in found] == [*parts, "then"]
    assert found[0].box[0] == starts[0] and found[len(parts) - 1].box[2] == starts[-1] + 10
    assert with_spaces([word], line_of(*starts)) == [word]


def number_of(text: str, *marks: tuple[int, int, int]) -> str:
    """Return a number as it is read where figures 8 pixels wide, and marks from the left of one row to another, are drawn."""
    picture = np.full((60, 200), 250, dtype=np.uint8)
    for left, top, bottom in marks:
        picture[top:bottom, left : left + (8 if bottom - top > 12 else 3)] = 10
    word = OcrWord(text, (marks[0][0], 10, marks[-1][0] + 8, 34), 0.4, (1, 1), 1)
    return with_stops([word], picture)[0].text


FIGURE, POINT, COMMA, DASH = (10, 30), (27, 30), (27, 33), (19, 21)


@pytest.mark.parametrize(
    ("read", "drawn", "text"),
    [
        ("31", (FIGURE, POINT, FIGURE), "3.1"),
        ("7142%", (FIGURE, FIGURE, POINT, FIGURE, FIGURE, FIGURE), "71.42%"),
        ("5,28784", (FIGURE, COMMA, FIGURE, FIGURE, FIGURE, POINT, FIGURE, FIGURE), "5,287.84"),
        ("1012", (FIGURE, COMMA, FIGURE, FIGURE, FIGURE), "1,012"),
        ("10-12", (FIGURE, FIGURE, DASH, FIGURE, FIGURE), "10-12"),
        ("31", (FIGURE, FIGURE), "31"),
        ("311", (FIGURE, POINT, FIGURE), "311"),
        ("3.1", (FIGURE, FIGURE), "3.1"),
        ("31", (FIGURE, POINT, POINT, FIGURE), "31"),
        ("31", (FIGURE, FIGURE, POINT), "31"),
        ("ab", (FIGURE, POINT, FIGURE), "ab"),
    ],
)
def test_a_number_has_the_stops_that_are_drawn(read: str, drawn: tuple[tuple[int, int], ...], text: str) -> None:
    assert number_of(read, *((20 + 12 * n, top, bottom) for n, (top, bottom) in enumerate(drawn))) == text


def test_a_number_of_which_nothing_is_drawn_stays() -> None:
    empty = np.full((60, 200), 250, dtype=np.uint8)
    assert with_stops([OcrWord("31", (10, 10, 40, 30), 0.4, (1, 1), 1)], empty)[0].text == "31"
