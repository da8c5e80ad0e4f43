"""Machines that share nothing but an object store and the scheduler. `make test-dask` runs it."""

import os
import re
import shutil
import signal
from pathlib import Path

import pytest

from benchmarks.store.seaweed import OWNER, READER, Seaweed
from tasks.store import files
from tests.flows.conftest import Refresh
from tests.flows.corpora import assert_same_vectors, digest
from tests.flows.dask.dask_cluster import dask_cluster, on
from tests.flows.dask.killed import PRELOAD, killed_in
from tests.flows.stores.test_refresh_in_store import upload
from tests.flows.stores.test_refused import SECRET, refused

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.environ.get("WITH_DASK"), reason="make test-dask runs it")]

BENCH = os.environ.get("PAGEMILL_BENCH", "")


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


@pytest.mark.skipif(not BENCH, reason="PAGEMILL_BENCH names no folder of benchmark data")
def test_real_documents_make_the_same_corpus_on_two_machines(
    refresh: Refresh, bucket: Path, tmp_path: Path, tls: dict[str, str]
) -> None:
    source, there = tmp_path / "source", bucket / "corpus"
    for name in ("parsing/pdf", "corpus/pdf"):
        shutil.copytree(Path(BENCH) / name, source / name)
    upload(source, bucket / "source")
    with dask_cluster(tmp_path / "cluster", [], tls) as cluster:
        names = [cluster.add_worker(name, n_threads=1) for name in ("one", "two")]
        outcome = refresh(bucket / "source", there, **on(cluster.address))
    assert set(outcome["machines"]) == {*names}
    assert all(shares["parse"] > 0 and shares["embed"] > 0 for shares in outcome["machines"].values())
    refresh(source, tmp_path / "folder")
    assert outcome["counts"]["n_documents"] == 105
    assert digest(there) == digest(tmp_path / "folder")
    assert_same_vectors(there, tmp_path / "folder")


NOBODY = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_METADATA_ENDPOINT": "http://127.0.0.1:9"}
"""The variables of a worker without credentials."""


@pytest.mark.parametrize("keys", ["of a reader", "wrong", "none"])
def test_a_worker_without_the_right_credentials_is_refused_by_name(
    keys: str, plain: Refresh, store: Seaweed, bucket: Path, texts: Path, tmp_path: Path, tls: dict[str, str]
) -> None:
    stored, corpus = upload(texts, bucket / "source"), bucket / "corpus"
    plain(stored, corpus)
    before = digest(corpus)
    files.write_atomically(stored / "b.txt", b"The mill has stopped.")
    given = {"of a reader": store.environment(READER), "wrong": store.environment((OWNER[0], SECRET)), "none": NOBODY}[keys]
    with dask_cluster(tmp_path / "cluster", ["one"], tls) as cluster:
        address = cluster.add_worker("other", variables=given)
        said = refused(plain, stored, corpus, **on(cluster.address))
    assert re.match(rf"worker {address} cannot (write to the corpus|open the run)", said)
    assert READER[1] not in said
    assert digest(corpus) == before
    assert plain(stored, corpus)["outcome"] == "published"
