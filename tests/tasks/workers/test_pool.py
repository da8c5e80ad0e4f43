import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from schemas.errors import DocumentError, LimitError, PagemillError, ServiceError, WorkerError, WriteError
from schemas.options.sections import LimitOptions
from tasks.workers import process as worker_process
from tasks.workers.pool import WorkerPool, n_workers, run_one
from tests.tasks.workers import worker_functions as work

AMPLE = LimitOptions(workers=2)
BRIEF = LimitOptions(workers=2, page_seconds=0.2)
SMALL = LimitOptions(workers=2, memory_mb=256)
ROOT = Path(__file__).parents[3]


def outcomes(pool: WorkerPool, function: Callable[..., Any], items: list[tuple[Any, ...]], **more: Any) -> list[Any]:
    found = dict(pool.map(function, items, **more))
    return [found[index] for index in range(len(items))]


def outcome(pool: WorkerPool, function: Callable[..., Any], *args: Any, **more: Any) -> Any:
    return outcomes(pool, function, [args], **more)[0]


def gone(pid: int) -> bool:
    """Whether a process ends within a time that is ample."""
    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE or process.wait(30) is None
    except psutil.NoSuchProcess:
        return True


def alive() -> list[psutil.Process]:
    """The pools' processes below this one; the session may have others."""
    return [child for child in psutil.Process().children() if "tasks.workers.main" in child.cmdline()]


def test_every_item_has_its_own_outcome() -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcomes(pool, work.square, [(n,) for n in range(50)]) == [n * n for n in range(50)]


def test_no_items_have_no_outcomes_and_start_nothing() -> None:
    with WorkerPool(AMPLE) as pool:
        assert list(pool.map(work.square, [])) == []
        assert alive() == []


def test_outcomes_come_in_the_order_of_completion(tmp_path: Path) -> None:
    with WorkerPool(AMPLE) as pool:
        results = pool.map(work.wait_for, [(str(tmp_path / "late"),), (str(tmp_path),)])
        assert next(results) == (1, str(tmp_path))
        (tmp_path / "late").touch()
        assert next(results) == (0, str(tmp_path / "late"))


def test_several_threads_share_one_pool() -> None:
    with WorkerPool(AMPLE) as pool, ThreadPoolExecutor(4) as threads:
        jobs = [threads.submit(outcomes, pool, work.square, [(n + k,) for n in range(30)]) for k in range(4)]
        assert [job.result() for job in jobs] == [[(n + k) ** 2 for n in range(30)] for k in range(4)]
        assert len(alive()) == 2


@pytest.mark.parametrize("function", [work.backtrack, work.have_a_child_compute])
def test_an_item_that_computes_without_end_is_given_up(function: Callable[..., Any]) -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, function, limits=BRIEF)
        assert isinstance(error, LimitError)
        assert str(error) == "no page was finished within 0.2 s of CPU time: raise limits.page_seconds"
        assert outcome(pool, work.square, 7) == 49


def test_an_item_that_writes_without_end_is_given_up() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.chatter, limits=BRIEF)
    assert isinstance(error, LimitError)
    assert str(error).startswith("no page was finished within")


def test_an_item_that_hangs_without_computing_is_given_up_by_the_clock() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.sleep, limits=BRIEF)
    assert isinstance(error, LimitError)
    assert (
        str(error)
        == "no page was finished within 2 s with little CPU time used: raise limits.page_seconds, or exclude what hangs"
    )


@pytest.mark.parametrize("limit", ["page_seconds", "document_seconds"])
def test_time_in_which_others_have_the_machine_counts_not(limit: str) -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        assert outcome(pool, work.idle, 0.6, limits=LimitOptions(**{limit: 0.2})) is None


def test_each_item_has_all_of_its_time_whatever_its_worker_did_before() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        limits = LimitOptions(page_seconds=0.5, document_seconds=0.5)
        assert outcomes(pool, work.compute, [(0.3,)] * 4, limits=limits) == [None] * 4


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
        (work.out_of_memory, (), LimitError, "there was no more memory: lower limits.workers, or raise limits.memory_mb"),
        (work.take_at_once, (10_000,), LimitError, "there was no more memory: lower limits.workers, or raise limits.memory_mb"),
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
def test_a_bad_item_becomes_its_own_error_and_the_others_go_on(
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


def test_half_an_answer_is_waited_for_no_longer_than_a_page() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.say, b"\1\0\0\0", False, limits=BRIEF)
    assert isinstance(error, LimitError)


def test_an_error_comes_with_its_notes_and_what_it_is_made_of() -> None:
    full = WriteError(28, "No space left on device", "/corpus/a.arrow")
    with WorkerPool(LimitOptions(workers=1)) as pool:
        error = outcome(pool, work.fail, full, "make room")
    assert isinstance(error, WriteError)
    assert (error.errno, str(error), error.__notes__) == (28, str(full), ["make room"])


def test_the_total_time_of_an_item_is_limited_even_if_it_shows_signs_of_life() -> None:
    limits = LimitOptions(workers=1, page_seconds=100, document_seconds=0.2)
    with WorkerPool(limits) as pool:
        error = outcome(pool, work.count, 10_000_000, 0.0)
    assert isinstance(error, LimitError)
    assert str(error) == "the document was not finished within 0.2 s of CPU time: raise limits.document_seconds"


def test_signs_of_life_keep_an_item_alive_beyond_the_time_for_a_page() -> None:
    with WorkerPool(AMPLE) as pool:
        assert outcome(pool, work.count, 60, 0.02, limits=LimitOptions(page_seconds=1)) == 60


def test_progress_is_told_in_the_callers_thread() -> None:
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


def test_a_crash_brings_the_last_words() -> None:
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


