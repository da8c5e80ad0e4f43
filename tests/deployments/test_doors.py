"""What a page of another site, open in a browser on the server's machine, and a person who has the login alone, cannot do."""

import asyncio
import json
import urllib.error
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.deployments.deployed import Deployed

pytestmark = pytest.mark.slow
ON_DEMAND = "refresh/refresh-on-demand-reports"
EVIL = "http://evil.example"
STEP = {"prefect.deployments.steps.run_shell_script": {"script": "touch /tmp/pagemill-was-here"}}


def refused(deployed: Deployed, method: str, path: str, body: Any = None, **head: str) -> str:
    """Return what the server says when it refuses."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        deployed.server.ask(method, path, body, **head)
    assert caught.value.code in (401, 403)
    return str(json.loads(caught.value.read()))


def test_a_page_of_another_site_reads_and_starts_nothing_even_in_a_browser_that_has_the_login(deployed: Deployed) -> None:
    for head in ({"Origin": EVIL}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}):
        assert "other sites" in refused(deployed, "POST", "deployments/filter", {}, **head)
        assert "other sites" in refused(deployed, "GET", "flows/count", **head)
        assert "other sites" in refused(deployed, "OPTIONS", "deployments/filter", **head)
    assert "host name" in refused(deployed, "GET", "health", Host="evil.example")
    assert "CSRF" in refused(deployed, "POST", "deployments/filter", {}, **{"Prefect-Csrf-Token": "x"})
    assert "Unauthorized" in refused(deployed, "POST", "deployments/filter", {}, Authorization="")


def test_a_page_of_another_site_hears_nothing(deployed: Deployed) -> None:
    async def listen(origin: str) -> None:
        address = deployed.server.url.replace("http", "ws") + "/events/out"
        async with websockets.connect(
            address, origin=websockets.Origin(origin), subprotocols=[websockets.Subprotocol("prefect")]
        ):
            pass

    with pytest.raises(websockets.InvalidStatus, match="403"):
        asyncio.run(listen(EVIL))
    asyncio.run(listen(f"http://localhost:{deployed.server.port}"))


def test_the_login_alone_changes_nothing_of_what_runs(deployed: Deployed, tmp_path: Path) -> None:
    found = deployed.server.get(f"deployments/name/{ON_DEMAND}")
    body = {"pull_steps": [STEP]}
    assert "deployment key" in refused(deployed, "PATCH", f"deployments/{found['id']}", body)
    command = {"parameters": {}, "job_variables": {"command": "touch /tmp/pagemill-was-here"}}
    assert "deployment key" in refused(deployed, "POST", f"deployments/{found['id']}/create_flow_run", command)
    new = {"name": "theirs", "flow_id": found["flow_id"], "entrypoint": "os.system", "pull_steps": [STEP]}
    assert "deployment key" in refused(deployed, "POST", "deployments/", new)
    blanks: list[dict[str, Any]] = [{"job_variables": {}}, {"pull_steps": None}]
    for nothing in blanks:
        assert "deployment key" in refused(deployed, "PATCH", f"deployments/{found['id']}", nothing)
    deep: dict[str, Any] = {}
    for _ in range(600):
        deep = {"a": deep}
    assert "deployment key" in refused(deployed, "PATCH", f"deployments/{found['id']}", {**body, "parameters": deep})
    pool = {"base_job_template": {"job_configuration": {"command": "true"}}}
    assert "deployment key" in refused(deployed, "PATCH", "work_pools/pagemill", pool)
    left = deployed.server.get(f"deployments/name/{ON_DEMAND}")
    assert [left[name] for name in ("pull_steps", "job_variables")] == [found[name] for name in ("pull_steps", "job_variables")]


def test_a_run_reads_and_sends_only_what_its_deployment_allows(deployed: Deployed, tmp_path: Path) -> None:
    elsewhere = {"source": "/etc", "corpus": str(tmp_path / "stolen")}
    embed = {"provider": "endpoint", "base_url": "http://127.0.0.1:9/v1", "model": "x"}
    for given in (elsewhere, {"options": {"embed": embed}}):
        ended = deployed.await_end(deployed.start(ON_DEMAND, **given))
        assert ended["state_name"] == "Failed" and "runs of this deployment may not use" in ended["state"]["message"]
    assert not (tmp_path / "stolen").exists()
