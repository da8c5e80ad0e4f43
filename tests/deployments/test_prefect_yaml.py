import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.settings import refresh_options
from schemas.options.sections import RefreshOptions

DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load(Path("deployments/prefect.yaml").read_text("utf-8"))["deployments"]
NAMES = [deployment["name"] for deployment in DEPLOYMENTS]


def test_the_nights_and_the_demand_are_served() -> None:
    crons = {deployment["name"]: [entry["cron"] for entry in deployment["schedules"]] for deployment in DEPLOYMENTS}
    suffix = "{{ $PAGEMILL_SUFFIX }}"
    nightly = {f"refresh-nightly{suffix}": ["{{ $PAGEMILL_SCHEDULE }}"]}
    assert crons == {**nightly, f"refresh-on-demand{suffix}": [], f"evaluate-on-demand{suffix}": []}


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
    assert deployment["work_pool"]["job_variables"]["working_dir"] == "{{ $PWD }}"


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=NAMES)
def test_runs_wait_for_their_corpus_and_need_no_pipe_to_their_worker(deployment: dict[str, Any]) -> None:
    variables = deployment["work_pool"]["job_variables"]
    assert variables["stream_output"] is False
    assert list(variables["env"]) == ["PAGEMILL_PUBLISH_LOCK_WAIT_SECONDS"]


def test_the_options_of_a_run_win_over_the_wait_of_its_deployment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pagemill.toml").write_text("[publish]\nkeep_generations = 3\n")
    monkeypatch.setenv("PAGEMILL_PUBLISH_LOCK_WAIT_SECONDS", "7200")
    given = RefreshOptions.model_validate({"chunk": {"size_tokens": 100}})
    found = refresh_options(given.model_dump(exclude_unset=True))
    assert (found.chunk.size_tokens, found.publish.lock_wait_seconds, found.publish.keep_generations) == (100, 7200, 3)
    other = RefreshOptions.model_validate({"publish": {"lock_wait_seconds": 5}})
    assert refresh_options(other.model_dump(exclude_unset=True)).publish.lock_wait_seconds == 5
