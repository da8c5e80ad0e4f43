"""Wraps: rows that go on in columns too narrow for words."""

import pytest
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


def test_figures_torn_in_narrow_columns_are_whole() -> None:
    words = [*letters("bond", 0, 20), *letters("0.55", 60, 20), *letters("27.8", 90, 20)]
    words += [*letters("8", 60, 30), *letters("50", 90, 30)]
    words += [*letters("hedge", 0, 50), *letters("0.01", 60, 50), *letters("1.9", 90, 50), *letters("7", 60, 60)]
    found = spaced_cells([word._replace(line=n) for n, word in enumerate(words)], NO_RULES)
    assert [cell.text for cell in found] == ["bond", "0.558", "27.850", "hedge", "0.017", "1.9"]


def test_groups_of_digits_and_powers_torn_apart_are_whole() -> None:
    words = [*letters("bond", 0, 20), *letters("$46,6", 60, 20), *letters("7.89", 120, 20)]
    words += [*letters("23.72", 60, 30), *letters("e-26", 120, 30)]
    words += [*letters("hedge", 0, 50), *letters("$10.2", 60, 50), *letters("1.25", 120, 50)]
    found = spaced_cells([word._replace(line=n) for n, word in enumerate(words)], NO_RULES)
    assert [cell.text for cell in found] == ["bond", "$46,623.72", "7.89e-26", "hedge", "$10.2", "1.25"]


def test_names_torn_in_a_narrow_column_go_on_where_lines_of_a_row_are_nearer_than_rows() -> None:
    rows = [("ABCD", "Causes it to read all", "EF", "and load again."), ("ABCG", "Causes it to clean up", "HIJ", "exit.")]
    rows += [("ABCK", "Causes it to clean up", "LM", "exit.")]
    words = []
    for n, (name, text, rest, more) in enumerate(rows):
        words += [*letters(name, 0, 20 + 31 * n), *letters(text, 40, 20 + 31 * n)]
        words += [*letters(rest, 0, 33.5 + 31 * n), *letters(more, 40, 33.5 + 31 * n)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES) if not cell.column] == ["ABCD EF", "ABCG HIJ", "ABCK LM"]


def test_a_bracket_that_is_open_in_a_name_or_a_text_goes_on_in_the_next_line() -> None:
    lines = [("Set", "Keeps it as it is"), ("Get(A,", "Returns what is there"), ("Beta)", ""), ("Put", "Moves it (or")]
    lines += [("", "All)"), ("Cut", "Leaves it out")]
    words = [
        w
        for n, line in enumerate(lines)
        for x, text in zip((0, 60), line, strict=True)
        if text
        for w in letters(text, x, 20 + 12 * n)
    ]
    assert [cell.text for cell in spaced_cells(words, NO_RULES) if not cell.column] == ["Set", "Get(A, Beta)", "Put", "Cut"]


@pytest.mark.parametrize("pitch", [12, 16])
def test_a_name_goes_on_below_the_last_row_where_no_row_follows(pitch: int) -> None:
    head = [*letters("Item", 0, 10, True), *letters("Load", 60, 10, True), *letters("Change", 100, 10, True)]
    row = [*letters("Rent", 0, 26), *letters("7.66", 60, 26), *letters("-32", 100, 26)]
    rest = [*letters("and", 0, 26 + pitch), *letters("rates", 0, 26 + 2 * pitch)]
    found = spaced_cells([*head, *row, *rest], NO_RULES)
    assert [cell.text for cell in found if cell.row == 1] == ["Rent and rates", "7.66", "-32"]


def test_a_last_line_farther_than_rows_from_each_other_is_a_row() -> None:
    head = [*letters("Item", 0, 10, True), *letters("Load", 60, 10, True), *letters("Change", 100, 10, True)]
    rows = [word for y in (26, 38) for word in (*letters("Rent", 0, y), *letters("7.66", 60, y), *letters("-32", 100, y))]
    found = spaced_cells([*head, *rows, *letters("and", 0, 54), *letters("rates", 0, 70)], NO_RULES)
    assert [cell.text for cell in found if not cell.column] == ["Item", "Rent", "Rent", "and", "rates"]


def test_units_and_currencies_torn_from_their_figures_are_whole() -> None:
    words = [*letters("Name", 0, 10, True), *letters("Share", 60, 10, True), *letters("Cost", 110, 10, True)]
    for n, name in enumerate(("Pump", "Valve", "Motor")):
        y = 30 + 28 * n
        words += [*letters(name, 0, y), *letters("83.3", 60, y), *letters("USD", 110, y)]
        words += [*letters("%", 60, y + 11), *letters("29.01", 110, y + 11)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES) if cell.row == 2] == ["Valve", "83.3 %", "USD 29.01"]


def test_a_row_may_have_many_lines() -> None:
    text = [f"word{n} and another one" for n in range(30)]
    words = [*letters("Name", 0, 10, True), *letters("Text", 60, 10, True), *letters("one", 0, 30), *letters("two", 0, 424)]
    words += [word for n, line in enumerate(text) for word in letters(line, 60, 30 + 13 * n)]
    words += letters("its end", 60, 424)
    found = [cell.text for cell in spaced_cells(words, NO_RULES)]
    assert found == ["Name", "Text", "one", " ".join(text), "two", "its end"]
