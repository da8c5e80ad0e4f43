from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.rules import NO_RULES
from tasks.parse.tables.spaced.breaks import baseline, levelled, limits_of, row_starts
from tasks.parse.tables.spaced.reader import spaced_cells
from tests.tasks.parse.tables.spaced.test_reader import letters


@given(st.lists(st.booleans(), min_size=3, max_size=12))
def test_rows_begin_at_far_lines_where_nothing_else_speaks(far: list[bool]) -> None:
    far = [True, *far, True, True, False]
    distances = [1.7 if each else 1.2 for each in far]
    starts, _ = row_starts(distances, [False] * len(far), lambda first, n: 0.0, limits_of(distances, False))
    assert starts == [n for n, each in enumerate(far) if each]


@given(st.lists(st.floats(0.5, 3), min_size=1, max_size=9), st.data())
def test_a_row_begins_at_every_rule(distances: list[float], data: st.DataObject) -> None:
    forced = [data.draw(st.booleans()) for _ in distances]
    starts, _ = row_starts(distances, forced, lambda first, n: 0.0, limits_of(distances, True))
    assert starts[0] == 0
    assert {n for n, must in enumerate(forced) if must} - {0} <= set(starts)


def test_a_baseline_is_the_same_with_and_without_letters_below_it() -> None:
    low = letters("gypsy", 0, 50)
    assert low[0].box[3] > 50
    assert baseline(letters("on", 0, 50)) == 50
    assert baseline(low) == 50
    assert baseline([*letters("on", 0, 50), *low]) == 50


def test_lines_on_one_baseline_are_one_line() -> None:
    small = [word._replace(box=(word.box[0], word.box[3] - 2, word.box[2], word.box[3])) for word in letters("on", 60, 50)]
    assert levelled([letters("not", 0, 50), small, letters("in", 0, 62)]) == [
        [*letters("not", 0, 50), *small],
        letters("in", 0, 62),
    ]


@given(st.lists(st.booleans(), min_size=3, max_size=9), st.lists(st.booleans(), min_size=12, max_size=12))
def test_distances_that_pixels_round_are_the_same(far: list[bool], rounded: list[bool]) -> None:
    kinds = [True, *far, True, False]
    distances = [(1.66 if each else 1.25) + 0.085 * up for each, up in zip(kinds, rounded, strict=False)]
    assert all(1.335 < limit < 1.66 for limit in limits_of(distances, False)[1:])


def test_a_baseline_is_where_the_pdf_says_that_words_stand() -> None:
    said = [word._replace(base=49.5) for word in letters("on", 0, 50)]
    assert baseline(said) == 49.5
    assert baseline([*said, *letters("on", 40, 50)]) == 49.5


def test_near_and_far_lines_of_a_scan_may_leave_no_gap() -> None:
    near, far = [1.22, 1.18, 1.26, 1.13, 1.22], [1.31, 1.31, 1.35]
    tried = limits_of([*near, *far], False, exact=False)
    assert any(max(near) < limit < min(far) for limit in tried)
    assert limits_of([*near, *far], False) == [0.0]


def test_lines_of_a_scan_that_differ_by_pixels_alone_are_none_of_them_near() -> None:
    assert limits_of([1.16, 1.18, 1.18, 1.2, 1.24, 1.24, 1.26, 1.3], False, exact=False) == [0.0]


def test_rows_stay_apart_though_a_few_of_many_lines_are_farther_apart() -> None:
    names = [f'"{name}"' for name in "null symbol pairlist closure environment promise language special builtin char".split()]
    words = []
    for n, name in enumerate(names * 2):
        y = 20 + 16 * n + 12 * (n > 4) + 12 * (n > 12)
        words += [*letters(name, 0, y), *letters("an object of a kind" if n % 3 else "a function that evaluates all", 80, y)]
    assert [cell.text for cell in spaced_cells(words, NO_RULES) if not cell.column] == names * 2
