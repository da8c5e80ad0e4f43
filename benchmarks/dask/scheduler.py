"""Simulate a large refresh: a real Dask scheduler, the flow's own code, and workers that answer at once without any work.

What is measured is the time of CPU that one task costs the flow's process and the scheduler's: from these two processes alone
comes the limit of a cluster, whatever its machines can do.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.dask.run import prefect_server
from benchmarks.report import say
from schemas.corpus import Corpus
from schemas.media_types import PDF
from schemas.options.sections import LimitOptions, RefreshOptions
from schemas.references import Answer, Batch, Content, StepDone
from schemas.staged import STEPS
from tasks.refresh.io.dask.cluster import Cluster, Future, Submission, connect_to_scheduler
from tasks.refresh.io.running import ActiveRun, hold_active_run
from tasks.refresh.io.steps import Earlier, Step
from tasks.refresh.run import Recipes, Run
from tasks.store.staging import RemoteStaging
from tasks.workers.pool import WorkerPool
from tasks.workers.progress import Progress
from tasks.workers.threads import map_in_threads
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster

CONTENTS = 16
"""Contents of a batch."""


class PerTask(NamedTuple):
    """Elapsed time and time of CPU of a task, in ms."""

    elapsed: float
    flow: float
    scheduler: float


def nothing(batch: str, run: str, earlier: str, handover: str, answer: str) -> str:
    """Do nothing on a worker: the flow sends what a step would answer."""
    return answer


def made_answer(step: str, batch: Batch) -> str:
    """Return what a step says that has staged all of a batch."""
    rows = {step: {content.name: ("packs/aa/" + "a" * 65 + ".arrow", at) for at, content in enumerate(batch.contents)}}
    return Answer(done=StepDone(step=step, computed=len(batch.contents), rows=rows)).model_dump_json()


def measure(n_tasks: int, n_workers: int, n_threads: int, with_prefect: bool = False) -> tuple[PerTask, ...]:
    """Send `n_tasks` tasks that do nothing through the code of a refresh, `n_threads` batches at once; in a flow with Prefect.

    Return what one cost in the first half, and in the second: if it were more there, a flow could not go on for long.
    """
    with (
        prefect_server() if with_prefect else nullcontext(),
        simulate_cluster(n_workers) as (processes, cluster),
        made_up() as (run, live),
    ):
        functions = {step: partial(sent, cluster, live, step) for step in STEPS}

        def work(numbers: range) -> None:
            steps = tasks_of(run, functions) if with_prefect else tuple(functions.values())

            def through(number: int) -> None:
                batch = made_batch(run, number)
                done: tuple[StepDone, ...] = ()
                for step in steps:
                    done = (*done, step(batch, run, done))

            map_in_threads(through, numbers, n_threads, live.cancelled)

        def half(numbers: range) -> PerTask:
            called = partial(work, numbers)
            return measure_costs_of(partial(under_flow, called) if with_prefect else called, len(numbers) * len(STEPS), processes)

        n_batches = n_tasks // len(STEPS)
        return half(range(n_batches // 2)), half(range(n_batches // 2, n_batches))


def sent(cluster: Cluster, live: ActiveRun, step: str, batch: Batch, run: Run, earlier: Earlier, last: bool = True) -> StepDone:
    """Have a worker do nothing in the place of a step."""
    given = (batch.model_dump_json(), run.model_dump_json(), json.dumps([done.model_dump() for done in earlier]))

    def send(handover: str, how: Submission) -> Future:
        return cluster.client.submit(nothing, *given, handover, made_answer(step, batch), **how)

    answer = Answer.model_validate_json(cluster.run_step(step, run, batch, live, send))
    return cluster.learn(run, batch, answer.done, live)


def under_flow(work: Callable[[], None]) -> None:
    """Call `work` in a flow run."""
    from prefect import flow

    def simulated_refresh() -> None:
        work()

    flow(simulated_refresh)()


def tasks_of(run: Run, functions: Mapping[str, Callable[..., StepDone]]) -> tuple[Step, ...]:
    """Return steps as Prefect tasks, as a flow has them."""
    from tasks.refresh.tasks import make_step_tasks

    return make_step_tasks(run, functions)


def measure_costs_of(work: Callable[[], None], n_tasks: int, processes: DaskCluster) -> PerTask:
    """Return what a task cost while `work` did `n_tasks` of them."""
    scheduler = psutil.Process(processes.processes["scheduler"].pid)
    began, own, used = time.monotonic(), time.process_time(), sum(scheduler.cpu_times()[:2])
    work()
    seconds = (time.monotonic() - began, time.process_time() - own, sum(scheduler.cpu_times()[:2]) - used)
    return PerTask(*(1000 * each / n_tasks for each in seconds))


@contextmanager
def simulate_cluster(n_workers: int) -> Iterator[tuple[DaskCluster, Cluster]]:
    """Run a scheduler, and a process with all workers."""
    with tempfile.TemporaryDirectory() as folder, dask_cluster(Path(folder), []) as processes:
        command = [sys.executable, "-m", "benchmarks.dask.many_workers", processes.address, str(n_workers)]
        workers = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            with connect_to_scheduler(processes.address) as cluster:
                cluster.client.wait_for_workers(n_workers, timeout=120)
                yield processes, cluster
        finally:
            workers.terminate()
            workers.wait()


@contextmanager
def made_up() -> Iterator[tuple[Run, ActiveRun]]:
    """Give a run of a corpus that is not there, and what its tasks share."""
    names = dict.fromkeys((*STEPS, "sentences", "proposals", "embedder"), "r" * 32)
    recipes = Recipes(**names, details="{}", dimension=384, max_tokens=256, chunk_tokens=256)
    with tempfile.TemporaryDirectory() as folder, WorkerPool(LimitOptions(workers=1)) as judges:
        corpus, options = Corpus(str(Path(folder) / "corpus")), RefreshOptions()
        run = Run(run_id="r", source=folder, corpus=corpus, options=options, recipes=recipes, base=0, listed_at_ns=0)
        with hold_active_run(run.run_id, options.limits, Progress(), RemoteStaging(corpus), judges) as live:
            yield run, live


def made_batch(run: Run, number: int) -> Batch:
    """Return a batch of documents that are not there."""
    contents = [
        Content(sha256=f"{number * CONTENTS + at:064x}", media_type=PDF, path=f"{run.source}/{number}-{at}.pdf", size=10**6)
        for at in range(CONTENTS)
    ]
    return Batch(corpus=run.corpus, contents=tuple(contents))


def tell(name: str, halves: tuple[PerTask, ...]) -> None:
    """Print what a task cost, and how many workers that are busy for so long with a task a flow can keep busy."""
    for which, cost in zip(("first", "second"), halves, strict=True):
        costs = f"{cost.elapsed:.2f} ms a task elapsed; CPU: flow {cost.flow:.2f} ms, scheduler {cost.scheduler:.2f} ms"
        say(f"{name}, {which} half: {costs}")
    slowest = max(max(cost.flow, cost.scheduler) for cost in halves)
    say(f"  at most {1000 / slowest:.0f} tasks a second; batches under way together, if one step of a batch takes:")
    say("  " + ", ".join(f"{seconds} s: {seconds * 1000 / slowest:.0f}" for seconds in (1, 5, 20, 60)))
