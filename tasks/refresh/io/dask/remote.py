"""Remote: the side of a Dask worker. It opens a run when the first batch of it comes, and lets go of it when the run has ended.

A worker has its own pool of worker processes for each run, with the limits of the run, and loads each model once.
"""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from schemas.errors import InputError
from schemas.options.sections import LimitOptions
from schemas.references import Answer, Batch, Handover, Logged, StepDone
from schemas.staged import BOUNDARY_STEPS
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.io.running import ActiveRun, hold_active_run
from tasks.refresh.io.stage import name_pack_group
from tasks.refresh.io.steps import BATCH_STEPS
from tasks.refresh.run import Run, list_recipe_differences
from tasks.store import files
from tasks.store.packs import locate_rows
from tasks.store.sources.bucket import BucketSource
from tasks.store.sources.folder import FolderSource
from tasks.store.sources.places import open_source
from tasks.store.staging import RemoteStaging
from tasks.workers.pool import WorkerPool
from tasks.workers.progress import Progress

if TYPE_CHECKING:
    from distributed import Worker

LOGGER = "tasks"
"""The logger of all that steps call."""

_lines: ContextVar[list[Logged] | None] = ContextVar("lines_of_a_step", default=None)


class LogCollector(logging.Handler):
    """Adds each record to the lines of the step that logs it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record of a step; another one goes to where this process would print it."""
        lines = _lines.get()
        if lines is not None:
            lines.append(Logged(logger=record.name, level=record.levelno, text=record.getMessage()))
        elif logging.lastResort and record.levelno >= logging.lastResort.level:
            logging.lastResort.handle(record)


@contextmanager
def collect_logs() -> Iterator[list[Logged]]:
    """Collect what this thread logs at level INFO and above, for the length of the block."""
    _prepare_logger()
    lines: list[Logged] = []
    token = _lines.set(lines)
    try:
        yield lines
    finally:
        _lines.reset(token)


@cache
def _prepare_logger() -> None:
    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.INFO)
    logger.addHandler(LogCollector(logging.INFO))


def replay_worker_logs(lines: Iterable[Logged]) -> None:
    """Log what a worker has logged, by loggers of the same names."""
    for line in lines:
        logging.getLogger(line.logger).log(line.level, "%s", line.text)


NAME = "pagemill"


@cache
def find_own_version() -> str:
    """Return the version of Pagemill in this process."""
    return version(NAME)


def explain_version_mismatch(expected: str, found: object, who: str) -> str:
    """Return why a process with another Pagemill cannot take part; blank if it can. `found` is its version, or an error.

    >>> explain_version_mismatch("0.2.0", "0.1.0", "worker tcp://10.0.0.7:4000")
    'worker tcp://10.0.0.7:4000 has Pagemill 0.1.0, and this refresh has 0.2.0: install the same version on all machines'
    """
    if found == expected:
        return ""
    has = f"has Pagemill {found}" if isinstance(found, str) else f"has no Pagemill ({type(found).__name__}: {found})"
    return f"{who} {has}, and this refresh has {expected}: install the same version on all machines"


IDLE_SECONDS = 120.0
"""A run without work for so long is let go of: its flow may be dead. Work that comes later opens it again."""

_address: ContextVar[str] = ContextVar("address_of_worker", default="")
"""The address of the worker that examines itself, outside of a task."""

logger = logging.getLogger(__name__)


class OpenRun:
    """A run that this process has opened."""

    def __init__(self, run: Run) -> None:
        """Check that this machine can do the work of a run, and open it. Worker processes start when they are needed.

        Raises:
            InputError: the machine does not reach the source or the corpus, or would compute something else.
        """
        check_machine(run)
        self.corpus = run.corpus
        self.staging = RemoteStaging(run.corpus)
        self.earlier: dict[str, str] = {}
        self._stack = ExitStack()
        judges = self._stack.enter_context(WorkerPool(LimitOptions(workers=1)))
        opened = hold_active_run(run.run_id, run.options.limits, SilentProgress(), self.staging, judges, self.earlier)
        self.live: ActiveRun = self._stack.enter_context(opened)
        self.n_active = 0
        self.left_at = time.monotonic()

    def close(self) -> None:
        """Call off what is under way, and end the worker processes."""
        self.live.cancelled.set()
        self._stack.close()


class SilentProgress(Progress):
    """Progress that nobody shows: the flow counts what its machines have done."""

    def part(self, step: str, document: str, share: float) -> None:
        """Record nothing."""


_open_runs: dict[str, OpenRun] = {}
_lock = threading.RLock()


def open_run(run: Run) -> OpenRun:
    """Return the run, opened if this process has not opened it yet.

    Raises:
        InputError: this machine cannot do its work.
    """
    with _lock:
        if run.run_id not in _open_runs:
            close_runs([name for name, held in _open_runs.items() if held.corpus == run.corpus])
            _open_runs[run.run_id] = OpenRun(run)
            threading.Thread(target=_close_when_idle, args=(run.run_id,), name="pagemill-idle", daemon=True).start()
        return _open_runs[run.run_id]


