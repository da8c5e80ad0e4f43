import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.scans.typefaces.strokes import stroke_widths, with_weights, without_phantoms
from tasks.parse.scans.words import OcrWord, ScannedWord


def bars(width: int, ink: int = 0, paper: int = 255) -> np.ndarray:
    """Return a word of five upright strokes."""
    picture = np.full((24, 80), paper, dtype=np.uint8)
    for left in range(8, 70, 12):
        picture[3:21, left : left + width] = ink
    return picture


@given(st.integers(1, 6), st.integers(0, 90), st.integers(160, 255), st.booleans())
def test_strokes_are_as_wide_as_they_are_drawn_whatever_the_colours(width: int, ink: int, paper: int, inverse: bool) -> None:
    colours = (paper, ink) if inverse else (ink, paper)
    (found,) = stroke_widths(bars(width, *colours), [(0, 0, 79, 23)])
    assert found == pytest.approx(width, abs=0.1)


def test_blurred_strokes_keep_their_width() -> None:
    sharp = bars(4).astype(float)
    blurred = (np.roll(sharp, 1, 1) + 2 * sharp + np.roll(sharp, -1, 1)) / 4
    (found,) = stroke_widths(blurred.astype(np.uint8), [(0, 0, 79, 23)])
    assert found == pytest.approx(4, abs=0.2)


def test_blank_paper_has_no_strokes() -> None:
    assert stroke_widths(np.full((30, 30), 250, dtype=np.uint8), [(0, 0, 29, 29), (4, 4, 5, 5)]) == [None, None]
    assert stroke_widths(np.full((30, 30), 250, dtype=np.uint8), []) == []


def seen(text: str, line: int, size: float = 10.0, turn: int = 0) -> ScannedWord:
    return ScannedWord(Word((0, 0, 10, 10), text, 0, line, size, turn=turn), 0.9, 10.0)


def bold(words: list[ScannedWord], widths: list[float | None]) -> list[bool]:
    return [found.word.bold for found in with_weights(words, widths)]


def test_words_with_wide_strokes_for_their_size_are_bold() -> None:
    words = [seen("Harbour", 0, 20.0), seen("Board", 1), seen("the winter storms displaced", 2), seen("stones", 3)]
    assert bold(words, [1.8, 1.5, 0.9, 0.95]) == [False, True, False, False]


def test_a_short_word_is_as_the_word_before_it() -> None:
    words = [seen("Costs", 0), seen("of", 0), seen("it", 1), seen("the winter storms", 1)]
    assert bold(words, [1.5, None, 1.5, 0.9]) == [True, True, True, False]


def test_labels_are_bold_also_where_they_are_half_of_a_page() -> None:
    labels = [seen(text, n) for n, text in enumerate(("Systolic pressure:", "Joint pain:", "Days in hospital:"))]
    values = [seen(text, n + 3) for n, text in enumerate(("Oakwood", "Queen Mary", "30,490.79"))]
    assert bold([*labels, *values], [1.4, 1.38, 1.42, 1.0, 1.04, 0.98]) == [True] * 3 + [False] * 3


def test_a_page_of_one_weight_has_no_bold_type_however_its_strokes_vary() -> None:
    words = [seen(f"{name} winter storms", n) for n, name in enumerate(("the", "all", "our", "these", "both", "few"))]
    assert bold(words, [0.9, 0.95, 1.0, 1.05, 1.1, 1.15]) == [False] * 6


def test_sizes_that_differ_by_errors_of_measure_do_not_make_type_bold() -> None:
    text = seen("the winter storms displaced", 0)
    assert bold([text, seen("Pressure gauge", 1, 8.5), seen("Total", 2, 8.5)], [1.0, 1.15, 1.5]) == [False, False, True]
    assert bold([text, seen("Notes on the stones", 1, 7.5)], [1.0, 1.0]) == [False, True], "a third smaller, with strokes as wide"


def test_a_word_that_is_neither_clearly_bold_nor_light_is_as_its_line() -> None:
    text = [seen("the winter storms displaced the stones of the harbour", 0), seen("stones", 0)]
    head = [seen("Cost", 1), seen("Vibration", 1), seen("Filter", 1)]
    assert bold([*text, *head], [1.0, 1.22, 1.2, 1.32, 1.34]) == [False] * 2 + [True] * 3


def test_joined_letters_beside_others_are_no_light_type() -> None:
    words = [
        seen("\u0645\u0641\u0633\u0631\u0627\u062a \u0627\u0644\u0623\u0648\u0627\u0645\u0631", 0),
        seen("the winter storms", 1),
    ]
    assert bold(words, [0.8, 1.1]) == [False, False]


def test_words_that_run_down_and_pages_without_strokes_have_no_bold_type() -> None:
    assert bold([seen("Side", 0, turn=90), seen("the winter storms", 1)], [1.5, 0.9]) == [False, False]
    assert bold([seen("Harbour", 0)], [None]) == [False]
    assert bold([], []) == []


def test_marks_without_ink_are_left_out_and_words_never() -> None:
    def at(text: str, left: int) -> OcrWord:
        return OcrWord(text, (left, 2, left + 9, 22), 0.9, (1, 1), 1)

    picture = np.hstack([bars(3), np.full((24, 80), 250, dtype=np.uint8)])
    words = [at("|", 6), at("_", 100), at("|", 120), at("a", 140)]
    assert [word.text for word in without_phantoms(words, picture)] == ["|", "a"]
    assert without_phantoms([], picture) == []
