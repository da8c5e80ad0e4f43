"""Words that OCR passed over."""

import numpy as np
import numpy.typing as npt

from tasks.parse.scans.missed import missed_in, only, with_missed
from tasks.parse.scans.words import OcrWord


def word(text: str, left: float, right: float, line: int = 1, confidence: float = 0.9, top: float = 20) -> OcrWord:
    return OcrWord(text, (left, top, right, top + 20), confidence, (1, 1), line)


def page(*boxes: tuple[int, int, int, int]) -> npt.NDArray[np.uint8]:
    """Return a page with letters as grey as a word in each box, of which the first pixels of rows and columns are dark."""
    picture = np.full((120, 400), 250, dtype=np.uint8)
    for x0, y0, x1, y1 in boxes:
        picture[y0:y1, x0:x1:3] = 10
        picture[y0, x0:x1] = picture[y1 - 1, x0:x1] = 10
    return picture


READ = [word("Valve", 20, 80), word("share", 300, 350)]
DRAWN = (20, 20, 80, 40), (300, 20, 350, 40)


def test_a_cell_between_others_is_missed_and_what_was_read_is_not() -> None:
    assert missed_in(READ, page(*DRAWN, (150, 20, 190, 40))).marks == [(150, 20, 190, 40)]
    assert missed_in(READ, page(*DRAWN)) == ([], [])


def test_what_stands_in_no_row_and_what_is_larger_than_words_is_not_missed() -> None:
    assert missed_in(READ, page(*DRAWN, (150, 70, 190, 90))) == ([], [])
    assert missed_in(READ, page(*DRAWN, (150, 5, 190, 80))) == ([], [])
    assert missed_in(READ, page(*DRAWN, (360, 20, 390, 40), (2, 29, 12, 32))) == ([], [])
    assert missed_in([], page(*DRAWN)) == ([], [])


def test_a_mark_that_is_not_kept_is_missed_too() -> None:
    words = [*READ, word("~", 150, 164, confidence=0.1)]
    assert missed_in(words, page(*DRAWN, (150, 29, 164, 32))).dashes == [(150, 29, 164, 32)]


def test_dashes_lie_in_the_middle_of_a_row() -> None:
    assert missed_in(READ, page(*DRAWN, (150, 29, 160, 32))).dashes == [(150, 29, 160, 32)]
    assert missed_in(READ, page(*DRAWN, (150, 37, 160, 40))) == ([], [])


def test_what_is_read_again_surely_joins_the_nearest_word_of_its_row() -> None:
    again = [
        word("2018", 150, 190, line=7),
        word("x", 240, 250, line=8, confidence=0.3),
        word("=", 260, 270, line=8),
        word("1", 280, 284, confidence=0.8),
    ]
    found = with_missed(READ, again, [])
    assert [each.text for each in found] == ["Valve", "2018", "share"]
    assert found[1].line == 1
    assert with_missed([], again, [(1, 1, 9, 9)]) == []


def test_a_dash_is_a_sign_directly_before_a_number_and_else_a_word() -> None:
    number = word("66", 300, 340)
    assert [each.text for each in with_missed([READ[0], number], [], [(288, 29, 295, 32)])] == ["Valve", "-66"]
    assert [each.text for each in with_missed([READ[0], number], [], [(200, 29, 207, 32)])] == ["Valve", "-", "66"]
    assert [each.text for each in with_missed([READ[0], number], [], [(200, 29, 215, 32)])] == ["Valve", "\u2013", "66"]


def test_two_dashes_below_each_other_are_one_sign() -> None:
    assert [each.text for each in with_missed(READ, [], [(200, 27, 212, 29), (200, 32, 212, 34)])] == ["Valve", "=", "share"]
    assert [each.text for each in with_missed(READ, [], [(200, 27, 207, 29), (220, 32, 227, 34)])] == ["Valve", "-", "-", "share"]


def test_only_what_is_missed_is_shown_again() -> None:
    shown = only(page(*DRAWN), [(300, 20, 350, 40)])
    assert (shown[:, :200] == 255).all() and (shown[20:40, 300:350] == page(*DRAWN)[20:40, 300:350]).all()
