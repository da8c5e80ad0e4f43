"""A lease does in a store what a lock does in a folder: one holder at a time, and none that is dead."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import ConflictError
from tasks.store import files
from tasks.store.locks import hold_lock
from tasks.store.objects import leases

ROOT = Path(__file__).parents[4]
OF_ANOTHER = {
    "holder": "x",
    "fence": 7,
    "beat": 1,
    "what": "refresh",
    "pid": 1,
    "host": "far",
    "machine": "far",
    "since": "long ago",
}


@pytest.fixture
def lock(bucket: Path) -> Path:
    return bucket / "corpus/.pagemill/refresh.lock"


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"LEASE_SECONDS": 1.0, "BEAT_SECONDS": 0.2, "LOOK_SECONDS": 0.05}.items():
        monkeypatch.setattr(leases, name, seconds)


@pytest.fixture
def holder(lock: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lease."""
    command = [sys.executable, "-m", "tests.tasks.store.lock_holder", str(lock)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        yield process
        os.kill(child, 9)
        process.kill()


def state_of(lock: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lock.read_bytes())
    return found


def take(lock: Path, wait_seconds: float = 0) -> int:
    """Hold the lease for a moment; return the number of its holder among all there ever were."""
    with hold_lock(lock, wait_seconds, "refresh"):
        return int(state_of(lock)["fence"])


def test_each_holder_has_a_number_of_its_own(lock: Path) -> None:
    assert [take(lock) for _ in range(3)] == [1, 2, 3]
    assert state_of(lock)["free"]


def test_a_second_process_is_told_who_holds_the_lease_and_what_to_do(lock: Path, holder: subprocess.Popen[str]) -> None:
    says = rf"in use by refresh \(process {holder.pid} on .+ since .+Z\): wait until it ends, or set --lock-wait"
    with pytest.raises(ConflictError, match=says):
        take(lock)


def test_a_lease_is_free_at_once_after_kill_9_of_its_holder_on_this_machine(lock: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    assert take(lock) == 2


def test_who_waits_gets_the_lease_when_its_holder_ends(lock: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdin
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(take, lock, 60.0)
        holder.stdin.close()
        assert waiting.result() == 2


@pytest.mark.usefixtures("short_leases")
def test_a_lease_that_a_dead_machine_holds_runs_out_by_the_clock_of_who_watches(lock: Path) -> None:
    files.write_atomically(lock, json.dumps(OF_ANOTHER).encode())
    began = time.monotonic()
    assert take(lock) == 8
    assert time.monotonic() - began > leases.LEASE_SECONDS


@pytest.mark.usefixtures("short_leases")
def test_a_lease_that_another_machine_renews_is_left_to_it(lock: Path) -> None:
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(0.2):
            files.write_atomically(lock, json.dumps({**OF_ANOTHER, "beat": time.monotonic()}).encode())

    files.write_atomically(lock, json.dumps(OF_ANOTHER).encode())
    thread = threading.Thread(target=renew)
    thread.start()
    try:
        with pytest.raises(ConflictError, match="refresh"):
            take(lock)
    finally:
        ended.set()
        thread.join()


@pytest.mark.usefixtures("short_leases")
def test_a_holder_whose_lease_was_taken_over_publishes_nothing(lock: Path) -> None:
    with hold_lock(lock, 0, "refresh"):
        leases.confirm_lease(lock)
        files.write_atomically(lock, json.dumps(OF_ANOTHER).encode())
        with pytest.raises(ConflictError, match="taken the corpus over"):
            leases.confirm_lease(lock)
    assert state_of(lock) == OF_ANOTHER


@pytest.mark.usefixtures("short_leases")
def test_a_holder_keeps_its_lease_for_as_long_as_it_lives(lock: Path) -> None:
    with hold_lock(lock, 0, "refresh"), pytest.raises(ConflictError):
        take(lock, 2.5)
    assert take(lock) == 2


def test_threads_exclude_each_other(lock: Path) -> None:
    inside, most = 0, 0
    count = threading.Lock()

    def enter(_: int) -> None:
        nonlocal inside, most
        with hold_lock(lock, 60, "refresh"):
            with count:
                inside += 1
                most = max(most, inside)
            time.sleep(0.01)
            with count:
                inside -= 1

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(enter, range(8)))
    assert most == 1


@pytest.mark.parametrize("said", ["", "not JSON", "[]", "{}"])
def test_a_lease_that_says_nothing_is_free(said: str, lock: Path) -> None:
    files.write_atomically(lock, said.encode())
    assert take(lock) == 1
