"""What is made once it was asked for often."""

import itertools
import threading

import pytest

from tasks.workers.when_asked import BackgroundValue


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
