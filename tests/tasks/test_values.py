"""What Prefect tasks take and return travels as JSON, so that each can be retried alone, in another process."""

import typing
from collections.abc import Iterator
from typing import Any

import pytest
from prefect import Task
from pydantic import TypeAdapter

import tasks.evaluate.tasks
import tasks.publish.tasks

MODULES = (tasks.evaluate.tasks, tasks.publish.tasks)


def travelling() -> Iterator[Any]:
    for module in MODULES:
        for name, value in vars(module).items():
            if isinstance(value, Task):
                for argument, kind in typing.get_type_hints(value.fn).items():
                    yield pytest.param(kind, id=f"{name}-{argument}")


@pytest.mark.parametrize("kind", list(travelling()))
def test_what_tasks_take_and_return_has_a_json_schema(kind: Any) -> None:
    assert all(TypeAdapter(kind).json_schema(mode=mode) for mode in ("serialization", "validation"))
