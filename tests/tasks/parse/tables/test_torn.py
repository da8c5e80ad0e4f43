from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.words import Word
from tasks.parse.tables.torn import texts_of
from tests.tasks.parse.layout.pages import a_sentence


def cell(*lines: str, y: float = 0) -> list[Word]:
    return [word for n, line in enumerate(lines) for word in a_sentence(line, 0, y + 12 * n)]


def texts(*cells: tuple[str, ...]) -> list[str]:
    return texts_of([cell(*lines, y=100.0 * n) for n, lines in enumerate(cells)], [0] * len(cells))


def test_words_and_figures_too_wide_for_their_column_are_whole() -> None:
    assert texts(("Ubunt", "u"), ("Debia", "n"), ("nulla", "ble"), ("arm",)) == ["Ubuntu", "Debian", "nullable", "arm"]
    assert texts(("2,914.1", "3"), ("64,448",)) == ["2,914.13", "64,448"]


def test_words_that_wrap_stay_two() -> None:
    assert texts(("Oxygen", "saturation"), ("intravenous", "cohort")) == ["Oxygen saturation", "intravenous cohort"]
    assert texts(("from a", "n"), ("12", "15"), ("Hill", "n")) == ["from a n", "12 15", "Hill n"]


def test_a_column_that_breaks_several_words_where_lines_are_full_breaks_all() -> None:
    assert texts(("bedeu", "tung"), ("archi", "tekt")) == ["bedeu tung", "archi tekt"]
    assert texts(("bedeu", "tung"), ("archi", "tektu", "ren"), ("art",)) == ["bedeutung", "architekturen", "art"]
    assert texts(("bedeu", "tung"), ("archi", "tektu", "ren"), ("of", "art")) == ["bedeu tung", "archi tektu ren", "of art"]


def test_a_line_that_ends_a_torn_word_need_not_be_full() -> None:
    assert texts(("bedeu", "tung", "stark"), ("archi", "tektu", "ren", "groes", "se")) == [
        "bedeutung stark",
        "architekturen groesse",
    ]
    assert texts(("bedeu", "tung", "stark"), ("of", "archi", "tektu", "ren")) == ["bedeu tung stark", "of archi tektu ren"]


def test_a_column_breaks_figures_where_lines_are_full_and_rests_are_shorter() -> None:
    assert texts(("24", "0"), ("24", "1"), ("24", "4")) == ["240", "241", "244"]
    assert texts(("24", "10"), ("24", "11"), ("24", "14")) == ["24 10", "24 11", "24 14"]


@given(st.lists(st.sampled_from(["a", "of", "Hill", "12", "3", "n"]), min_size=1, max_size=5))
def test_no_letter_is_lost_and_cells_over_several_columns_stay(lines: list[str]) -> None:
    words = cell(*lines)
    assert texts_of([words], [0])[0].replace(" ", "") == "".join(lines)
    assert texts_of([words], [None]) == [" ".join(lines)]


def test_a_column_of_single_letters_and_digits_is_whole() -> None:
    assert texts(("E", "n", "d"), ("2", "4"), ("B", "a", "r")) == ["End", "24", "Bar"]