def test_workers_see_of_the_environment_what_they_need_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_one_worker_serves_many_items() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        assert len(set(outcomes(pool, work.process_id, [(n,) for n in range(10)]))) == 1


def test_a_worker_is_replaced_after_so_many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "MAX_ITEMS", 3)
    with WorkerPool(LimitOptions(workers=1)) as pool:
        ids = outcomes(pool, work.process_id, [(n,) for n in range(7)])
    assert len(set(ids)) == 3
    assert ids[0] == ids[2] != ids[3] == ids[5] != ids[6]


def test_a_worker_that_keeps_too_much_memory_is_replaced() -> None:
    with WorkerPool(LimitOptions(workers=1, memory_mb=512)) as pool:
        first, second, third = outcomes(pool, work.keep, [(10,), (300,), (10,)])
    assert first == second != third


def test_a_worker_that_dies_between_two_items_harms_none() -> None:
    with WorkerPool(LimitOptions(workers=1)) as pool:
        pid = outcome(pool, work.process_id, 0)
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
        assert outcome(pool, work.process_id, 0) != pid


def test_a_worker_that_cannot_start_is_the_services_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with WorkerPool(AMPLE) as pool:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/bin/false")
            assert "ended with exit code 1 before it could start" in str(outcome(pool, work.square, 2))
            broken.setattr(sys, "executable", "/nowhere/python")
            error = outcome(pool, work.square, 2)
        assert isinstance(error, ServiceError)
        assert outcome(pool, work.square, 2) == 4


def test_leaving_the_iterator_calls_off_the_rest() -> None:
    with WorkerPool(AMPLE) as pool:
        results = pool.map(work.wait_for, [(str(ROOT),), *[("/nowhere",)] * 20])
        assert next(results) == (0, str(ROOT))
        results.close()
        assert outcome(pool, work.square, 3) == 9


def test_closing_ends_what_other_threads_wait_for(tmp_path: Path) -> None:
    pool = WorkerPool(AMPLE)
    with ThreadPoolExecutor(1) as thread:
        first = str(tmp_path / "report")
        items = [(first, False, work.sleep), *[(str(tmp_path / "later"), False, work.sleep)] * 5]
        job = thread.submit(outcomes, pool, work.start_child, items)
        run_one(work.wait_for, (first,), AMPLE)
        pool.close()
        pool.close()
        assert all(isinstance(error, WorkerError) for error in job.result())
    with pytest.raises(WorkerError, match="closed"):
        outcome(pool, work.square, 1)


LEAVES_NOTHING = """
import threading, psutil
from tests.tasks.workers import test_pool as t

me = psutil.Process()
before = me.num_fds(), threading.active_count()
with t.WorkerPool(t.BRIEF) as pool:
    t.outcomes(pool, t.work.square, [(n,) for n in range(10)])
    t.outcomes(pool, t.work.crash, [(), ()])
    t.outcomes(pool, t.work.sleep, [(), ()])
assert me.children(recursive=True) == []
assert (me.num_fds(), threading.active_count()) == before
"""


def test_a_closed_pool_leaves_no_process_thread_or_file_descriptor() -> None:
    run = subprocess.run([sys.executable, "-c", LEAVES_NOTHING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("daemonise", [False, True])
@pytest.mark.parametrize("end", [work.devour, work.crash])
def test_what_a_worker_started_ends_with_it(end: Callable[..., None], daemonise: bool, tmp_path: Path) -> None:
    report = tmp_path / "report"
    with WorkerPool(SMALL) as pool:
        assert isinstance(outcome(pool, work.start_child, str(report), daemonise, end), LimitError)
        child, worker, scratch = report.read_text().split()
        assert not psutil.pid_exists(int(child))
        assert not psutil.pid_exists(int(worker))
        assert not Path(scratch).exists()


PARENT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from schemas.options.sections import LimitOptions
from tasks.workers.pool import WorkerPool
from tests.tasks.workers import worker_functions as work
with WorkerPool(LimitOptions(workers=2)) as pool:
    list(pool.map(work.start_child, [(f"{sys.argv[1]}/{n}", n == 1, work.sleep) for n in range(2)]))
"""


@pytest.fixture
def parent(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A process with two busy workers, each with a child of its own; their reports are in `tmp_path`."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL
    )
    for report in ("0", "1"):
        run_one(work.wait_for, (str(tmp_path / report),), AMPLE)
    return process


@pytest.mark.parametrize("how", ["kill -9", "kill -9 of the group", "terminate", "Ctrl-C"])
def test_nothing_outlives_the_parent(how: str, parent: subprocess.Popen[bytes], tmp_path: Path) -> None:
    below = psutil.Process(parent.pid).children(recursive=True)
    assert len(below) == 6
    match how:
        case "kill -9":
            parent.kill()
        case "kill -9 of the group":
            os.killpg(parent.pid, signal.SIGKILL)
        case "terminate":
            parent.terminate()
        case "Ctrl-C":
            os.killpg(parent.pid, signal.SIGINT)
    parent.wait(30)
    assert all(gone(process.pid) for process in below)
    assert not any(Path(report.read_text().split()[2]).exists() for report in tmp_path.iterdir())


def test_one_call_needs_no_pool() -> None:
    told: list[int] = []
    assert run_one(work.count, (2, 0.0), AMPLE, told.append) == 2
    assert told == [1, 2]
    with pytest.raises(DocumentError, match="not today"):
        run_one(work.refuse, ("not today",), AMPLE)
    assert alive() == []


def test_there_is_a_worker_for_each_core_unless_told_otherwise() -> None:
    assert n_workers(LimitOptions(workers=3)) == 3
    assert n_workers(LimitOptions()) == len(os.sched_getaffinity(0))
