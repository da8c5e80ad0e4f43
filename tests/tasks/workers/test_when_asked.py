"""What is made once it was asked for often."""

import itertools
import threading

import pytest

from tasks.workers.when_asked import WhenAsked


def test_it_is_made_once_and_only_after_it_was_asked_for_often() -> None:
    made = itertools.count(1)
    kept = WhenAsked(lambda: next(made), 3)
    assert [kept.asked() for _ in range(3)] == [None] * 3
    assert kept.wait() is None
    kept.asked()
    assert (kept.wait(), kept.asked(), kept.ready, next(made)) == (1, 1, 1, 2)


def test_no_caller_waits_for_it() -> None:
    go_on = threading.Event()
    kept = WhenAsked(lambda: go_on.wait(60), 0)
    assert kept.asked() is None and kept.ready is None
    go_on.set()
    assert kept.wait() is True


def test_what_cannot_be_made_is_logged_and_not_there(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> str:
        raise OSError("no room")

    kept = WhenAsked(fail, 0)
    kept.asked()
    assert kept.wait() is None and kept.asked() is None
    assert caplog.text.count("no room") == 1
