"""Wraps: rows that go on in columns too narrow for words."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.rules import NO_RULES
from tasks.parse.tables.spaced.reader import spaced_cells
from tests.tasks.parse.tables.spaced.test_reader import letters


@given(st.sampled_from(["encoderandactuator", "encoderofthefirstpumpofall", "24"]))
def test_a_name_in_a_column_too_narrow_for_words_goes_on_letter_by_letter(name: str) -> None:
    words = [*letters("3,275", 40, 20), *letters("173", 90, 20)]
    words += [word for n, letter in enumerate(name) for word in letters(letter, 0, 20 + 12 * n)]
    y = 20 + 12 * len(name)
    words += [*letters("O", 0, y), *letters("1,441", 40, y), *letters("888", 90, y)]
    rows = {(cell.row, cell.column): cell.text for cell in spaced_cells(words, NO_RULES)}
    assert rows[0, 0].replace(" ", "") == name
    assert (rows[1, 0], rows[1, 1]) == ("O", "1,441")
