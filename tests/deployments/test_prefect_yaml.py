"""The ordinary way: `prefect deploy --all --prefect-file deployments/prefect.yaml`, on a server of `make up`."""

import json
from pathlib import Path

import pytest

from tests.deployments.deployed import PREFECT, Deployed
from tests.deployments.servers import Server

DEPLOY = (PREFECT, "--no-prompt", "deploy", "--all", "--prefect-file", "deployments/prefect.yaml")


def variables(server: Server, folder: Path) -> dict[str, str]:
    """Return what docs/operations.md has a user export, the deployment key included."""
    key = (server.run_dir / "deployment-key").read_text()
    return {
        "PREFECT_CLIENT_CUSTOM_HEADERS": json.dumps({"X-Pagemill-Deployment-Key": key}),
        "PAGEMILL_SOURCE": str(folder / "source"),
        "PAGEMILL_CORPUS": str(folder / "corpus"),
        "PAGEMILL_QUESTIONS": str(folder / "questions.jsonl"),
        "PAGEMILL_SCHEDULE": "30 1 * * 1-5",
        "PAGEMILL_TIMEZONE": "Europe/Berlin",
    }


@pytest.mark.slow
def test_the_flows_are_deployed_by_prefect_itself_and_run(server: Server, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/seal.txt").write_text("A seal sleeps on the slip of barge Number Three until the tide comes in.\n")
    gold = {"document": "seal.txt", "quote": "barge Number Three"}
    (tmp_path / "questions.jsonl").write_text(json.dumps({"id": "1", "question": "Where does the seal sleep?", "gold": [gold]}))
    assert server.run("up").returncode == 0
    refused = server.call(*DEPLOY, **{**variables(server, tmp_path), "PREFECT_CLIENT_CUSTOM_HEADERS": "{}"})
    assert refused.returncode and "deployment key" in refused.stdout + refused.stderr
    done = server.call(*DEPLOY, **variables(server, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    found = {entry["name"]: entry for entry in server.post("deployments/filter", {})}
    assert len(found) == 8 and {entry["global_concurrency_limit"]["limit"] for entry in found.values()} == {1}
    [plan] = found["refresh-nightly"]["schedules"]
    assert (plan["schedule"]["cron"], plan["schedule"]["timezone"]) == ("30 1 * * 1-5", "Europe/Berlin")

    here = Deployed(server, tmp_path / "source", tmp_path / "corpus")
    ended = here.await_end(here.start("refresh/refresh-nightly"))
    assert (ended["state_name"], (tmp_path / "corpus/generations.lance").is_dir()) == ("Completed", True), ended["state"]
    for deployment in ("verify-nightly", "evaluate-nightly"):
        [run] = await_runs(server, found[deployment]["id"])
        assert here.await_end(run)["state_type"] == "COMPLETED"
    elsewhere = here.await_end(here.start("refresh/refresh-on-demand", source="/etc"))
    assert "runs of this deployment may not use /etc" in elsewhere["state"]["message"]


def await_runs(server: Server, deployment: str) -> list[str]:
    """Wait until a deployment has runs; return their ids."""
    import time

    for _ in range(600):
        if found := server.post("flow_runs/filter", {"deployments": {"id": {"any_": [deployment]}}}):
            return [run["id"] for run in found]
        time.sleep(0.1)
    raise AssertionError("no run was created")
