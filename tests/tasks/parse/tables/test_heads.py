from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.heads import WordRun, spread


def run(text: str, x: float, y: float, column: int) -> WordRun:
    return WordRun((Word((x, y, x + 20, y + 10), text, 0, 0, 10),), column, column)


def test_a_heading_between_rules_with_no_column_between_them_stays_over_its_own() -> None:
    head = [run("Sales", 150, 0, 1)]
    body = [[run(name, 0, 20 * n, 0), run("1", 100, 20 * n, 1), run("2", 200, 20 * n, 2)] for n, name in enumerate("ab", 1)]
    rules = Rules((), (Rule(145, -5, 15), Rule(175, -5, 15)))
    [found] = [cell for cell in spread([head, *body], 2, 3, rules) if cell.text.startswith("Sales")]
    assert (found.column, found.columns) == (1, 1)
