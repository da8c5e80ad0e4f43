"""The side of the flow: it reaches a Dask cluster, sends batches to its workers, and waits for what was done."""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Protocol, Required, Unpack
from uuid import uuid4

from schemas.errors import InputError, PagemillError, ServiceError, WorkerError
from schemas.references import Answer, Batch, Handover, StepDone
from schemas.staged import BOUNDARY_STEPS, STEPS
from tasks.refresh.io.dask import remote
from tasks.refresh.io.dask.placement import Placement, SchedulerInfo, Workers, choose_workers, is_step_stranded, list_workers
from tasks.refresh.io.dask.remote import NAME, explain_version_mismatch, find_own_version, replay_worker_logs
from tasks.refresh.io.running import ActiveRun
from tasks.refresh.run import Run
from tasks.store.packs import locate_rows

ALONE_SECONDS = 120.0
"""Longest time without any worker before a run ends: a machine that was lost may come back."""

LOOK_SECONDS = 5.0
"""How old the list of workers may be."""

logger = logging.getLogger(__name__)


class Submission(Placement):
    """How Dask takes a call: under which key, before which others, and that it does not keep its answer for equal calls."""

    key: Required[str]
    priority: Required[int]
    pure: Required[bool]


class Future(Protocol):
    """A call of a step that Dask has taken: what is used of `distributed.Future`."""

    def add_done_callback(self, function: Callable[["Future"], None], /) -> None:
        """Call the function once there is an answer or an error."""

    def result(self) -> str:
        """Return the answer, or raise the error."""

    def cancel(self) -> None:
        """Take the call back."""

    def release(self) -> None:
        """Let Dask forget the answer."""


class Client(Protocol):
    """A connection to a scheduler: what is used of `distributed.Client`."""

    def scheduler_info(self) -> SchedulerInfo:
        """Return what the scheduler tells of itself."""

    def submit(self, function: Callable[..., str], /, *args: object, **how: Unpack[Submission]) -> Future:
        """Have a worker call the function."""

    def run(
        self, function: Callable[..., object], /, *args: object, on_error: str, workers: list[str] | None = None
    ) -> dict[str, object]:
        """Call the function in workers, at once; return what each returned, or its error, by address."""

    def wait_for_workers(self, n_workers: int, timeout: float) -> None:
        """Wait until the scheduler has so many workers."""

    def run_on_scheduler(self, function: Callable[..., object], /, *args: object) -> object:
        """Call the function in the scheduler."""


