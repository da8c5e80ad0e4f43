"""The steps of a batch as Prefect tasks: retried when a service outside fails, and cached by recipe and contents.

What is cached is what the step did, without a name or a path. A hit saves opening every staged file, and all that a step loads;
the staged files stay the truth: while one is missing, the step runs.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prefect import task
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.client.schemas.objects import State
from prefect.context import TaskRunContext
from prefect.runtime import task_run
from prefect.transactions import get_transaction

from schemas.errors import ServiceError
from schemas.references import Batch, StepDone, batch_digest
from tasks.refresh.io.results import results_folder, results_of
from tasks.refresh.io.running import running_of
from tasks.refresh.io.stage import going_on, staged
from tasks.refresh.io.steps import BATCH_STEPS, Step
from tasks.refresh.run import Run

if TYPE_CHECKING:
    from tasks.refresh.io.machines.cluster import Cluster


def step_tasks(run: Run, cluster: "Cluster | None" = None) -> tuple[Step, ...]:
    """Return the steps of a run, in their order, each a call of its Prefect task, in this process or by a worker of `cluster`."""
    storage = results_of(run.corpus)
    waits = list(run.options.limits.retry_seconds)

    def of(step: str, function: Callable[..., StepDone]) -> Step:
        made = _task(step, function, len(waits)).with_options(
            result_storage=storage, retries=len(waits), retry_delay_seconds=waits or 0
        )
        if cluster:
            return _sent(cluster, step, made)
        return lambda batch, run, earlier: _done(made(batch, run, earlier, return_state=True))

    return tuple(of(step, function) for step, function in BATCH_STEPS.items())


def _sent(cluster: "Cluster", step: str, made: Any) -> Step:
    """Return a step that a worker of a cluster carries out as a Prefect task."""

    def called(batch: Batch, run: Run, earlier: tuple[StepDone, ...]) -> StepDone:
        live = running_of(run.run_id)

        def send(handover: str, **place: Any) -> Any:
            given = {"batch": batch, "run": run, "earlier": earlier, "handover": handover}
            return cluster.client.submit(made, parameters=given, return_type="state", **place)

        state = cluster.carry_out(step, run, batch, live, send)
        done = _done(state)
        return cluster.learn(run, batch, done, live)

    return called


def _forget_result() -> None:
    """Have Prefect not remember the result of this task run: what failed may succeed next time."""
    transaction = get_transaction()
    if transaction is not None:
        transaction.write_on_commit = False


def _task(step: str, function: Callable[..., StepDone], retries: int) -> Any:
    def run_step(batch: Batch, run: Run, earlier: tuple[StepDone, ...], handover: str = "") -> StepDone:
        last = task_run.get_run_count() > retries
        done = _elsewhere(step, batch, run, earlier, handover, last) if handover else function(batch, run, earlier, last=last)
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


def _elsewhere(step: str, batch: Batch, run: Run, earlier: tuple[StepDone, ...], handover: str, last: bool) -> StepDone:
    """Carry out a step on a worker of a cluster, far from the flow. Its log records go to the task run."""
    from tasks.refresh.io.machines.logs import send_logs
    from tasks.refresh.io.machines.remote import under_way

    send_logs()
    with under_way(batch, run, step, handover) as with_rows:
        return with_rows(BATCH_STEPS[step](batch, run, earlier, last=last))


def cache_key(step: str, context: TaskRunContext, inputs: dict[str, Any]) -> str | None:
    """Return the key of a step's work on a batch: its recipe and the contents that have come so far.

    None for an empty batch, and while what is remembered under the key does not stand: a staged file of it is gone.
    """
    batch, run = inputs["batch"], inputs["run"]
    if inputs["handover"]:
        from tasks.refresh.io.machines.remote import take_up

        take_up(batch, run, step, inputs["handover"])
    contents = going_on(batch, run, step, inputs["earlier"])
    if not contents:
        return None
    key = f"{step}-{getattr(run.recipes, step)}-{batch_digest(contents)}"
    remembered = (results_folder(run.corpus) / key).is_file()
    return None if remembered and not all(staged(run, step, content.name) for content in contents) else key


def is_transient(task: object, run: object, state: State[Any]) -> bool:
    """Retry only what a retry can cure."""
    return isinstance(state.result(raise_on_failure=False), ServiceError)


def _done(state: State[StepDone]) -> StepDone:
    """Return what a step did; of a batch that Prefect's cache knew, everything was there, and places may have changed since."""
    done = state.result()
    if state.name != "Cached":
        return done
    blank = {"computed": 0, "reused": done.computed + done.reused, "seconds": 0.0, "spent": {}, "rows": {}, "machine": ""}
    return done.model_copy(update=blank)
