"""Batches: a stream taken in lists, so that what is done to many at once need not wait for all."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batched(items: Iterable[Item], n: int) -> Iterator[list[Item]]:
    """Yield the items in lists of `n`, the last one shorter if need be; none is asked for before its list is.

    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, n)):
        yield batch
