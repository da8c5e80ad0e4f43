import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.scans.boxes import trimmed
from tasks.parse.scans.words import OcrWord


def page(ink: tuple[int, int, int, int]) -> np.ndarray:
    picture = np.full((60, 90), 250, dtype=np.uint8)
    x0, y0, x1, y1 = ink
    picture[y0:y1, x0:x1] = 10
    return picture


def at(box: tuple[float, float, float, float]) -> OcrWord:
    return OcrWord("Context:", box, 0.9, (1, 1), 1)


@given(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
def test_a_box_ends_where_its_word_does(beyond: tuple[int, int, int, int]) -> None:
    left, above, right, below = beyond
    found = trimmed([at((20 - left, 20 - above, 50 + right, 32 + below))], page((20, 20, 50, 32)))
    assert [word.box for word in found] == [(20, 20, 50, 32)]


def test_a_box_does_not_grow_up_or_down_and_one_without_ink_stays() -> None:
    words = [at((20, 22, 50, 30)), at((60, 40, 80, 50)), at((-4, -4, 8, 8))]
    assert trimmed(words, page((20, 20, 50, 32))) == words
    assert trimmed([], page((20, 20, 50, 32))) == []


def test_a_box_has_the_whole_of_the_letters_at_its_sides() -> None:
    assert trimmed([at((26, 20, 44, 32))], page((20, 20, 50, 32)))[0].box == (20, 20, 50, 32)


def test_a_box_does_not_grow_along_a_rule_or_into_another_word() -> None:
    assert trimmed([at((35, 20, 36, 32))], page((20, 20, 50, 32)))[0].box == (35, 20, 36, 32)
    beside = [at((26, 20, 44, 32)), at((46, 20, 50, 32))]
    assert trimmed(beside, page((20, 20, 50, 32)))[0].box == (20, 20, 44, 32)
    assert trimmed([*beside[:1], at((20, 34, 50, 40))], page((20, 20, 50, 40)))[0].box == (20, 20, 50, 32)