def close_runs(run_ids: list[str]) -> None:
    """Let go of runs: their unfinished work is called off, their worker processes end."""
    for run_id in run_ids:
        with _lock:
            held = _open_runs.pop(run_id, None)
        if held:
            held.close()


def _close_when_idle(run_id: str) -> None:
    while True:
        time.sleep(IDLE_SECONDS / 10)
        with _lock:
            held = _open_runs.get(run_id)
            if held is None:
                return
            if not held.n_active and time.monotonic() - held.left_at > IDLE_SECONDS:
                logger.info("run %s has had no work for %g s: its worker processes end", run_id, IDLE_SECONDS)
                return close_runs([run_id])


def open_batch(batch: Batch, run: Run, step: str, handover: str) -> OpenRun:
    """Open the run of a batch, and learn what is staged of it: what the flow knows, and what a machine that was lost has left.

    Raises:
        InputError: this machine has another version of Pagemill, or cannot do the run's work.
    """
    told = Handover.model_validate_json(handover)
    problem = explain_version_mismatch(told.version, find_own_version(), name_machine())
    if problem:
        raise InputError(problem)
    held = open_run(run)
    for of, rows in told.rows.items():
        held.staging.add(of, getattr(run.recipes, of), locate_rows(rows))
    for of in (step, *(BOUNDARY_STEPS if step == "chunk" else ())):
        held.staging.find_group(of, getattr(run.recipes, of), name_pack_group(batch))
    held.earlier.update(told.earlier)
    return held


@contextmanager
def hold_run(batch: Batch, run: Run, step: str, handover: str) -> Iterator[OpenRun]:
    """Take up a batch for the length of the block, which gets its run."""
    with _lock:
        held = open_batch(batch, run, step, handover)
        held.n_active += 1
    try:
        yield held
    finally:
        with _lock:
            held.n_active -= 1
            held.left_at = time.monotonic()
        held.staging.forget_contents([content.name for content in batch.contents])


def _list_staged_places(staging: RemoteStaging, run: Run, step: str, batch: Batch) -> dict[str, tuple[str, int]]:
    found = {content.name: staging.find(step, getattr(run.recipes, step), content.name) for content in batch.contents}
    return {name: (row.pack, row.position) for name, row in found.items() if row}


def run_step(step: str, batch: str, run: str, earlier: str, handover: str, last: bool) -> str:
    """Carry out a step on this machine; arguments and value are JSON."""
    of, under, before = Batch.model_validate_json(batch), Run.model_validate_json(run), json.loads(earlier)
    with hold_run(of, under, step, handover) as held, collect_logs() as lines:
        done = BATCH_STEPS[step](of, under, tuple(map(StepDone.model_validate, before)), last=last)
        where = {"rows": {step: _list_staged_places(held.staging, under, step, of)}, "machine": name_machine()}
        return Answer(done=done.model_copy(update=where), logged=tuple(lines)).model_dump_json()


async def try_open_run(run: str, dask_worker: "Worker") -> str:
    """Open a run on this worker, whose threads may be busy; return why it fails, or nothing. Dask gives `dask_worker`."""
    _address.set(dask_worker.address)
    try:
        await asyncio.to_thread(open_run, Run.model_validate_json(run))
    except InputError as error:
        return str(error)
    except Exception as error:
        return f"worker {name_machine()} cannot open the run: {error}"
    return ""


async def close_run(run_id: str) -> None:
    """Let go of a run that has ended, on this worker."""
    await asyncio.to_thread(close_runs, [run_id])


def check_machine(run: Run) -> None:
    """Check that this machine reaches the source and the corpus of a run, and computes what the run's recipes say.

    Raises:
        InputError: it does not; the message names the machine, and what to do.
    """
    name = name_machine()
    source = open_source(run.source, run.options.source, run.options.plan.source_name)
    folders = {"source": source.place} if isinstance(source, FolderSource | BucketSource) else {}
    for what, place in {**folders, "corpus": run.corpus.folder, "run's folder": run.folder}.items():
        if not place.is_dir():
            raise InputError(f"worker {name} does not reach the {what} {place}: give it the same folders, at the same places")
    try:
        files.write_atomically(
            run.folder / "machines" / f"{name.rpartition('/')[2].replace(':', '-')}.json", json.dumps(name).encode()
        )
    except OSError as error:
        raise InputError(f"worker {name} cannot write to the corpus {run.corpus} ({error}): give it permission") from error
    own = make_recipes(run.options, run.recipes.engine)
    if own != run.recipes:
        unlike = "; ".join(list_recipe_differences(run.recipes.details, own.details)) or "its models"
        raise InputError(f"worker {name} would compute something else ({unlike}): give all machines the same programs and models")


def name_machine() -> str:
    """Return the address of this Dask worker, or the host's name outside of one."""
    from distributed import get_worker

    try:
        if _address.get():
            return _address.get()
        return str(get_worker().address)
    except ValueError:
        import socket

        return socket.gethostname()
