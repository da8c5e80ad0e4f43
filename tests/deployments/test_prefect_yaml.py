import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(Path("deployments/prefect.yaml").read_text("utf-8"))["deployments"]
NAMES = [deployment["name"] for deployment in DEPLOYMENTS]


def test_the_nights_and_the_demand_are_served() -> None:
    crons = {deployment["name"]: [entry["cron"] for entry in deployment["schedules"]] for deployment in DEPLOYMENTS}
    assert crons == {"refresh-nightly": ["0 2 * * *"], "refresh-on-demand": [], "evaluate-nightly": ["0 5 * * *"]}


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=NAMES)
def test_every_entrypoint_is_a_flow_that_takes_the_parameters(deployment: dict[str, Any]) -> None:
    module, _, name = deployment["entrypoint"].rpartition(".")
    flow = getattr(importlib.import_module(module), name)
    parameters = inspect.signature(flow.fn).parameters
    required = {name for name, parameter in parameters.items() if parameter.default is parameter.empty}
    assert required <= deployment["parameters"].keys() <= parameters.keys()


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=NAMES)
def test_places_come_from_the_environment(deployment: dict[str, Any]) -> None:
    assert all(value.startswith("{{ $PAGEMILL_") for value in deployment["parameters"].values())
    assert deployment["work_pool"]["job_variables"] == {"working_dir": "{{ $PWD }}"}
