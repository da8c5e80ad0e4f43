import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from schemas.errors import DocumentError, LimitError, PagemillError, WorkerError, WriteError
from schemas.options.sections import LimitOptions
from tasks.workers.pool import WorkerPool, count_workers, run_in_new_worker
from tests.tasks.workers import worker_functions as work
from tests.tasks.workers.beginning import begin_and_wait, moment
from tests.tasks.workers.pools import AMPLE, outcome, outcomes, wait_until, workers

Alive = Callable[[], list[psutil.Process]]


@pytest.fixture
def alive() -> Alive:
    """Return the workers that a test has started: other tests may keep theirs."""
    others = workers()
    return lambda: [worker for worker in workers() if worker not in others]


def test_every_item_has_its_own_outcome() -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcomes(pool, work.square, [(n,) for n in range(50)]) == [n * n for n in range(50)]


def test_no_items_have_no_outcomes_and_start_nothing(alive: Alive) -> None:
    with WorkerPool(AMPLE) as pool:
        assert list(pool.map(work.square, [])) == []
        assert alive() == []


def test_outcomes_come_in_the_order_of_completion(tmp_path: Path) -> None:
    with WorkerPool(AMPLE) as pool:
        results = pool.map(work.wait_for, [(str(tmp_path / "late"),), (str(tmp_path),)])
        assert next(results) == (1, str(tmp_path))
        (tmp_path / "late").touch()
        assert next(results) == (0, str(tmp_path / "late"))


def test_what_is_urgent_overtakes_what_waits(tmp_path: Path) -> None:
    def ask(urgency: int) -> list[float]:
        outcomes = [outcome for _, outcome in pool.map(moment, [(1,), (2,)], urgency=urgency)]
        return [when for when in outcomes if isinstance(when, float)]

    with WorkerPool(AMPLE.model_copy(update={"workers": 1})) as pool, ThreadPoolExecutor(3) as threads:
        first = threads.submit(lambda: list(pool.map(begin_and_wait, [(str(tmp_path / "go"),)])))
        wait_until((tmp_path / "go.begun").exists)
        slow = threads.submit(ask, 0)
        wait_until(lambda: pool._queue.qsize() == 2)
        fast = threads.submit(ask, 1)
        wait_until(lambda: pool._queue.qsize() == 4)
        (tmp_path / "go").touch()
        first.result()
        assert max(fast.result()) < min(slow.result())


def test_a_call_that_nobody_waits_for_is_made_before_the_next(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with WorkerPool(LimitOptions(workers=1)) as pool:
        pool.begin(work.refuse, "nobody is told")
        pool.begin(os.symlink, str(tmp_path), str(made))
        assert outcome(pool, work.square, 3) == 9
        assert made.is_symlink()


def test_several_threads_share_one_pool(alive: Alive) -> None:
    with WorkerPool(AMPLE) as pool, ThreadPoolExecutor(4) as threads:
        jobs = [threads.submit(outcomes, pool, work.square, [(n + k,) for n in range(30)]) for k in range(4)]
        assert [job.result() for job in jobs] == [[(n + k) ** 2 for n in range(30)] for k in range(4)]
        assert len(alive()) == 2


@pytest.mark.parametrize(
    ("function", "args", "kind", "says"),
    [
        (work.devour, (), LimitError, "took more than 256 MiB of memory: raise limits.memory_mb"),
        (work.have_a_child_devour, (300,), LimitError, "took more than 256 MiB of memory: raise limits.memory_mb"),
        (work.crash, (), LimitError, "the worker died of SIGSEGV"),
        (work.die, (signal.SIGABRT,), LimitError, "the worker died of SIGABRT"),
        (work.die, (signal.SIGTERM,), LimitError, "the worker died of SIGTERM"),
        (work.die, (signal.SIGRTMIN + 1,), LimitError, "the worker died of signal 35"),
        (work.die, (signal.SIGKILL,), LimitError, "SIGKILL, perhaps because memory ran out: lower limits.workers"),
        (work.leave, (3,), LimitError, "the worker ended with exit code 3"),
        (work.leave, (0,), LimitError, "the worker ended with exit code 0"),
        (work.out_of_memory, (), LimitError, "the machine is out of memory: lower limits.workers, or raise limits.memory_mb"),
        (
            work.take_at_once,
            (10_000,),
            LimitError,
            "the machine is out of memory: lower limits.workers, or raise limits.memory_mb",
        ),
        (work.fill_a_file, (300,), WorkerError, "OSError: [Errno 27] File too large"),
        (work.open_files, (600,), WorkerError, "OSError: [Errno 24] Too many open files"),
        (work.refuse, ("it is a poem",), DocumentError, "it is a poem"),
        (work.refuse_oddly, (), DocumentError, "onetwo"),
        (work.divide, (), WorkerError, "ZeroDivisionError: division by zero"),
        (work.ask_to_exit, (), WorkerError, "SystemExit: enough"),
        (work.give_lock, (), WorkerError, "a worker cannot send its result: TypeError"),
        (work.give, ({1, 2},), WorkerError, "a worker cannot send its result: TypeError"),
        (work.say, (b"\n", True), WorkerError, "a worker's answer cannot be read: JSONDecodeError"),
        (work.say, (b'["value", [false, []]]\n', True), WorkerError, "a worker's answer cannot be read: IndexError"),
        (work.say, (b'["value", [false, [["table", 8]]]]\nabcdefgh', True), WorkerError, "a worker's answer cannot be read"),
        (work.say, (b'["error", ["Exception", ["x"], []]]\n', True), WorkerError, "a worker's answer cannot be read: KeyError"),
        (work.say, (b'["tick", "one"]\n', True), WorkerError, "a worker's answer cannot be read: TypeError"),
        (work.say, (b'["ready", null]\n', True), WorkerError, "a worker's answer cannot be read: ValueError: ready"),
        (work.say, (bytes(8), False), WorkerError, "a worker's answer has 0 bytes"),
        (work.say, (bytes(7) + b"\1", False), WorkerError, "at most 268,435,456 are allowed: raise limits.memory_mb"),
        (work.square, (threading.Lock(),), WorkerError, "the call cannot be sent to a worker: TypeError"),
        (lambda tick: 1, (), WorkerError, "the call cannot be sent to a worker: "),
    ],
)
def test_a_bad_item_becomes_its_own_error_and_the_others_continue(
    function: Callable[..., Any], args: tuple[Any, ...], kind: type[PagemillError], says: str
) -> None:
    with WorkerPool(LimitOptions(workers=1, memory_mb=256)) as pool:
        error = outcome(pool, function, *args)
        assert type(error) is kind
        assert says in str(error)
        assert outcome(pool, work.square, 7) == 49


def test_nothing_that_a_worker_says_is_unpickled(tmp_path: Path) -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        for function in (work.give_spell, work.cast_spell):
            assert isinstance(outcome(pool, function, str(tmp_path / "cast")), WorkerError)
    assert list(tmp_path.iterdir()) == []


def test_an_error_comes_with_its_notes_and_what_it_is_made_of() -> None:
    full = WriteError(28, "No space left on device", "/corpus/a.arrow")
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.fail, full, "make room")
    assert isinstance(error, WriteError)
    assert (error.errno, str(error), error.__notes__) == (28, str(full), ["make room"])


