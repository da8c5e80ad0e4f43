"""Tiers: which pieces of what grows by a piece a night are joined, so that there are few and a row is seldom rewritten."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

MIN_JOINED = 8
"""Fewer pieces than this are not worth joining."""
GROWTH = 4
"""Pieces are joined when together they are so many times the largest: a row is rewritten log4(rows) times at most."""
FULL_ROWS = 1_048_576
"""Pieces of so many rows are joined with no other."""
MAX_DELETED_SHARE, MIN_DELETED = 0.2, 256
"""A piece that lost more than this share of its rows, and more than these few, is written anew: what is lost takes no more than a
fifth of the room."""


class Fragment(NamedTuple):
    """One of many pieces: its rows, and how many of them are deleted."""

    rows: int
    lost: int = 0

    @property
    def living(self) -> int:
        """How many rows are left of it."""
        return self.rows - self.lost

    @property
    def is_worn(self) -> bool:
        """Whether it is to be written anew."""
        return self.lost > max(MAX_DELETED_SHARE * self.rows, MIN_DELETED)


def choose_rewrites(pieces: Sequence[Fragment]) -> set[int]:
    """Return the positions of the pieces, oldest first, that are to be rewritten; those that follow one another become one.

    What is younger than a worn piece goes with it: the order of pieces stays that of their age.

    >>> choose_rewrites([Fragment(5000), *[Fragment(1)] * 8])
    {1, 2, 3, 4, 5, 6, 7, 8}
    >>> choose_rewrites([Fragment(5000, lost=1001), Fragment(1)]), choose_rewrites([Piece(5000, lost=999), Piece(1)])
    ({0, 1}, set())
    """
    found: set[int] = set()
    for full, run in groupby(enumerate(pieces), lambda placed: placed[1].living >= FULL_ROWS):
        places, ages = zip(*run, strict=True)
        worn = [place for place, piece in zip(places, ages, strict=True) if piece.is_worn]
        joined = places[len(places) - count_joined([piece.living for piece in ages]) :]
        found |= {*worn} if full else {*joined, *(place for place in places if worn and place >= worn[0])}
    return found


def count_joined(sizes: Sequence[int]) -> int:
    """Return how many of the last pieces are to become one, given the rows of all pieces, oldest first; 0 if none are.

    >>> count_joined([5000, *[1] * 7]), count_joined([5000, *[1] * 8]), to_join([5000, 8, 8, 8, *[1] * 8])
    (0, 8, 11)
    """
    return max(_joinable_counts(sizes), default=0)


def _joinable_counts(sizes: Sequence[int]) -> Iterator[int]:
    total = largest = 0
    for n, rows in enumerate(reversed(sizes), start=1):
        total, largest = total + max(rows, 1), max(largest, rows, 1)
        if n >= MIN_JOINED and total >= GROWTH * largest:
            yield n
