"""Where rows begin by the judge of rows, and where they go on in columns too narrow for words."""

from tasks.parse.judge.io.models import read_trees
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.tables.spaced.reader import spaced_cells
from tests.tasks.parse.tables.spaced.test_reader import letters

JUDGE = read_trees("rows")


def test_figures_torn_in_narrow_columns_are_whole() -> None:
    words = [*letters("bond", 0, 20), *letters("0.55", 60, 20), *letters("27.8", 90, 20)]
    words += [*letters("8", 60, 30), *letters("50", 90, 30)]
    words += [*letters("hedge", 0, 50), *letters("0.01", 60, 50), *letters("1.9", 90, 50), *letters("7", 60, 60)]
    found = spaced_cells([word._replace(line=n) for n, word in enumerate(words)], NO_RULES, JUDGE)
    assert [cell.text for cell in found] == ["bond", "0.558", "27.850", "hedge", "0.017", "1.9"]


def test_names_torn_in_a_narrow_column_go_on_where_lines_of_a_row_are_nearer_than_rows() -> None:
    rows = [("ABCD", "Causes it to read all", "EF", "and load again."), ("ABCG", "Causes it to clean up", "HIJ", "exit.")]
    rows += [("ABCK", "Causes it to clean up", "LM", "exit.")]
    words = []
    for n, (name, text, rest, more) in enumerate(rows):
        words += [*letters(name, 0, 20 + 31 * n), *letters(text, 40, 20 + 31 * n)]
        words += [*letters(rest, 0, 33.5 + 31 * n), *letters(more, 40, 33.5 + 31 * n)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES, JUDGE) if not cell.column] == ["ABCD EF", "ABCG HIJ", "ABCK LM"]


def test_a_last_line_farther_than_rows_from_each_other_is_a_row() -> None:
    head = [*letters("Item", 0, 10, True), *letters("Load", 60, 10, True), *letters("Change", 100, 10, True)]
    rows = [word for y in (26, 38) for word in (*letters("Rent", 0, y), *letters("7.66", 60, y), *letters("-32", 100, y))]
    found = spaced_cells([*head, *rows, *letters("and", 0, 54), *letters("rates", 0, 70)], NO_RULES, JUDGE)
    assert [cell.text for cell in found if not cell.column] == ["Item", "Rent", "Rent", "and", "rates"]


def test_units_and_currencies_torn_from_their_figures_are_whole() -> None:
    words = [*letters("Name", 0, 10, True), *letters("Share", 60, 10, True), *letters("Cost", 110, 10, True)]
    for n, name in enumerate(("Pump", "Valve", "Motor")):
        y = 30 + 28 * n
        words += [*letters(name, 0, y), *letters("83.3", 60, y), *letters("USD", 110, y)]
        words += [*letters("%", 60, y + 11), *letters("29.01", 110, y + 11)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES, JUDGE) if cell.row == 2] == ["Valve", "83.3 %", "USD 29.01"]


def test_a_row_may_have_many_lines() -> None:
    text = [f"word{n} and another one" for n in range(30)]
    words = [*letters("Name", 0, 10, True), *letters("Text", 60, 10, True), *letters("one", 0, 30), *letters("two", 0, 424)]
    words += [word for n, line in enumerate(text) for word in letters(line, 60, 30 + 13 * n)]
    words += letters("its end", 60, 424)
    found = [cell.text for cell in spaced_cells(words, NO_RULES, JUDGE)]
    assert found == ["Name", "Text", "one", " ".join(text), "two", "its end"]
