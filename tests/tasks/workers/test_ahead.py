import threading
from collections.abc import Iterator

import pytest

from tasks.workers.ahead import prefetch


def test_what_comes_next_is_made_while_the_caller_works() -> None:
    made = [threading.Event() for _ in range(4)]

    def items() -> Iterator[int]:
        for number, event in enumerate(made):
            event.set()
            yield number

    stream = prefetch(items())
    for number in range(4):
        assert next(stream) == number
        assert all(event.wait(10) for event in made[: number + 2])
        assert not any(event.is_set() for event in made[number + 2 :])
    assert list(stream) == []


def test_an_error_is_raised_after_what_came_before_it() -> None:
    def items() -> Iterator[str]:
        yield "first"
        raise ValueError("second")

    stream = prefetch(items())
    assert next(stream) == "first"
    with pytest.raises(ValueError, match="second"):
        next(stream)


def test_a_caller_that_leaves_early_leaves_no_thread() -> None:
    stream = prefetch(iter(range(100)))
    assert next(stream) == 0
    stream.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pagemill-ahead")]
