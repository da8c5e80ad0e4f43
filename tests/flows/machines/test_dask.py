"""A refresh on the workers of a Dask cluster publishes what it publishes on one machine."""

from pathlib import Path

import pytest

from schemas.errors import InputError, ServiceError
from tests.flows.conftest import Refresh
from tests.flows.corpora import assert_same_vectors, digest
from tests.flows.machines.dask_cluster import DaskCluster, on
from tests.flows.ports import free_port


@pytest.mark.slow
def test_two_workers_share_the_work_and_the_corpus_is_the_same(
    plain: Refresh, machines: DaskCluster, reports: Path, tmp_path: Path
) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    assert plain(reports, alone)["machines"] == {}
    outcome = plain(reports, shared, **on(machines.address))
    assert set(outcome["machines"]) == {machines.address_of(name) for name in ("one", "two")}
    assert sum(steps["parse"] for steps in outcome["machines"].values()) == 12
    assert all(set(steps) >= {"parse", "embed"} for steps in outcome["machines"].values())
    assert digest(shared) == digest(alone)
    assert_same_vectors(shared, alone)


def test_a_scheduler_that_is_down_is_told_in_one_line(
    plain: Refresh, texts: Path, corpus: Path, tls: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.refresh.io.machines.connection.CONNECT_SECONDS", 1)
    address = f"tls://127.0.0.1:{free_port()}"
    with pytest.raises(ServiceError, match=rf"the Dask scheduler at {address} does not answer \(.*\): start it") as refused:
        plain(texts, corpus, **on(address))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("address", ["", "here", "tls://host", "http://host:80", "tls://user:secret@host:8786"])
def test_an_address_that_is_none_is_refused_before_anything_is_done(
    plain: Refresh, texts: Path, corpus: Path, address: str
) -> None:
    with pytest.raises(InputError, match=r"dask_address is (blank|not the address of a scheduler)"):
        plain(texts, corpus, **on(address))
    assert not corpus.exists()
