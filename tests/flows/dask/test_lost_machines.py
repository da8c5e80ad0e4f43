"""Whatever machine is lost, in whatever step: the corpus is what it is without a loss. `make test-dask` runs it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schemas.errors import GateError, ServiceError
from tests.flows.conftest import Refresh
from tests.flows.corpora import assert_same_vectors, computed, digest, staged, task_runs
from tests.flows.dask.conftest import N_REPORTS, other_pagemill
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster, on
from tests.flows.dask.killed import PRELOAD, killed_in
from tests.flows.stores.test_refused import refused

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.environ.get("WITH_DASK"), reason="make test-dask runs it")]


@pytest.fixture(scope="module")
def alone(reports: Path, tiny_embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of the reports, made by this machine."""
    from flows.cli.refresh import run_refresh
    from flows.settings import read_refresh_options

    corpus = tmp_path_factory.mktemp("alone") / "corpus"
    run_refresh(str(reports), str(corpus), read_refresh_options({"embed": {"model": tiny_embedder}}), False, None)
    return corpus


@pytest.mark.parametrize("runner", ["plain", "prefect_refresh"])
@pytest.mark.parametrize("where", ["parse", "parse staged", "embed", "embed staged"])
def test_a_worker_killed_in_a_step_changes_nothing_but_time(
    where: str,
    runner: str,
    alone: Path,
    reports: Path,
    tiny_embedder: str,
    tmp_path: Path,
    tls: dict[str, str],
    request: pytest.FixtureRequest,
) -> None:
    refresh: Refresh = request.getfixturevalue(runner)
    corpus = tmp_path / "corpus"
    victim, survivor = killed_in(where, tmp_path)
    with dask_cluster(tmp_path / "cluster", [], tls) as cluster:
        cluster.add_worker("survivor", *PRELOAD, variables=survivor)
        cluster.add_worker("victim", *PRELOAD, variables=victim)
        outcome = refresh(reports, corpus, embed={"model": tiny_embedder}, **on(cluster.address))
        assert cluster.processes["victim"].wait(10) == -signal.SIGKILL
    assert digest(corpus) == digest(alone)
    assert_same_vectors(corpus, alone)
    found = sum(int(done["reused"]) for done in outcome["steps"].values())
    assert found > 0 or not where.endswith("staged")
    if runner == "prefect_refresh":
        runs = task_runs(outcome["run_id"])
        assert {run.state_name for run in runs} == {"Completed"}
        assert sum(run.name.startswith("parse") for run in runs) == N_REPORTS


