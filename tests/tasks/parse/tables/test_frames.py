from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import share, union
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.tables.frames import frames_of
from tests.tasks.parse.layout.pages import both, lattice

RULE = st.builds(lambda at, start, length: Rule(at, start, start + length), *[st.integers(0, 60).map(float)] * 3)


@given(st.lists(RULE, max_size=12), st.lists(RULE, max_size=12))
def test_frames_lie_within_the_rules_that_make_them(across: list[Rule], down: list[Rule]) -> None:
    frames = frames_of(Rules(tuple(across), tuple(down)))
    boxes = [(r.start, r.at, r.end, r.at) for r in across] + [(r.at, r.start, r.at, r.end) for r in down]
    assert all(share(frame, union(boxes)) > 0.999 for frame in frames)


@given(st.integers(2, 6), st.integers(2, 6))
def test_a_lattice_is_one_frame(n_rows: int, n_columns: int) -> None:
    ys, xs = [20.0 * n for n in range(n_rows + 1)], [50.0 * n for n in range(n_columns + 1)]
    assert frames_of(lattice(ys, xs)) == [(0, 0, xs[-1], ys[-1])]


def test_two_lattices_are_two_frames_from_top_to_bottom() -> None:
    below, above = lattice([200, 220, 240], [0, 50, 100]), lattice([0, 20, 40], [0, 50, 100])
    assert frames_of(both(below, above)) == [(0, 0, 100, 40), (0, 200, 100, 240)]


def test_a_box_and_rules_without_vertical_rules_are_not_a_frame() -> None:
    assert frames_of(lattice([0, 50], [0, 100])) == []
    assert frames_of(Rules((Rule(0, 0, 100), Rule(20, 0, 100), Rule(40, 0, 100)), ())) == []


def test_a_title_over_all_columns_is_not_part_of_the_frame() -> None:
    outer = lattice([0, 20, 40, 60], [0, 100])
    assert frames_of(outer._replace(verticals=(*outer.verticals, Rule(50, 20, 60)))) == [(0, 20, 100, 60)]
