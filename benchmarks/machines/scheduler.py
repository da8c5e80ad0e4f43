"""Simulate a large refresh: a real Dask scheduler, the flow's own code, and workers that answer at once without any work.

What is measured is the time of CPU that one task costs the flow's process and the scheduler's: from these two processes alone
comes the limit of a cluster, whatever its machines can do.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from benchmarks.report import say
from schemas.corpus import Corpus
from schemas.media_types import PDF
from schemas.options.sections import LimitOptions, RefreshOptions
from schemas.references import Batch, Content, StepDone
from schemas.staged import STEPS
from tasks.embed.remembered import Memory
from tasks.refresh.io.machines.cluster import Cluster
from tasks.refresh.io.machines.connection import connected
from tasks.refresh.io.running import Running
from tasks.refresh.recipes import Recipes
from tasks.refresh.run import Run
from tasks.store.staging import ToldStaging
from tasks.workers.pool import WorkerPool
from tasks.workers.progress import Progress
from tasks.workers.side_by_side import side_by_side
from tests.flows.machines.dask_cluster import DaskCluster, dask_cluster

CONTENTS = 16
"""Contents of a batch."""


class PerTask(NamedTuple):
    """Elapsed time and time of CPU of a task, in ms."""

    elapsed: float
    flow: float
    scheduler: float


def nothing(step: str, batch: str, handover: str) -> str:
    """Do nothing on a worker, and tell of rows as a step does."""
    names = [content.name for content in Batch.model_validate_json(batch).contents]
    rows = {step: {name: ("packs/aa/aa.arrow", at) for at, name in enumerate(names)}}
    return StepDone(step=step, computed=len(names), rows=rows).model_dump_json()


def measure_plain(n_tasks: int, n_workers: int, n_threads: int) -> PerTask:
    """Send `n_tasks` tasks that do nothing through the code of a refresh without Prefect, `n_threads` batches at once."""
    with simulated(n_workers) as (processes, cluster), tempfile.TemporaryDirectory() as folder:
        run, live = made_up(Path(folder))

        def through(number: int) -> None:
            batch = made_batch(run, number)
            for step in STEPS:

                def send(handover: str, step: str = step, **place: Any) -> Any:
                    return cluster.client.submit(nothing, step, batch.model_dump_json(), handover, **place)

                done = StepDone.model_validate_json(cluster.carry_out(step, run, batch, live, send))
                cluster.learn(run, batch, done, live)

        def work() -> None:
            side_by_side(through, range(n_tasks // len(STEPS)), n_threads, live.given_up)

        return measured(work, n_tasks, processes)


def measure_prefect(n_tasks: int, n_workers: int, n_threads: int) -> PerTask:
    """Do the same with Prefect tasks, as a flow of a Prefect server does."""
    from prefect.testing.utilities import prefect_test_harness

    from benchmarks.machines.idle import idle, under_flow

    with (
        prefect_test_harness(server_startup_timeout=120),
        simulated(n_workers) as (processes, cluster),
        tempfile.TemporaryDirectory() as folder,
    ):
        run, live = made_up(Path(folder))

        def through(number: int) -> None:
            batch = made_batch(run, number)

            def send(handover: str, **place: Any) -> Any:
                given = {"batch": batch, "run": run, "earlier": (), "handover": handover}
                return cluster.client.submit(idle, parameters=given, return_type="state", **place)

            for step in STEPS:
                cluster.carry_out(step, run, batch, live, send).result()

        def many(n: int) -> None:
            under_flow(lambda: side_by_side(through, range(n), n_threads, live.given_up))

        many(n_workers)  # before it is measured, the workers import Prefect
        return measured(lambda: many(n_tasks // len(STEPS)), n_tasks, processes)


def measured(work: Any, n_tasks: int, processes: DaskCluster) -> PerTask:
    """Return what a task cost while `work` did `n_tasks` of them."""
    scheduler = psutil.Process(processes.processes["scheduler"].pid)
    began, own, used = time.monotonic(), time.process_time(), sum(scheduler.cpu_times()[:2])
    work()
    seconds = (time.monotonic() - began, time.process_time() - own, sum(scheduler.cpu_times()[:2]) - used)
    return PerTask(*(1000 * each / n_tasks for each in seconds))


@contextmanager
def simulated(n_workers: int) -> Iterator[tuple[DaskCluster, Cluster]]:
    """Run a scheduler, and a process with all workers."""
    with tempfile.TemporaryDirectory() as folder, dask_cluster(Path(folder), []) as processes:
        command = [sys.executable, "-m", "benchmarks.machines.many_workers", processes.address, str(n_workers)]
        workers = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            with connected(processes.address) as cluster:
                cluster.client.wait_for_workers(n_workers, timeout=120)
                yield processes, cluster
        finally:
            workers.terminate()
            workers.wait()


def made_up(folder: Path) -> tuple[Run, Running]:
    """Return a run of a corpus that is not there, and what its tasks share."""
    names = dict.fromkeys((*STEPS, "sentences", "proposals", "embedder"), "r" * 32)
    recipes = Recipes(**names, details="{}", dimension=384, max_tokens=256, chunk_tokens=256)
    corpus = Corpus(str(folder / "corpus"))
    options = RefreshOptions()
    run = Run(run_id="r", source=str(folder), corpus=corpus, options=options, recipes=recipes, base=0, listed_at_ns=0)
    pool = WorkerPool(LimitOptions(workers=1))
    return run, Running(pool, pool, Memory(), Progress(), threading.Event(), ToldStaging(corpus), {}, 1)


def made_batch(run: Run, number: int) -> Batch:
    """Return a batch of documents that are not there."""
    contents = [
        Content(sha256=f"{number * CONTENTS + at:064x}", media_type=PDF, path=f"{run.source}/{number}-{at}.pdf", size=10**6)
        for at in range(CONTENTS)
    ]
    return Batch(corpus=run.corpus, contents=tuple(contents))


def tell(name: str, cost: PerTask) -> None:
    """Print what a task cost, and how many workers that are busy for so long with a task a flow can keep busy."""
    say(f"{name}: {cost.elapsed:.2f} ms a task elapsed; CPU: flow {cost.flow:.2f} ms, scheduler {cost.scheduler:.2f} ms")
    slowest = max(cost.flow, cost.scheduler)
    say(f"  at most {1000 / slowest:.0f} tasks a second; batches under way together, if one step of a batch takes:")
    say("  " + ", ".join(f"{seconds} s: {seconds * 1000 / slowest:.0f}" for seconds in (1, 5, 20, 60)))
