"""Machines that share nothing but an object store and the scheduler. `make test-dask` runs it."""

import os
import signal
from pathlib import Path

import pytest

from benchmarks.store.seaweed import READER, Seaweed
from schemas.errors import InputError
from tests.flows.conftest import Refresh
from tests.flows.corpora import assert_same_vectors, digest
from tests.flows.machines.dask_cluster import dask_cluster, on
from tests.flows.machines.killed import PRELOAD, killed_in
from tests.flows.stores.test_refresh_in_store import upload

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.environ.get("WITH_DASK"), reason="make test-dask runs it")]


@pytest.mark.parametrize("where", ["", "parse", "embed staged"])
@pytest.mark.parametrize("runner", ["plain", "prefect_refresh"])
def test_machines_that_share_only_a_store_make_the_same_corpus(
    where: str,
    runner: str,
    bucket: Path,
    reports: Path,
    tiny_embedder: str,
    tmp_path: Path,
    tls: dict[str, str],
    request: pytest.FixtureRequest,
) -> None:
    refresh: Refresh = request.getfixturevalue(runner)
    given = {"embed": {"model": tiny_embedder}}
    stored, there = upload(reports, bucket / "source"), bucket / "corpus"
    victim, survivor = killed_in(where, tmp_path)
    with dask_cluster(tmp_path / "cluster", [], tls) as cluster:
        cluster.add_worker("one", *PRELOAD, variables=survivor)
        cluster.add_worker("two", *PRELOAD, variables=victim)
        outcome = refresh(stored, there, **given, **on(cluster.address))
        if where:
            assert cluster.processes["two"].wait(10) == -signal.SIGKILL
        else:
            assert set(outcome["machines"]) == {cluster.address_of("one"), cluster.address_of("two")}
    request.getfixturevalue("plain")(reports, tmp_path / "folder", **given)
    assert digest(there) == digest(tmp_path / "folder")
    assert_same_vectors(there, tmp_path / "folder")


def test_a_worker_with_keys_that_may_only_read_is_refused_by_name(
    plain: Refresh, store: Seaweed, bucket: Path, reports: Path, tiny_embedder: str, tmp_path: Path, tls: dict[str, str]
) -> None:
    stored = upload(reports, bucket / "source")
    with dask_cluster(tmp_path / "cluster", ["one"], tls) as cluster:
        address = cluster.add_worker("reader", variables=store.environment(READER))
        with pytest.raises(InputError, match=rf"worker {address} cannot (write to the corpus|open the run)") as refused:
            plain(stored, bucket / "corpus", embed={"model": tiny_embedder}, **on(cluster.address))
    assert "\n" not in str(refused.value) and READER[1] not in str(refused.value)