def test_a_flow_that_is_killed_and_run_again_goes_on_from_what_was_staged(
    alone: Path, plain: Refresh, machines: DaskCluster, tls: dict[str, str], reports: Path, tiny_embedder: str, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    settings = [f"embed.model={tiny_embedder}", "run.task_runner=dask", f"run.dask_address={machines.address}"]
    given = [argument for setting in settings for argument in ("--set", setting)]
    command = [sys.executable, "-m", "flows.cli", "refresh", str(reports), "--corpus", str(corpus), *given]
    flow = subprocess.Popen(command, env={**os.environ, **tls}, start_new_session=True)
    deadline = time.monotonic() + 120
    while not staged(corpus, "parse") and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(flow.pid, signal.SIGKILL)
    flow.wait()
    assert not (corpus / "generations.lance").exists() or not any((corpus / "generations.lance").glob("_versions/*"))
    outcome = plain(reports, corpus, embed={"model": tiny_embedder}, **on(machines.address))
    assert computed(outcome)["parse"] < N_REPORTS
    assert digest(corpus) == digest(alone)
    assert_same_vectors(corpus, alone)


def test_the_runs_of_machines_look_as_others_do_and_have_their_logs(
    prefect_refresh: Refresh, machines: DaskCluster, alone: Path, reports: Path, tiny_embedder: str, tmp_path: Path
) -> None:
    from prefect.client.orchestration import get_client

    corpus = tmp_path / "corpus"
    given = {"embed": {"model": tiny_embedder}, **on(machines.address)}
    outcome = prefect_refresh(reports, corpus, **given)
    runs = task_runs(outcome["run_id"])
    for step in ("parse", "describe", "chunk", "embed"):
        assert sorted(run.name for run in runs if run.name.startswith(step)) == [
            f"{step} report-{n:02}.pdf" for n in range(N_REPORTS)
        ]
        assert sum(shares.get(step, 0) for shares in outcome["machines"].values()) == N_REPORTS
    with get_client(sync_client=True) as client:
        [parsed] = [run for run in runs if run.name == "parse report-00.pdf"]
        chosen = {"logs": {"task_run_id": {"any_": [str(parsed.id)]}}}
        logged: list[str] = []
        deadline = time.monotonic() + 30
        while not logged and time.monotonic() < deadline:
            found = client.request("POST", "/logs/filter", json=chosen).json()
            logged = [line["message"] for line in found if "computed" in line["message"]]
    assert logged == ["parse of report-00.pdf: 1 computed, 0 found staged"]


def test_what_a_refused_run_computed_is_found_in_prefects_cache_by_the_next(
    prefect_refresh: Refresh, machines: DaskCluster, reports: Path, tiny_embedder: str, tmp_path: Path
) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    shutil.copytree(reports, source)
    (source / "empty.txt").write_text("")
    given = {"embed": {"model": tiny_embedder}, **on(machines.address)}
    with pytest.raises(GateError):
        prefect_refresh(source, corpus, gate={"max_reject_share": 0.0}, **given)
    outcome = prefect_refresh(source, corpus, gate={"max_reject_share": 1.0}, **given)
    found = {run.name: run.state_name for run in task_runs(outcome["run_id"]) if "report-" in run.name}
    assert len(found) == 4 * N_REPORTS and set(found.values()) == {"Cached"}
    assert computed(outcome) == dict.fromkeys(("parse", "describe", "chunk", "embed"), 0)
    assert outcome["counts"]["n_documents"] == N_REPORTS


def test_a_worker_with_another_pagemill_is_refused_with_both_versions(
    plain: Refresh, reports: Path, tiny_embedder: str, tmp_path: Path, tls: dict[str, str]
) -> None:
    with dask_cluster(tmp_path / "cluster", ["one"], tls) as cluster:
        address = cluster.add_worker("old", variables=other_pagemill(tmp_path / "other"))
        said = refused(plain, reports, tmp_path / "corpus", embed={"model": tiny_embedder}, **on(cluster.address))
    assert re.match(rf"worker {address} has Pagemill 0\.0\.9, and this refresh has [\d.]+: install the same", said)


def test_embeds_go_to_the_worker_with_a_gpu_and_to_others_when_it_is_lost(
    plain: Refresh, alone: Path, reports: Path, tiny_embedder: str, tmp_path: Path, tls: dict[str, str]
) -> None:
    with dask_cluster(tmp_path / "cluster", ["cpu"], tls) as cluster:
        gpu = cluster.add_worker("gpu", "--resources", "GPU=1")
        outcome = plain(reports, tmp_path / "corpus", embed={"model": tiny_embedder}, **on(cluster.address))
        shares = outcome["machines"]
        assert set(shares[gpu]) == {"embed"}
        assert set(shares[cluster.address_of("cpu")]) == {"parse", "describe", "chunk"}
        cluster.stop("gpu")
        cluster.add_worker("lost", "--resources", "GPU=1", *PRELOAD, variables=killed_in("embed", tmp_path)[0])
        outcome = plain(reports, tmp_path / "second", embed={"model": tiny_embedder}, **on(cluster.address))
        assert set(outcome["machines"]) == {cluster.address_of("cpu")}
    assert digest(tmp_path / "second") == digest(tmp_path / "corpus") == digest(alone)


def test_a_cluster_without_workers_is_told_in_one_line(
    plain: Refresh, reports: Path, tiny_embedder: str, tmp_path: Path, tls: dict[str, str]
) -> None:
    with dask_cluster(tmp_path / "cluster", [], tls) as cluster:
        began = time.monotonic()
        with pytest.raises(ServiceError, match=rf"the Dask scheduler at {cluster.address} has no worker: start some"):
            plain(reports, tmp_path / "corpus", embed={"model": tiny_embedder}, **on(cluster.address))
    assert time.monotonic() - began < 30
