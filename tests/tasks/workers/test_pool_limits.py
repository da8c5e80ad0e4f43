from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from schemas.errors import LimitError
from schemas.options.sections import LimitOptions
from tasks.workers.pool import WorkerPool
from tests.tasks.workers import worker_functions as work
from tests.tasks.workers.pools import AMPLE, BRIEF, outcome, outcomes


@pytest.mark.parametrize("function", [work.backtrack, work.have_a_child_compute])
def test_an_item_that_computes_forever_is_ended(function: Callable[..., Any]) -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, function, limits=BRIEF)
        assert isinstance(error, LimitError)
        assert str(error) == "no page was finished within 0.2 s of CPU time: raise limits.page_seconds"
        assert outcome(pool, work.square, 7) == 49


def test_an_item_that_writes_forever_is_ended() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.chatter, limits=BRIEF)
    assert isinstance(error, LimitError)
    assert str(error).startswith("no page was finished within")


def test_an_item_that_hangs_without_computing_is_ended_by_wall_clock_time() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.sleep, limits=BRIEF)
    assert isinstance(error, LimitError)
    assert (
        str(error)
        == "no page was finished within 2 s with little CPU time used: raise limits.page_seconds, or exclude what hangs"
    )


@pytest.mark.parametrize("limit", ["page_seconds", "document_seconds"])
def test_time_used_by_other_processes_does_not_count(limit: str) -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        assert outcome(pool, work.idle, 0.6, limits=LimitOptions(**{limit: 0.2})) is None


def test_each_item_has_its_full_time_after_earlier_items_of_its_worker() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        limits = LimitOptions(page_seconds=0.5, document_seconds=0.5)
        assert outcomes(pool, work.compute, [(0.3,)] * 4, limits=limits) == [None] * 4


def test_half_an_answer_is_waited_for_no_longer_than_a_page() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.say, b"\1\0\0\0", False, limits=BRIEF)
    assert isinstance(error, LimitError)


def toil(tick: work.Tick) -> None:
    """Compute without end, with signs of life, few enough that the worker is not kept waiting for them to be read."""
    for done in count(1):
        work.compute(0.01, tick)
        tick(done)


def test_the_total_time_of_an_item_is_limited_even_if_it_shows_signs_of_life() -> None:
    limits = LimitOptions(workers=1, page_seconds=100, document_seconds=1)
    with WorkerPool(limits) as pool:
        error = outcome(pool, toil)
    assert isinstance(error, LimitError)
    assert str(error) == "the document was not finished within 1 s of CPU time: raise limits.document_seconds"


def test_signs_of_life_keep_an_item_alive_beyond_the_time_for_a_page() -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcome(pool, work.count, 60, 0.02, limits=LimitOptions(page_seconds=1)) == 60
