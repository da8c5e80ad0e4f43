"""Tiers: which pieces of what grows by a piece a night are joined, so that there are few and a row is seldom rewritten."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

FEWEST = 8
"""Fewer pieces than this are not worth joining."""
GROWTH = 4
"""Pieces are joined when together they are so many times the largest: a row is rewritten log4(rows) times at most."""
FULL = 1_048_576
"""Pieces of so many rows are joined with no other."""
WORN, LEAST_LOST = 0.2, 256
"""A piece that lost more than this share of its rows, and more than these few, is written anew: what is lost takes no more than a
fifth of the room."""


class Piece(NamedTuple):
    """One of many pieces: its rows, and how many of them are deleted."""

    rows: int
    lost: int = 0

    @property
    def living(self) -> int:
        """How many rows are left of it."""
        return self.rows - self.lost

    @property
    def worn(self) -> bool:
        """Whether it is to be written anew."""
        return self.lost > max(WORN * self.rows, LEAST_LOST)


def due(pieces: Sequence[Piece]) -> set[int]:
    """Return the positions of the pieces, oldest first, that are to be rewritten; those that follow one another become one.

    What is younger than a worn piece goes with it: the order of pieces stays that of their age.

    >>> due([Piece(5000), *[Piece(1)] * 8])
    {1, 2, 3, 4, 5, 6, 7, 8}
    >>> due([Piece(5000, lost=1001), Piece(1)]), due([Piece(5000, lost=999), Piece(1)])
    ({0, 1}, set())
    """
    found: set[int] = set()
    for full, run in groupby(enumerate(pieces), lambda placed: placed[1].living >= FULL):
        places, ages = zip(*run, strict=True)
        worn = [place for place, piece in zip(places, ages, strict=True) if piece.worn]
        joined = places[len(places) - to_join([piece.living for piece in ages]) :]
        found |= {*worn} if full else {*joined, *(place for place in places if worn and place >= worn[0])}
    return found


def to_join(sizes: Sequence[int]) -> int:
    """Return how many of the last pieces are to become one, given the rows of all pieces, oldest first; 0 if none are.

    >>> to_join([5000, *[1] * 7]), to_join([5000, *[1] * 8]), to_join([5000, 8, 8, 8, *[1] * 8])
    (0, 8, 11)
    """
    return max(_worth_joining(sizes), default=0)


def _worth_joining(sizes: Sequence[int]) -> Iterator[int]:
    total = largest = 0
    for n, rows in enumerate(reversed(sizes), start=1):
        total, largest = total + max(rows, 1), max(largest, rows, 1)
        if n >= FEWEST and total >= GROWTH * largest:
            yield n
