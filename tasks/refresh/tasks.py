"""The steps of a batch as Prefect tasks: retried when a service outside fails, and cached by recipe and contents.

What is cached is what the step did, without a name or a path. A hit saves opening every staged file, and all that a step loads;
the staged files stay the truth: while one is missing, the step runs. A task stays in the flow's process, wherever its work is
done: other machines need no Prefect.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.client.schemas.objects import State
from prefect.context import TaskRunContext
from prefect.filesystems import LocalFileSystem, WritableFileSystem
from prefect.runtime import task_run
from prefect.transactions import get_transaction
from prefect.utilities.asyncutils import run_sync_in_worker_thread

from schemas.corpus import Corpus, place_of
from schemas.errors import ServiceError
from schemas.ids import digest
from schemas.references import Batch, StepDone, digest_contents
from tasks.refresh.io.stage import find_staged_row, list_continuing_contents
from tasks.refresh.io.steps import Step
from tasks.refresh.run import Run
from tasks.store import files


class StoredResults(WritableFileSystem):
    """Results in an object store, for every machine that works for a run. It holds an address, and no credentials."""

    _block_type_name = "Pagemill results in a store"
    _block_type_slug = "pagemill-stored-results"
    basepath: str

    async def read_path(self, path: str) -> bytes:
        """Return the bytes of a result.

        Raises:
            FileNotFoundError: there is none.
        """
        return await run_sync_in_worker_thread(self._get_path(path).read_bytes)

    async def write_path(self, path: str, content: bytes) -> None:
        """Keep the bytes of a result."""
        await run_sync_in_worker_thread(files.write_atomically, self._get_path(path), content)

    def _get_path(self, path: str) -> Path:
        return place_of(self.basepath) / path


def results_folder(corpus: Corpus) -> Path:
    """Return where Prefect keeps what the steps did."""
    return corpus.results.resolve()


def results_of(corpus: Corpus) -> WritableFileSystem:
    """Return Prefect's block for the results of a corpus, known to its server."""
    place = str(results_folder(corpus))
    storage = StoredResults(basepath=place) if corpus.is_in_store else LocalFileSystem(basepath=place)
    storage.save(f"pagemill-{digest(place)}", overwrite=True)
    return storage


def make_step_tasks(run: Run, functions: Mapping[str, Callable[..., StepDone]]) -> tuple[Step, ...]:
    """Return the steps of a run, in their order, each a call of its Prefect task; `functions` do the work, by step."""
    storage = results_of(run.corpus)
    waits = list(run.options.limits.retry_seconds)

    def make_step(step: str, function: Callable[..., StepDone]) -> Step:
        made = _make_step_task(step, function, len(waits)).with_options(
            result_storage=storage, retries=len(waits), retry_delay_seconds=waits or 0
        )
        return lambda batch, run, earlier: _read_step_done(made(batch, run, earlier, return_state=True))

    return tuple(make_step(step, function) for step, function in functions.items())


def _forget_result() -> None:
    """Have Prefect not remember the result of this task run: what failed may succeed next time."""
    transaction = get_transaction()
    if transaction is not None:
        transaction.write_on_commit = False


def _make_step_task(step: str, function: Callable[..., StepDone], retries: int) -> Any:
    def run_step(batch: Batch, run: Run, earlier: tuple[StepDone, ...]) -> StepDone:
        done = function(batch, run, earlier, last=task_run.get_run_count() > retries)
        if done.failed:
            _forget_result()
        return done

    decorate = task(
        name=f"{step} batch",
        description=function.__doc__,
        task_run_name=f"{step} {{batch.label}}",
        cache_policy=CacheKeyFnPolicy(cache_key_fn=lambda context, inputs: make_cache_key(step, context, inputs)),
        persist_result=True,
        result_serializer="json",
        retry_condition_fn=is_failure_transient,
    )
    return decorate(run_step)


def make_cache_key(step: str, context: TaskRunContext, inputs: dict[str, Any]) -> str | None:
    """Return the key of a step's work on a batch: its recipe and the contents that have come so far.

    None for an empty batch, and while what is remembered under the key does not stand: a staged file of it is gone.
    """
    batch, run = inputs["batch"], inputs["run"]
    contents = list_continuing_contents(batch, run, step, inputs["earlier"])
    if not contents:
        return None
    key = f"{step}-{getattr(run.recipes, step)}-{digest_contents(contents)}"
    remembered = (results_folder(run.corpus) / key).is_file()
    return None if remembered and not all(find_staged_row(run, step, content.name) for content in contents) else key


def is_failure_transient(task: object, run: object, state: State[object]) -> bool:
    """Retry only what a retry can cure."""
    return isinstance(state.result(raise_on_failure=False), ServiceError)


def _read_step_done(state: State[StepDone]) -> StepDone:
    """Return what a step did; of a batch that Prefect's cache knew, everything was there."""
    done = state.result()
    if state.name != "Cached":
        return done
    blank = {"computed": 0, "reused": done.computed + done.reused, "seconds": 0.0, "spent": {}, "machine": ""}
    return done.model_copy(update=blank)
