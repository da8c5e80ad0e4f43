import itertools
import threading
from collections.abc import Iterator
from contextvars import ContextVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.workers.threads import BackgroundValue, map_in_threads, prefetch_items

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


def test_what_comes_next_is_made_while_the_caller_works() -> None:
    made = [threading.Event() for _ in range(4)]

    def items() -> Iterator[int]:
        for number, event in enumerate(made):
            event.set()
            yield number

    stream = prefetch_items(items())
    for number in range(4):
        assert next(stream) == number
        assert all(event.wait(10) for event in made[: number + 2])
        assert not any(event.is_set() for event in made[number + 2 :])
    assert list(stream) == []


def test_an_error_is_raised_after_what_came_before_it() -> None:
    def items() -> Iterator[str]:
        yield "first"
        raise ValueError("second")

    stream = prefetch_items(items())
    assert next(stream) == "first"
    with pytest.raises(ValueError, match="second"):
        next(stream)


def test_a_caller_that_leaves_early_leaves_no_thread() -> None:
    stream = prefetch_items(iter(range(100)))
    assert next(stream) == 0
    stream.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pagemill-ahead")]


def test_it_is_made_once_and_only_after_it_was_asked_for_often() -> None:
    made = itertools.count(1)
    kept = BackgroundValue(lambda: next(made), 3)
    assert [kept.request() for _ in range(3)] == [None] * 3
    assert kept.wait() is None
    kept.request()
    assert (kept.wait(), kept.request(), kept.ready, next(made)) == (1, 1, 1, 2)


def test_no_caller_waits_for_it() -> None:
    go_on = threading.Event()
    kept = BackgroundValue(lambda: go_on.wait(60), 0)
    assert kept.request() is None and kept.ready is None
    go_on.set()
    assert kept.wait() is True


def test_what_cannot_be_made_is_logged_and_not_there(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> str:
        raise OSError("no room")

    kept = BackgroundValue(fail, 0)
    kept.request()
    assert kept.wait() is None and kept.request() is None
    assert caplog.text.count("no room") == 1
