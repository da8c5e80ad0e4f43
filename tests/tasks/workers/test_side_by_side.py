import threading
from contextvars import ContextVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.workers.side_by_side import map_in_threads

SEEN: ContextVar[str] = ContextVar("seen", default="nothing")


@given(st.lists(st.integers()), st.integers(1, 8))
def test_results_come_in_the_order_of_the_items(items: list[int], n_threads: int) -> None:
    assert map_in_threads(lambda item: item * 2, items, n_threads, threading.Event()) == [item * 2 for item in items]


def test_the_first_error_is_raised_while_others_still_work() -> None:
    going_on, given_up = threading.Event(), threading.Event()

    def work(item: int) -> int:
        if item == 1:
            raise ValueError("item 1")
        going_on.wait(60)
        return item

    with pytest.raises(ValueError, match="item 1"):
        map_in_threads(work, [0, 1, 2, 3], 2, given_up)
    assert given_up.is_set()
    going_on.set()


def test_no_item_is_begun_after_an_error() -> None:
    begun: list[int] = []

    def work(item: int) -> None:
        begun.append(item)
        raise ValueError

    with pytest.raises(ValueError):
        map_in_threads(work, list(range(100)), 1, threading.Event())
    assert begun == [0]


def test_a_call_sees_the_context_of_the_caller() -> None:
    SEEN.set("something")
    assert map_in_threads(lambda item: SEEN.get(), [1, 2], 2, threading.Event()) == ["something", "something"]
