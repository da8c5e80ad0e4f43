import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.figure_lines import FigureLine, lines_of, lines_on, side_by_side, text_of, unsaid, words_on
from tasks.parse.layout.geometry import as_box
from tasks.parse.layout.words import Word

EDGE = st.floats(-100, 1000)


def word(text: str, x: float, y: float = 0, line: int = 0, turn: int = 0) -> Word:
    return Word((x, y, x + 5 * len(text), y + 10), text, 0, line, turn=turn)


def texts(*words: Word) -> list[str]:
    return [line.text for line in lines_on(words_on(words, 1, (0, 0)))]


@given(EDGE, EDGE, st.floats(0.5, 8), st.tuples(st.integers(0, 500), st.integers(0, 500)))
def test_the_box_of_a_word_on_the_picture_gives_its_box_on_the_page(
    x: float, y: float, scale: float, corner: tuple[int, int]
) -> None:
    (found,) = words_on([word("kelp", x, y)], scale, corner)
    left, top = corner
    back = [(value + offset) / scale for value, offset in zip(as_box(found), (left, top, left, top), strict=True)]
    assert back == pytest.approx([x, y, x + 20, y + 10], abs=1e-6)
    assert found["size"] == pytest.approx(10 * scale)


def test_an_exponent_follows_a_caret_and_ligatures_are_spelled_out() -> None:
    words = [word("10\N{MINUS SIGN}2", 0)._replace(shifts="..^^"), word("\ufb01sh", 60)]
    assert [found["text"] for found in words_on(words, 1, (0, 0))] == ["10^\N{MINUS SIGN}2", "fish"]


def test_words_of_one_line_are_one_and_ticks_apart() -> None:
    assert texts(word("Skarn", 0), word("Bay", 30), word("Lower", 100), word("Firth", 130)) == ["Skarn Bay", "Lower Firth"]
    assert texts(word("2019", 0), word("2020", 24), word("2021", 48)) == ["2019", "2020", "2021"]
    assert texts(word("10", 0), word("000", 14)) == ["10 000"]
    assert texts(word("a", 0, line=1), word("b", 8, line=2), word("c", 16, line=1, turn=90)) == ["a", "b", "c"]


def test_lines_are_enlarged_with_the_picture() -> None:
    (found,) = lines_on(words_on([word("kelp", 10, 20)], 1, (0, 0)), 3)
    assert found == FigureLine("kelp", (30, 60, 90, 90), 30)
    assert (found.x, found.y) == (60, 75)


def test_pieces_beside_each_other_are_one_line_but_numbers_are_not() -> None:
    pieces = [
        FigureLine(text, (x, 0, x + 40, 10), 10)
        for text, x in (("Figure", 0), ("one", 45), ("far", 200), ("12", 300), ("13", 344))
    ]
    assert [line.text for line in side_by_side(pieces)] == ["Figure one", "far", "12", "13"]


def test_only_what_is_not_known_already_counts_of_what_ocr_read() -> None:
    known = [FigureLine("tonnes", (0, 0, 60, 10), 10)]
    read = [
        FigureLine("tones", (2, 1, 58, 9), 10),
        FigureLine("2019", (0, 30, 40, 40), 10),
        FigureLine("tonnes of kelp", (0, 0, 140, 10), 10),
    ]
    assert text_of(unsaid(read, known)) == "2019\ntonnes of kelp"
    assert unsaid(read, []) == read


@given(
    st.lists(st.lists(st.tuples(st.text("ab1", min_size=1, max_size=4), st.floats(0, 300)), min_size=1, max_size=6), max_size=6)
)
def test_no_word_is_lost_or_invented(found: list[list[tuple[str, float]]]) -> None:
    lines = [[FigureLine(text, (x, 10 * n, x + 10, 10 * n + 10), 10) for text, x in line] for n, line in enumerate(found)]
    kept = sorted(word for line in side_by_side(lines_of(lines)) for word in line.text.split())
    assert kept == sorted(text for line in found for text, _ in line)
