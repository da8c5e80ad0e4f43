"""A refresh on the workers of a Dask cluster publishes what it publishes on one machine."""

import os
import re
import shutil
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from schemas.errors import InputError
from tests.flows.conftest import Refresh
from tests.flows.corpora import age, assert_same_vectors, digest, paths
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster, on
from tests.flows.ports import free_port
from tests.flows.sources.servers import PASSWORD, Http
from tests.flows.stores.test_refused import refused


@pytest.mark.slow
def test_two_workers_share_the_work_and_the_corpus_is_the_same(
    plain: Refresh, machines: DaskCluster, reports: Path, tmp_path: Path
) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    assert plain(reports, alone)["machines"] == {}
    outcome = plain(Path(os.path.relpath(reports)), shared, **on(machines.address))  # the workers are elsewhere
    assert set(outcome["machines"]) == {machines.address_of(name) for name in ("one", "two")}
    assert sum(steps["parse"] for steps in outcome["machines"].values()) == 12
    assert all(set(steps) >= {"parse", "embed"} for steps in outcome["machines"].values())
    assert digest(shared) == digest(alone)
    assert_same_vectors(shared, alone)


@pytest.mark.slow
def test_workers_fetch_documents_and_members_of_archives_from_a_url(
    plain: Refresh, tls: dict[str, str], reports: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = {"PAGEMILL_SOURCE_PASSWORD": PASSWORD}
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    with closing(Http(tmp_path / "there")) as place, dask_cluster(tmp_path / "cluster", [], {**tls, **login}) as cluster:
        for path in sorted(reports.iterdir())[:4]:
            shutil.copy(path, place.folder / path.name)
        with zipfile.ZipFile(place.folder / "old.zip", "w") as archive:
            for path in sorted(reports.iterdir())[4:6]:
                archive.write(path, f"years/{path.name}")
        age(place.folder)
        cluster.add_worker("one")
        outcome = plain(place.url, tmp_path / "shared", **on(cluster.address))
        assert set(outcome["machines"]) == {cluster.address_of("one")}
        plain(place.folder, tmp_path / "alone")
    assert digest(tmp_path / "shared") == digest(tmp_path / "alone")
    assert len(paths(tmp_path / "shared")) == 6


def test_a_scheduler_that_is_down_is_told_in_one_line(plain: Refresh, texts: Path, corpus: Path, tls: dict[str, str]) -> None:
    plain(texts, corpus)
    before = digest(corpus)
    (texts / "b.txt").write_text("The mill has stopped.")
    address = f"tls://127.0.0.1:{free_port()}"
    said = refused(plain, texts, corpus, **on(address))
    assert re.match(rf"the Dask scheduler at {address} does not answer \(.*\): start it", said)
    assert digest(corpus) == before
    assert plain(texts, corpus)["outcome"] == "published"


@pytest.mark.parametrize("address", ["", "here", "tls://host", "http://host:80", "tls://user:secret@host:8786"])
def test_an_address_that_is_none_is_refused_before_anything_is_done(
    plain: Refresh, texts: Path, corpus: Path, address: str
) -> None:
    with pytest.raises(InputError, match=r"dask_address is (blank|not the address of a scheduler)"):
        plain(texts, corpus, **on(address))
    assert not corpus.exists()
