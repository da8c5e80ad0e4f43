"""The case of single letters."""

import pytest

from tasks.parse.scans.cases import with_cases
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
