from collections.abc import Iterator

import pytest

import tests.tasks.workers.worker_functions as work
from schemas.options.sections import LimitOptions
from tests.kept_workers import MOST_POOLS, KeptWorkers
from tests.tasks.workers.pools import gone, outcome

ONE = LimitOptions(workers=1)


@pytest.fixture
def kept() -> Iterator[KeptWorkers]:
    workers = KeptWorkers()
    yield workers
    workers.close()


def worker_of(kept: KeptWorkers, limits: LimitOptions = ONE) -> int:
    with kept(limits) as pool:
        return int(outcome(pool, work.process_id, 0))


def test_a_worker_is_kept_for_equal_limits_also_after_a_failure(kept: KeptWorkers) -> None:
    first = worker_of(kept)
    with pytest.raises(ZeroDivisionError), kept(ONE) as pool:
        assert outcome(pool, work.process_id, 0) == first
        raise ZeroDivisionError
    assert worker_of(kept) == first
    assert worker_of(kept, LimitOptions(workers=1, page_seconds=7)) != first


def test_another_environment_has_workers_of_its_own(kept: KeptWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    first = worker_of(kept)
    monkeypatch.setenv("LANG", "tlh")
    assert worker_of(kept) != first


def test_a_failure_that_leaves_calls_undone_ends_the_workers(kept: KeptWorkers) -> None:
    with pytest.raises(ZeroDivisionError), kept(ONE) as pool:
        worker = int(outcome(pool, work.process_id, 0))
        pool.begin(work.sleep)
        raise ZeroDivisionError
    assert gone(worker)


def test_only_the_pools_that_were_used_last_are_kept(kept: KeptWorkers) -> None:
    first = worker_of(kept)
    for seconds in range(1, MOST_POOLS + 1):
        worker_of(kept, LimitOptions(workers=1, page_seconds=seconds))
    assert gone(first)
