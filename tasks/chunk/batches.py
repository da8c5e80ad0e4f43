"""Batches: a stream cut into lists, so that work on several items at once need not wait for all of them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batched(items: Iterable[Item], n: int) -> Iterator[list[Item]]:
    """Yield the items in lists of `n`; the last list may be shorter. An item is read only when its list is asked for.

    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, n)):
        yield batch
