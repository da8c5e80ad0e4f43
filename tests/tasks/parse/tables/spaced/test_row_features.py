import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.judge.io.models import read_trees
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.tables.spaced.reader import lines_of_table, row_starts_of, spaced_cells
from tasks.parse.tables.spaced.row_features import FEATURES, row_features
from tests.tasks.parse.tables.spaced.test_reader import FIGURES, drawn, letters

ROWS = st.lists(st.tuples(st.sampled_from(["Marine", "bed and oil"]), FIGURES, FIGURES), min_size=2, max_size=6)


@given(ROWS, st.floats(-300, 300), st.floats(0.5, 3))
def test_what_is_seen_of_lines_does_not_change_where_a_table_is_or_how_large(
    rows: list[tuple[str, ...]], shift: float, scale: float
) -> None:
    words = drawn(rows, right=True)
    moved = [
        word._replace(box=tuple(scale * at + shift for at in word.box), size=scale * word.size)  # type: ignore[arg-type]
        for word in words
    ]
    before, after = (row_features(lines_of_table(each, NO_RULES)) for each in (words, moved))
    assert before.shape[1] == len(FEATURES)
    assert np.allclose(before, after, atol=0.01, equal_nan=True)


@given(ROWS)
def test_a_judge_that_is_sure_has_its_way_unless_a_rule_says_otherwise(rows: list[tuple[str, ...]]) -> None:
    table = lines_of_table(drawn(rows, right=True), NO_RULES)
    count = len(table.lines)
    for odds, most in ((60.0, count), (-60.0, 2)):
        head, body = row_starts_of(table, [0.0, *[odds] * (count - 1)])
        assert len(head) + len(body) == count if odds > 0 else len(head) + len(body) <= most


def test_the_judge_joins_names_that_go_on_as_far_below_as_rows_stand_apart() -> None:
    words = [*letters("Item", 0, 10, True), *letters("1998", 150, 10, True), *letters("1999", 200, 10, True)]
    names = ["Total wages and", "salaries of all", "Rent", "Depreciation of", "buildings", "Interest"]
    for n, name in enumerate(names):
        words += letters(name, 0, 24 + 12 * n)
        if n in (0, 2, 3, 5):
            words += [*letters(f"{n}12", 150, 24 + 12 * n), *letters(f"{n}45", 200, 24 + 12 * n)]
    typed = [word._replace(font="Serif") for word in words]
    cells = spaced_cells(typed, NO_RULES, read_trees("rows"))
    joined = {cell.text for cell in cells if not cell.column}
    assert "Depreciation of buildings" in joined
