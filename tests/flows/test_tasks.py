"""Prefect's default policy hashes whole tables, and only the repository's folder could turn it off: every task names its own."""

import importlib
import pkgutil

from prefect import Task
from prefect.cache_policies import NO_CACHE

from tasks.refresh.tasks import _make_step_task


def tasks_of_flows() -> dict[str, Task]:  # type: ignore[type-arg]
    import flows
    import training

    modules = [
        importlib.import_module(found.name)
        for package in (flows, training)
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        if not found.name.endswith("__main__")
    ]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Task)
    }


def test_every_task_of_a_flow_says_that_it_is_not_cached() -> None:
    found = tasks_of_flows()
    assert {name for name, task in found.items() if task.cache_policy is not NO_CACHE} == set()
    assert {name.rpartition(".")[2] for name in found} >= {"draft_generation", "validate_draft", "log_metrics"}


def test_a_task_of_a_step_is_cached_by_a_key_of_its_own() -> None:
    made = _make_step_task("parse", lambda *_: None, retries=0)  # type: ignore[arg-type]
    assert made.cache_policy.cache_key_fn is not None
    assert made.persist_result
    assert made.cache_policy is not NO_CACHE