def test_progress_is_reported_in_the_callers_thread() -> None:
    told: list[tuple[int, int, int]] = []
    with WorkerPool(LimitOptions(workers=1)) as pool:
        items = [(2, 0.0), (1, 0.0)]
        outcomes(pool, work.count, items, on_tick=lambda *progress: told.append((*progress, threading.get_ident())))
    me = threading.get_ident()
    assert told == [(0, 1, me), (0, 2, me), (1, 1, me)]


def test_an_unforeseen_error_brings_its_traceback() -> None:
    with WorkerPool(AMPLE) as pool:
        error = outcome(pool, work.divide)
    assert "return 1 / 0" in error.__notes__[0]


def test_a_crash_reports_the_last_output() -> None:
    with WorkerPool(AMPLE) as pool:
        error = outcome(pool, work.crash)
    assert "about to fall" in error.__notes__[0]
    assert "in crash" in error.__notes__[0]


def test_what_a_worker_writes_stays_off_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcome(pool, work.talk) is None
    assert capfd.readouterr() == ("", "")


def test_workers_compute_with_one_thread() -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcomes(pool, work.environment, [("OMP_NUM_THREADS",), ("OMP_THREAD_LIMIT",)]) == ["1", "1"]


def test_workers_see_of_the_environment_what_they_need_and_no_secret(monkeypatch: pytest.MonkeyPatch, alive: Alive) -> None:
    secrets = ("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "PREFECT_API_AUTH_STRING", "DB_PASSWORD", "ANYTHING")
    for name in secrets:
        monkeypatch.setenv(name, "a-secret-value")
    monkeypatch.setenv("TESSDATA_PREFIX", "/usr/share/tessdata")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with WorkerPool(LimitOptions(workers=1)) as pool:
        seen = outcome(pool, work.all_environment)
        guard = Path(f"/proc/{alive()[0].pid}/environ").read_bytes()
    assert not {*seen} & {*secrets}
    assert "a-secret-value" not in seen.values()
    assert b"a-secret-value" not in guard
    assert (seen["TESSDATA_PREFIX"], seen["LC_ALL"], seen["HOME"]) == ("/usr/share/tessdata", "C.UTF-8", os.environ["HOME"])


def test_one_call_needs_no_pool(alive: Alive) -> None:
    told: list[int] = []
    assert run_in_new_worker(work.count, (2, 0.0), AMPLE, told.append) == 2
    assert told == [1, 2]
    with pytest.raises(DocumentError, match="not today"):
        run_in_new_worker(work.refuse, ("not today",), AMPLE)
    assert alive() == []


def test_there_is_a_worker_for_each_core_unless_told_otherwise() -> None:
    assert count_workers(LimitOptions(workers=3)) == 3
    assert count_workers(LimitOptions()) == len(os.sched_getaffinity(0))
