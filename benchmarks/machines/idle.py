"""A flow and a task of Prefect that do nothing themselves. They are sent to workers, with all that their functions name."""

from collections.abc import Callable
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE

from schemas.references import Batch, StepDone
from tasks.refresh.run import Run

_waiting: list[Callable[[], Any]] = []


@task(cache_policy=NO_CACHE, persist_result=False)
def idle(batch: Batch, run: Run, earlier: tuple[StepDone, ...], handover: str) -> StepDone:
    """Do nothing."""
    return StepDone(step="parse")


@flow
def calling() -> None:
    """Call what waits."""
    call()


def call() -> None:
    """Call what waits, in the process that put it there."""
    _waiting.pop()()


def under_flow(work: Callable[[], Any]) -> None:
    """Call `work` inside of a flow run."""
    _waiting.append(work)
    calling()
