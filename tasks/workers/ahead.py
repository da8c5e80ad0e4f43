"""Ahead: makes the next item of an iterator in a thread, while the caller works with the present one."""

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def prefetch(items: Iterator[Item]) -> Generator[Item, None, None]:
    """Yield what `items` yields. One more item is made meanwhile; its error is raised when its turn has come."""
    with ThreadPoolExecutor(1, thread_name_prefix="pagemill-ahead") as thread:
        coming = thread.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = thread.submit(next, items, None)
            yield item
