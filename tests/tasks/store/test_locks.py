import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schemas.errors import ConflictError, CorpusError
from tasks.store.locks import hold_lock

ROOT = Path(__file__).parents[3]
AMPLE_SECONDS = 60.0


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "corpus" / ".pagemill" / "lock"


@pytest.fixture
def holder(lock: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock and has a child which outlives it."""
    command = [sys.executable, "-m", "tests.tasks.store.lock_holder", str(lock)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        yield process
        os.kill(child, signal.SIGKILL)
        process.kill()


def test_a_free_lock_is_taken_and_given_back_again_and_again(lock: Path) -> None:
    for _ in range(3):
        with hold_lock(lock, 0, "refresh"):
            assert lock.exists()


def test_a_lock_tells_who_holds_it_and_nothing_afterwards(lock: Path) -> None:
    with hold_lock(lock, 0, "refresh"):
        said = json.loads(lock.read_text())
        assert (said["pid"], said["what"]) == (os.getpid(), "refresh")
    assert lock.read_text() == ""


def test_a_second_process_is_told_who_holds_the_lock_and_what_to_do(lock: Path, holder: subprocess.Popen[str]) -> None:
    says = rf"in use by refresh \(process {holder.pid} on .+ since .+Z\): wait until it ends, or set --lock-wait"
    with pytest.raises(ConflictError, match=says), hold_lock(lock, 0.05, "rollback"):
        pass


def test_a_lock_is_free_after_kill_9_of_its_holder_though_its_child_lives(lock: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    assert json.loads(lock.read_text())["pid"] == holder.pid
    with hold_lock(lock, 0, "refresh"):
        assert json.loads(lock.read_text())["pid"] == os.getpid()


def test_who_waits_gets_the_lock_when_its_holder_ends(lock: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdin
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(hold_and_return, lock, AMPLE_SECONDS)
        holder.stdin.close()
        assert waiting.result() == "held"
    assert holder.wait() == 0


def hold_and_return(lock: Path, wait_seconds: float) -> str:
    with hold_lock(lock, wait_seconds, "refresh"):
        return "held"


def test_two_threads_exclude_each_other(lock: Path) -> None:
    inside, most = 0, 0
    count = threading.Lock()

    def enter(_: int) -> None:
        nonlocal inside, most
        with hold_lock(lock, AMPLE_SECONDS, "refresh"):
            with count:
                inside += 1
                most = max(most, inside)
            sum(range(100_000))
            with count:
                inside -= 1

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(enter, range(12)))
    assert most == 1


def test_a_thread_that_asks_twice_is_refused(lock: Path) -> None:
    with hold_lock(lock, 0, "refresh"), pytest.raises(ConflictError, match="in use by refresh"), hold_lock(lock, 0, "refresh"):
        pass


def test_a_failure_inside_the_block_frees_the_lock(lock: Path) -> None:
    with pytest.raises(KeyError), hold_lock(lock, 0, "refresh"):
        raise KeyError
    assert hold_and_return(lock, 0) == "held"


@pytest.mark.parametrize("said", ["", "not JSON", "[]", "{}", '{"pid": "x", "host": "h", "since": 1}', "\x00\xff"])
def test_what_a_file_says_does_not_matter_to_the_lock(said: str, lock: Path) -> None:
    lock.parent.mkdir(parents=True)
    lock.write_text(said)
    with hold_lock(lock, 0, "refresh"):
        lock.write_text(said)
        with pytest.raises(ConflictError, match="in use by another run"), hold_lock(lock, 0, "refresh"):
            pass


def test_one_who_is_no_more_is_not_blamed(lock: Path) -> None:
    with hold_lock(lock, 0, "refresh"):
        ended = subprocess.Popen(["true"])
        ended.wait()
        lock.write_text(json.dumps({**json.loads(lock.read_text()), "pid": ended.pid}))
        with pytest.raises(ConflictError, match="in use by another run"), hold_lock(lock, 0, "refresh"):
            pass


def test_a_lock_in_a_place_that_cannot_be_written_is_an_error_of_the_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus").write_text("a file, not a folder")
    with pytest.raises(CorpusError, match="cannot be locked"), hold_lock(tmp_path / "corpus" / "lock", 0, "refresh"):
        pass


def test_the_lock_of_a_corpus_that_is_deleted_meanwhile_does_not_count(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = os.open
    opened = []

    def delete_the_first(path: Path, flags: int, mode: int = 0o777) -> int:
        opened.append(take(path, flags, mode))
        if len(opened) == 1:
            lock.unlink()
        return opened[-1]

    monkeypatch.setattr(os, "open", delete_the_first)
    with hold_lock(lock, 0, "refresh"):
        assert os.path.samestat(os.fstat(opened[-1]), lock.stat())
    assert len(opened) == 2
