"""A publication materializes the asset of its corpus on a real server; what the documentation shows starts another flow."""

import time
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from prefect import flow
from prefect.assets import Asset
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterId
from prefect.events import DeploymentTriggerTypes
from prefect.utilities.callables import parameter_schema
from pydantic import TypeAdapter

from schemas.corpus import Corpus
from schemas.staged import STEPS
from tasks.publish.io.reports.assets import make_asset_key, make_corpus_asset
from tasks.store import published
from tests.collector import collecting
from tests.flows.conftest import Refresh

DOCUMENTED = Path("docs/operations.md").read_text().partition("```yaml\ndeployments:")[2].partition("```")[0]
MATERIALIZED = "prefect.asset.materialization.succeeded"


@flow
def build(generation: int) -> None:
    """What starts after a publication."""


def deploy_documented_trigger(client: SyncPrefectClient, key: str) -> UUID:
    """Deploy `build` with the trigger of the documentation, for the asset `key`; return the deployment's id."""
    made = client.create_deployment(
        client.create_flow(build),
        "site",
        parameter_openapi_schema=parameter_schema(build).model_dump(),
        enforce_parameter_schema=True,
    )
    (deployment,) = yaml.safe_load(f"deployments:{DOCUMENTED}")["deployments"]
    (wanted,) = deployment["triggers"]
    assert wanted["match"] == {"prefect.resource.id": make_asset_key("/srv/pagemill/reports")}
    trigger: Any = TypeAdapter(DeploymentTriggerTypes).validate_python({**wanted, "match": {"prefect.resource.id": key}})
    trigger.set_deployment_id(made)
    client.create_automation(trigger.as_automation())
    return made


def await_one(what: str, ask: Any) -> Any:
    """Wait until `ask` finds something; it must be one thing."""
    for _ in range(150):
        if found := ask():
            assert len(found) == 1, what
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"no {what} came")


def read_asset_events(client: SyncPrefectClient, key: str) -> list[dict[str, Any]]:
    asked = {"filter": {"resource": {"id": [key]}, "event": {"prefix": ["prefect.asset."]}}}
    found: list[dict[str, Any]] = client.request("POST", "/events/filter", json=asked).json()["events"]
    return found


@pytest.mark.slow
def test_a_publication_materializes_the_corpus_and_starts_the_flow_that_waits_for_it(
    prefect_refresh: Refresh, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its spans, of which Prefect's own task runs are no part, are one trace."""
    corpus = Corpus(str(tmp_path / "my corpus"))
    key = make_corpus_asset(corpus).key
    with get_client(sync_client=True) as client:
        site = deploy_documented_trigger(client, key)
        with collecting() as collector, monkeypatch.context() as patch:
            patch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"{collector.url}/v1/traces")
            first = prefect_refresh(texts, Path(corpus.uri))
        assert prefect_refresh(texts, Path(corpus.uri))["outcome"] == "nothing changed"
        event = await_one("event", lambda: read_asset_events(client, key))
        live = published.read_live_generation(corpus)
        assert (event["event"], event["resource"]["prefect.resource.name"]) == (MATERIALIZED, "my corpus")
        assert event["payload"] == {
            "generation": 1,
            "run_id": first["run_id"],
            "recipe": live.recipe,
            "embedder": live.embedder,
            "counts": live.counts,
            "n_warnings": 0,
            "recall": {},
        }
        related = {(one["prefect.resource.role"], one["prefect.resource.id"]) for one in event["related"]}
        assert related >= {("asset", f"file://{texts}"), ("flow-run", f"prefect.flow-run.{first['run_id']}")}
        chosen = DeploymentFilter(id=DeploymentFilterId(any_=[site]))
        started = await_one("run of the other flow", lambda: client.read_flow_runs(deployment_filter=chosen))
        assert started.parameters == {"generation": 1}
        client.delete_deployment(site)
    (root,) = collector.children(b"")
    (batch,) = collector.children(root.span_id)
    assert (root.name, batch.name) == ("refresh", "batch")
    assert {span.name for span in collector.children(batch.span_id)} == set(STEPS)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=600))
def test_every_place_has_a_key_that_prefect_takes(name: str) -> None:
    for place in (f"/data/{name}", f"postgresql+pg8000://ada@host/{name}", f"s3://bucket/{name}"):
        assert Asset(key=make_asset_key(place)).key.startswith(("file:///data/", "postgresql://ada@host/", "s3://bucket/"))


@given(st.text(" %_#", max_size=5), st.text(" %_#", max_size=5))
def test_places_share_no_key(one: str, other: str) -> None:
    assert (make_asset_key(f"/data/{one}") == make_asset_key(f"/data/{other}")) == (one == other)
