"""The steps of a batch as Prefect tasks: retried when a service outside fails, and cached by recipe and contents.

What is cached is what the step did, without a name or a path. A hit saves opening every staged file, and all that a step loads;
the staged files stay the truth: while one is missing, the step runs. A task stays in the flow's process, wherever its work is
done: other machines need no Prefect.
"""

from collections.abc import Callable, Mapping
from typing import Any

from prefect import task
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.client.schemas.objects import State
from prefect.context import TaskRunContext
from prefect.runtime import task_run
from prefect.transactions import get_transaction

from schemas.errors import ServiceError
from schemas.references import Batch, StepDone, batch_digest
from tasks.refresh.io.results import results_folder, results_of
from tasks.refresh.io.stage import find_staged, list_continuing
from tasks.refresh.io.steps import Step
from tasks.refresh.run import Run


def step_tasks(run: Run, functions: Mapping[str, Callable[..., StepDone]]) -> tuple[Step, ...]:
    """Return the steps of a run, in their order, each a call of its Prefect task; `functions` do the work, by step."""
    storage = results_of(run.corpus)
    waits = list(run.options.limits.retry_seconds)

    def of(step: str, function: Callable[..., StepDone]) -> Step:
        made = _task(step, function, len(waits)).with_options(
            result_storage=storage, retries=len(waits), retry_delay_seconds=waits or 0
        )
        return lambda batch, run, earlier: _read_done(made(batch, run, earlier, return_state=True))

    return tuple(of(step, function) for step, function in functions.items())


def _forget_result() -> None:
    """Have Prefect not remember the result of this task run: what failed may succeed next time."""
    transaction = get_transaction()
    if transaction is not None:
        transaction.write_on_commit = False


def _task(step: str, function: Callable[..., StepDone], retries: int) -> Any:
    def run_step(batch: Batch, run: Run, earlier: tuple[StepDone, ...]) -> StepDone:
        done = function(batch, run, earlier, last=task_run.get_run_count() > retries)
        if done.failed:
            _forget_result()
        return done

    decorate = task(
        name=f"{step} batch",
        description=function.__doc__,
        task_run_name=f"{step} {{batch.label}}",
        cache_policy=CacheKeyFnPolicy(cache_key_fn=lambda context, inputs: cache_key(step, context, inputs)),
        persist_result=True,
        result_serializer="json",
        retry_condition_fn=is_transient,
    )
    return decorate(run_step)


def cache_key(step: str, context: TaskRunContext, inputs: dict[str, Any]) -> str | None:
    """Return the key of a step's work on a batch: its recipe and the contents that have come so far.

    None for an empty batch, and while what is remembered under the key does not stand: a staged file of it is gone.
    """
    batch, run = inputs["batch"], inputs["run"]
    contents = list_continuing(batch, run, step, inputs["earlier"])
    if not contents:
        return None
    key = f"{step}-{getattr(run.recipes, step)}-{batch_digest(contents)}"
    remembered = (results_folder(run.corpus) / key).is_file()
    return None if remembered and not all(find_staged(run, step, content.name) for content in contents) else key


def is_transient(task: object, run: object, state: State[Any]) -> bool:
    """Retry only what a retry can cure."""
    return isinstance(state.result(raise_on_failure=False), ServiceError)


def _read_done(state: State[StepDone]) -> StepDone:
    """Return what a step did; of a batch that Prefect's cache knew, everything was there."""
    done = state.result()
    if state.name != "Cached":
        return done
    blank = {"computed": 0, "reused": done.computed + done.reused, "seconds": 0.0, "spent": {}, "machine": ""}
    return done.model_copy(update=blank)
