"""Properties of the rule by which the pieces of tables and indexes are joined."""

from itertools import pairwise
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.store.tiers import (
    FULL_ROWS,
    GROWTH,
    MAX_DELETED_SHARE,
    MIN_DELETED,
    MIN_JOINED,
    Fragment,
    choose_rewrites,
    count_joined,
)

PIECES = st.lists(st.builds(lambda rows, lost: Fragment(rows, min(rows, lost)), st.integers(0, 10**7), st.integers(0, 10**7)))


@given(sizes=st.lists(st.integers(0, 10**9), max_size=60))
def test_what_is_joined_is_much_larger_than_the_largest_of_its_pieces(sizes: list[int]) -> None:
    joined = count_joined(sizes)
    assert joined == 0 or joined >= MIN_JOINED
    last = [max(rows, 1) for rows in sizes[len(sizes) - joined :]]
    assert not last or sum(last) >= GROWTH * max(last)


@pytest.mark.parametrize(("base", "new"), [(5, 5), (47_000, 5), (47_000, 470), (4_700_000, 47_000), (1_000_000, 1)])
def test_nights_of_the_same_size_leave_few_pieces_and_rewrite_a_row_seldom(base: int, new: int) -> None:
    sizes, written, nights = [base], 0, 1000
    for _ in range(nights):
        sizes.append(new)
        if joined := count_joined(sizes):
            written += sum(sizes[-joined:])
            sizes[-joined:] = [sum(sizes[-joined:])]
        assert len(sizes) <= MIN_JOINED * log(base + nights * new, GROWTH)
    assert written <= nights * new * log(nights, GROWTH)


@given(pieces=PIECES)
def test_every_worn_piece_is_due_and_full_ones_that_are_not_worn_stay(pieces: list[Fragment]) -> None:
    found = choose_rewrites(pieces)
    for place, piece in enumerate(pieces):
        worn = piece.rows - piece.living > max(MAX_DELETED_SHARE * piece.rows, MIN_DELETED)
        assert place in found or not worn
        assert place not in found or worn or piece.living < FULL_ROWS


@given(pieces=PIECES.map(lambda pieces: [piece for piece in pieces if piece.living < FULL_ROWS]))
def test_what_is_due_are_the_youngest_pieces_so_that_pieces_keep_the_order_of_their_age(pieces: list[Fragment]) -> None:
    places = sorted(choose_rewrites(pieces))
    assert all(after == before + 1 for before, after in pairwise(places))
    assert not places or places[-1] == len(pieces) - 1
