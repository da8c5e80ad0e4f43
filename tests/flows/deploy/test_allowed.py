import importlib
import inspect
from pathlib import Path

import pytest

from flows.allowed import FOLDERS, VARIABLE, check_run_parameters, format_allowed_places
from flows.deploy.corpora import DeployedCorpus
from flows.deploy.table import make_deployments_of_corpus
from schemas.errors import InputError
from schemas.options.experiment import ExperimentOptions

DEPLOYED = DeployedCorpus("", "reports", "in", "corpus", "questions.jsonl", "0 2 * * *", "UTC", "pagemill", "")

ELSEWHERE = ("/etc", "in/../other", "inner", "link", "s3://reports/inside", "s3://reports/in/../out", "~/in")


@pytest.fixture
def deployed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The variables of a deployed run that may use the folder `in`, a bucket, and one endpoint."""
    (tmp_path / "in").mkdir()
    monkeypatch.setenv(VARIABLE, format_allowed_places([str(tmp_path / "in"), "s3://reports/in"], ["http://127.0.0.1:8000/v1/"]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_run_may_use_what_its_deployment_has_and_what_lies_in_it(deployed: Path) -> None:
    check_run_parameters(
        source="in", corpus="s3://reports/in/corpus", options={"embed": {"base_url": "http://127.0.0.1:8000/v1"}}
    )
    (deployed / "in/sub").mkdir()
    check_run_parameters(source=str(deployed / "in/sub"), options={"embed": {"base_url": ""}, "chunk": {"endpoint": None}})


@pytest.mark.parametrize(
    "source", ["/etc", "in/../other", "inner", "link", "s3://reports/inside", "s3://reports/in/../out", "~/in"]
)
def test_a_folder_elsewhere_is_refused_and_told_how_to_be_allowed(deployed: Path, source: str) -> None:
    (deployed / "link").symlink_to("/etc")
    with pytest.raises(InputError, match=r"source: runs of this deployment may not use .*deploy\.allowed_folders"):
        check_run_parameters(source=source)


@pytest.mark.parametrize("options", [{"embed": {"base_url": "http://evil.example"}}, {"chunkers": [{"endpoint": ["http://a"]}]}])
def test_an_endpoint_elsewhere_is_refused_in_any_section(deployed: Path, options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"deploy\.allowed_endpoints"):
        check_run_parameters(source="in", options=options)


def test_a_url_is_allowed_at_and_below_the_one_that_is_listed_and_a_query_as_it_was_deployed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    query = {"source": {"query": "SELECT id, body FROM articles"}}
    listed = format_allowed_places(["sftp://ada@host/docs", "crawl+https://host/guide"], [query["source"]["query"]])
    monkeypatch.setenv(VARIABLE, listed)
    for source in ("sftp://ada@host/docs", "SFTP://ada@HOST/docs/2026/", "crawl+https://host/guide/a"):
        check_run_parameters(source=source, options=query)
    planted = "sftp://ada:planted-limpet@host/docs"
    for source in ("sftp://ada@host/docs2", "sftp://ada@host/docs/../etc", "sftp://host/docs", "https://host/guide", planted):
        with pytest.raises(InputError, match="runs of this deployment may not use") as raised:
            check_run_parameters(source=source)
        assert "limpet" not in str(raised.value)
    with pytest.raises(InputError, match=r"query: .*deploy\.allowed_endpoints"):
        check_run_parameters(source="sftp://ada@host/docs", options={"source": {"query": "SELECT id, secret FROM users"}})


def test_a_run_of_the_command_line_may_use_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    check_run_parameters(source="/etc", options={"embed": {"base_url": "http://anywhere.example"}})


@pytest.mark.parametrize("flow", sorted({made.entrypoint for made in make_deployments_of_corpus(DEPLOYED, True)}))
def test_every_deployed_flow_checks_what_it_is_given(deployed: Path, flow: str) -> None:
    module, _, name = flow.rpartition(".")
    run = getattr(importlib.import_module(module), name).fn
    given = {parameter: "/etc" for parameter in inspect.signature(run).parameters if parameter in FOLDERS}
    if name == "experiment":
        given["options"] = ExperimentOptions(source="/etc", questions="/etc", chunkers=[{}])  # type: ignore[assignment]
    with pytest.raises(InputError, match="runs of this deployment may not use"):
        run(**given)
