import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from schemas.errors import LimitError, ServiceError, WorkerError
from schemas.options.sections import LimitOptions
from tasks.workers import process as worker_process
from tasks.workers.pool import WorkerPool, run_in_new_worker
from tests.tasks.workers import worker_functions as work
from tests.tasks.workers.pools import AMPLE, SMALL, gone, outcome, outcomes, wait_until

ROOT = Path(__file__).parents[3]


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


def test_leaving_the_iterator_cancels_the_rest() -> None:
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
        run_in_new_worker(work.wait_for, (first,), AMPLE)
        pool.close()
        pool.close()
        assert all(isinstance(error, WorkerError) for error in job.result())
    with pytest.raises(WorkerError, match="closed"):
        outcome(pool, work.square, 1)


LEAVES_NOTHING = """
import threading, psutil
from tests.tasks.workers import pools as t
from tests.tasks.workers import worker_functions as work

me = psutil.Process()
before = me.num_fds(), threading.active_count()
with t.WorkerPool(t.BRIEF) as pool:
    t.outcomes(pool, work.square, [(n,) for n in range(10)])
    t.outcomes(pool, work.crash, [(), ()])
    t.outcomes(pool, work.sleep, [(), ()])
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
        run_in_new_worker(work.wait_for, (str(tmp_path / report),), AMPLE)
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


def test_a_guard_that_does_not_end_is_killed_and_its_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "STOP_SECONDS", 0.2)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    worker = worker_process.WorkerProcess(512, {})
    wait_until(lambda: any(tmp_path.glob("pagemill-*")))  # not the file by which tempfile tries the folder
    [folder] = tmp_path.glob("pagemill-*")
    [guard] = [child for child in psutil.Process().children() if str(child.pid) in folder.name]
    guard.suspend()
    worker.stop()
    assert not guard.is_running() and not any(tmp_path.iterdir())