class Cluster:
    """The workers of a Dask cluster, for one run. Threads may share it."""

    def __init__(self, client: Client, address: str) -> None:
        """`client` is one of the scheduler at `address`."""
        self.client, self.address = client, address
        self._looking, self._examining = threading.Lock(), threading.Lock()
        self._looked_at = self._seen_at = time.monotonic()
        self._fit: set[str] = set()
        self._unfit: set[str] = set()
        self._workers = list_workers(client.scheduler_info())
        self.n_places = self._workers.n_places

    def examine(self, run: Run) -> None:
        """Have every worker open a run.

        Raises:
            InputError: one cannot do its work; says why.
        """
        present = {*self.client.scheduler_info()["workers"]}
        for problem in find_worker_problems(self.client, run, present).values():
            raise InputError(problem)
        self._fit = present

    def run_step(self, step: str, run: Run, batch: Batch, live: ActiveRun, send: Callable[[str, Submission], Future]) -> str:
        """Return what a worker returned for a step of a batch. `send(handover, how)` submits it.

        Raises:
            PagemillError: what the worker raised.
            ServiceError: the scheduler or all workers are gone, or the batch lost one worker after the other.
        """
        handover = make_handover(run, batch, live).model_dump_json()
        answer = None
        while answer is None:
            workers = self._wait_for_workers(live)
            own: Submission = {"key": f"{step}-{uuid4().hex}", "priority": STEPS.index(step), "pure": False}
            future = send(handover, {**own, **choose_workers(step, workers)})
            try:
                if self._wait_for(future, step, workers, live):
                    answer = self._take_answer(future, step, run, batch, workers)
            finally:
                future.release()
        return answer

    def learn(self, run: Run, batch: Batch, done: StepDone, live: ActiveRun) -> StepDone:
        """Take note of where the rows are that a worker staged, and of the progress; return what was done without the places."""
        for of, rows in done.rows.items():
            live.staging.add(of, getattr(run.recipes, of), locate_rows(rows))
        for content in batch.contents:
            live.progress.finish(done.step, content.name)
        return done.model_copy(update={"rows": {}})

    def workers(self) -> Workers:
        """Return the workers that are there and fit, as of the last LOOK_SECONDS.

        Raises:
            ServiceError: none has been there for ALONE_SECONDS.
        """
        with self._looking:
            if time.monotonic() - self._looked_at > LOOK_SECONDS:
                self._update_workers()
            if self._workers.n_places:
                self._seen_at = time.monotonic()
            elif time.monotonic() - self._seen_at > ALONE_SECONDS:
                raise ServiceError(
                    f"no worker is left at the Dask scheduler {self.address}: start some, and run the refresh again"
                )
            return self._workers

    def _update_workers(self) -> None:
        self._workers = list_workers(self.client.scheduler_info(), self._unfit)
        self._looked_at = time.monotonic()

    def _wait_for_workers(self, live: ActiveRun) -> Workers:
        """Return the workers once there are any."""
        while not (workers := self.workers()).n_places:
            _check_not_cancelled(live, LOOK_SECONDS)
        return workers

    def _has_refused_worker(self, run: Run, before: Workers) -> bool:
        """Examine the workers that have joined the run. Return whether more do not fit than were known `before`."""
        with self._examining:
            new = {*self.client.scheduler_info()["workers"]} - self._fit - self._unfit
            problems = find_worker_problems(self.client, run, sorted(new))
            for problem in problems.values():
                logger.warning("%s; the run goes on without it", problem)
            self._fit.update(new - problems.keys())
            with self._looking:
                self._unfit.update(problems)
                self._update_workers()
                return self._workers.n_unfit > before.n_unfit

    def _wait_for(self, future: Future, step: str, sent_to: Workers, live: ActiveRun) -> bool:
        """Wait until a future is done. Return False if it waits for workers that are gone: it has to be sent elsewhere."""
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        while not done.wait(LOOK_SECONDS):
            _check_not_cancelled(live)
            if is_step_stranded(step, sent_to, self.workers()):
                future.cancel()
                return False
        return True

    def _take_answer(self, future: Future, step: str, run: Run, batch: Batch, sent_to: Workers) -> str | None:
        """Return what a worker returned, or None if it may have been one that does not fit: the batch has to be sent again."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            lost = (
                f"{step} of {batch.label} lost one Dask worker after the other: look into their logs, and run the refresh again"
            )
            raise ServiceError(lost) from error
        except CancelledError as error:
            gone = f"the Dask scheduler at {self.address} has gone away: start it and its workers, and run the refresh again"
            raise ServiceError(gone) from error
        except Exception as error:
            if self._has_refused_worker(run, sent_to):
                return None
            if isinstance(error, PagemillError):
                raise
            raise WorkerError(f"{step} of {batch.label} failed on a Dask worker: {type(error).__name__}: {error}") from error


def find_worker_problems(client: Client, run: Run, names: Collection[str]) -> dict[str, str]:
    """Have workers open a run; return why some cannot do its work, by their address.

    First they are asked for their version by a function of Python's own: one of another Pagemill may not know ours.
    """
    if not names:
        return {}
    found: dict[str, str] = {}
    for name, there in sorted(client.run(metadata.version, NAME, workers=[*names], on_error="return").items()):
        found[name] = explain_version_mismatch(find_own_version(), there, f"worker {name}")
    same = [name for name, problem in found.items() if not problem]
    opened = client.run(remote.try_open_run, run.model_dump_json(), workers=same, on_error="return") if same else {}
    for name, problem in opened.items():
        failed = f"worker {name} cannot open the run: {type(problem).__name__}: {problem}: look into its log"
        found[name] = problem if isinstance(problem, str) else failed
    return {name: problem for name, problem in found.items() if problem}


def _check_not_cancelled(live: ActiveRun, seconds: float = 0.0) -> None:
    """Wait for so long whether the run is given up.

    Raises:
        WorkerError: it is.
    """
    if live.cancelled.wait(seconds):
        raise WorkerError("the work was cancelled before this batch was finished")


def make_handover(run: Run, batch: Batch, live: ActiveRun) -> Handover:
    """Return what a machine has to know of a batch: where the rows are of its contents, and of what its documents had before."""
    names = [content.name for content in batch.contents]
    earlier = {name: live.earlier[name] for name in names if name in live.earlier}
    wanted = {*names, *earlier.values()}
    found = {
        step: {name: live.staging.find(step, getattr(run.recipes, step), name) for name in wanted}
        for step in (*STEPS, *BOUNDARY_STEPS)
    }
    rows = {step: {name: (row.pack, row.position) for name, row in of.items() if row} for step, of in found.items()}
    return Handover(version=find_own_version(), rows=rows, earlier=earlier)


def make_remote_steps(cluster: Cluster, live: ActiveRun) -> dict[str, Callable[..., StepDone]]:
    """Return the steps of a batch in their order, each a call that has a worker carry it out, and that logs what it logged."""

    def make_remote_step(step: str) -> Callable[..., StepDone]:
        def call_remote_step(batch: Batch, run: Run, earlier: tuple[StepDone, ...], last: bool = True) -> StepDone:
            given = (step, batch.model_dump_json(), run.model_dump_json(), json.dumps([done.model_dump() for done in earlier]))

            def send(handover: str, how: Submission) -> Future:
                return cluster.client.submit(remote.run_step, *given, handover, last, **how)

            answer = Answer.model_validate_json(cluster.run_step(step, run, batch, live, send))
            replay_worker_logs(answer.logged)
            return cluster.learn(run, batch, answer.done, live)

        return call_remote_step

    return {step: make_remote_step(step) for step in STEPS}


@contextmanager
def open_run_on_workers(cluster: Cluster, run: Run, live: ActiveRun) -> Iterator[Cluster]:
    """Have the workers open a run for the length of the block, and let go of it then.

    Raises:
        InputError: a worker cannot do its work.
    """
    try:
        cluster.examine(run)
        yield cluster
    finally:
        live.cancelled.set()
        try:
            cluster.client.run(remote.close_run, run.run_id, on_error="ignore")
        except Exception as error:
            logger.warning("the workers of %s let go of the run by themselves in a while: %s", cluster.address, error)


CONNECT_SECONDS = 10
WORKERS_SECONDS = 15.0
"""Longest waits for a scheduler that is down, and for the first worker."""


@contextmanager
def connect_to_scheduler(address: str) -> Iterator[Cluster]:
    """Connect to a Dask scheduler; check that it has this Pagemill, and workers.

    Raises:
        InputError: Dask is not installed here, or Pagemill is another one there.
        ServiceError: the scheduler does not answer, or has no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("run.task_runner is dask, but Dask is not installed: pip install 'pagemill[dask]'") from error
    if not address.startswith(("tls://", "wss://")):
        logger.warning("%s is not encrypted: whoever reaches it runs programs on its workers; see docs/scale.md", address)
    try:
        asyncio.run(_reach(address))
    except Exception as error:
        said = str(error).split("\n")[0]
        raise ServiceError(
            f"the Dask scheduler at {address} does not answer ({said}): start it, or correct the address"
        ) from error
    with Client(address, timeout=CONNECT_SECONDS, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except TimeoutError as error:
            raise ServiceError(f"the Dask scheduler at {address} has no worker: start some (dask worker {address})") from error
        check_scheduler(client, address)
        yield Cluster(client, address)


async def _reach(address: str) -> None:
    """Connect once and no more: a client that cannot connect goes on trying in a thread of its own."""
    from distributed.comm import connect
    from distributed.security import Security

    connection = await connect(address, timeout=CONNECT_SECONDS, **Security().get_connection_args("client"))
    await connection.close()


def check_scheduler(client: Client, address: str) -> None:
    """Check that the scheduler has this Pagemill. Only a function of Python's own is sent to find out.

    Raises:
        InputError: it has another version, or none; names both.
    """
    try:
        found: object = client.run_on_scheduler(metadata.version, NAME)
    except metadata.PackageNotFoundError as error:
        found = error
    problem = explain_version_mismatch(find_own_version(), found, f"the Dask scheduler at {address}")
    if problem:
        raise InputError(problem)
