import os
import threading
from functools import partial

import anyio
import pytest

from schemas.errors import ServiceError
from tasks.serve.io.threads import LATE_AT_ONCE, SEARCHES_A_CORE, Kind, Threads

WAIT_SECONDS = 30


def test_what_takes_too_long_is_answered_in_time_and_frees_its_slot() -> None:
    threads, released = Threads(seconds=0.1), threading.Event()

    async def ask() -> int:
        with pytest.raises(ServiceError, match=r"no answer within 0\.1 s"):
            await threads.run_in_thread("picture", partial(released.wait, WAIT_SECONDS))
        found = await threads.run_in_thread("picture", lambda: 1)
        released.set()
        return found

    assert anyio.run(ask) == 1


def test_searches_reads_and_pictures_do_not_keep_the_state_waiting() -> None:
    threads, released, begun = Threads(), threading.Event(), threading.Semaphore(0)

    def long() -> None:
        begun.release()
        released.wait(WAIT_SECONDS)

    kinds: tuple[tuple[Kind, int], ...] = (("search", 1), ("read", 8), ("picture", 1))

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for kind, n in kinds:
                for _ in range(n):
                    group.start_soon(threads.run_in_thread, kind, long)
            for _ in range(10):
                await anyio.to_thread.run_sync(begun.acquire)
            assert await threads.run_in_thread("state", lambda: "well") == "well"
            released.set()

    anyio.run(ask)


def test_searches_are_made_at_once_for_each_core_and_no_more() -> None:
    threads, n = Threads(), SEARCHES_A_CORE * len(os.sched_getaffinity(0))
    together, running, most = threading.Barrier(n), list[int](), list[int]()

    def search() -> None:
        running.append(1)
        together.wait(WAIT_SECONDS)
        most.append(len(running))
        together.wait(WAIT_SECONDS)
        running.pop()

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(2 * n):
                group.start_soon(threads.run_in_thread, "search", search)

    anyio.run(ask)
    assert (len(most), max(most)) == (2 * n, n)


def test_too_much_that_nobody_waits_for_refuses_more_until_it_is_done() -> None:
    threads, released, begun = Threads(seconds=0.05), threading.Event(), list[int]()

    def long() -> None:
        begun.append(1)
        released.wait(WAIT_SECONDS)

    async def ask() -> None:
        while len(begun) < LATE_AT_ONCE:  # on a busy machine, a thread may not begin in time, and is not needed any more then
            with pytest.raises(ServiceError, match=r"no answer within|still computes"):
                await threads.run_in_thread("picture", long)
        with pytest.raises(ServiceError, match="still computes"):
            await threads.run_in_thread("read", lambda: 1)
        released.set()
        while True:
            try:
                assert await threads.run_in_thread("read", lambda: 1) == 1
                return
            except ServiceError:
                await anyio.sleep(0)

    anyio.run(ask)
