"""The deployments of a corpus, and their forms."""

import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

from flows.deploy.command import collect_run_variables, set_environment_variables
from flows.deploy.corpora import DeployedCorpus
from flows.deploy.form import make_parameter_schema, read_options_in_force
from flows.deploy.table import KINDS, Deployment, make_deployments_of_corpus, read_deployment_definitions
from flows.settings import read_refresh_options
from schemas.options.sections import RefreshOptions

CORPUS = DeployedCorpus("-reports", "reports", "/in", "/out", "/questions.jsonl", "0 2 * * *", "UTC", "pagemill", "")
MADE = make_deployments_of_corpus(CORPUS, True)


def flow_of(deployment: Deployment) -> Any:
    module, _, name = deployment.entrypoint.rpartition(".")
    return getattr(importlib.import_module(module), name)


def test_a_corpus_has_every_kind_once_and_without_questions_only_those_that_need_none() -> None:
    assert sorted(deployment.name for deployment in MADE) == sorted(f"{kind}-reports" for kind in KINDS)
    fewer = {deployment.name for deployment in make_deployments_of_corpus(CORPUS._replace(questions=""), False)}
    needing_none = ("refresh-nightly", "refresh-on-demand", "verify-nightly", "generate-questions")
    assert fewer == {f"{kind}-reports" for kind in needing_none}
    [nightly] = [deployment.name for deployment in MADE if deployment.scheduled]
    following = [deployment.name for deployment in MADE if nightly in deployment.after]
    assert following == ["verify-nightly-reports", "deliver-reports", "evaluate-nightly-reports"]
    [delivery] = [deployment for deployment in MADE if deployment.name == "deliver-reports"]
    assert delivery.after == ("refresh-nightly-reports", "refresh-on-demand-reports")


def test_what_the_file_defines_is_what_is_made_with_the_values_of_the_corpus() -> None:
    assert tuple(read_deployment_definitions()) and set(read_deployment_definitions()) == set(KINDS)
    assert [place for made in MADE for place in str(made.parameters).split("'") if "$" in place] == []
    assert {made.name: made.in_turn for made in MADE if not made.in_turn} == {
        "experiment-reports": False,
        "generate-questions-reports": False,
    }
    is_in_store = make_deployments_of_corpus(CORPUS._replace(corpus="s3://bucket/reports"), False)
    assert [made.parameters["deep"] for found in (MADE, is_in_store) for made in found if "verify" in made.name] == [True, False]


@pytest.mark.parametrize("deployment", MADE, ids=[deployment.name for deployment in MADE])
def test_every_entrypoint_is_a_flow_that_takes_the_parameters_and_describes_them(deployment: Deployment) -> None:
    flow = flow_of(deployment)
    parameters = inspect.signature(flow.fn).parameters
    required = {name for name, parameter in parameters.items() if parameter.default is parameter.empty}
    assert required <= deployment.parameters.keys() <= parameters.keys()
    flow.validate_parameters(deployment.parameters)
    shown = make_parameter_schema(flow, {})["properties"]
    assert [name for name, parameter in shown.items() if not parameter.get("description")] == []


def test_a_form_shows_the_options_in_force_with_their_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pagemill.toml").write_text('[chunk]\nsize_tokens = 200\n[columns]\nyear = "int"\n')
    with set_environment_variables(collect_run_variables(CORPUS)):
        form = make_parameter_schema(flow_of(MADE[0]), read_options_in_force())["definitions"]
        sent = {name: section["default"] for name, section in form["RefreshOptions"]["properties"].items()}
        assert RefreshOptions.model_validate(sent) == read_refresh_options({}), (
            "a form that is opened and not changed changes nothing"
        )
    assert form["ChunkOptions"]["properties"]["size_tokens"]["default"] == sent["chunk"]["size_tokens"] == 200
    assert sent["publish"]["lock_wait_seconds"] == 7200
    assert form["PlanOptions"]["properties"]["on_reject"]["enum"] == ["keep", "drop"]


def test_the_options_of_a_run_win_over_the_wait_of_its_deployment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pagemill.toml").write_text("[publish]\nkeep_generations = 3\n")
    monkeypatch.setenv("PAGEMILL_PUBLISH_LOCK_WAIT_SECONDS", "7200")
    given = RefreshOptions.model_validate({"chunk": {"size_tokens": 100}})
    found = read_refresh_options(given.model_dump(exclude_unset=True))
    assert (found.chunk.size_tokens, found.publish.lock_wait_seconds, found.publish.keep_generations) == (100, 7200, 3)
    other = RefreshOptions.model_validate({"publish": {"lock_wait_seconds": 5}})
    assert read_refresh_options(other.model_dump(exclude_unset=True)).publish.lock_wait_seconds == 5
