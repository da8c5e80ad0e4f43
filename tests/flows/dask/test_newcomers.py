"""A worker that joins a run and does not fit gets no batches, and the run goes on. `make test-dask` runs it."""

import logging
import os
import threading
import time
from pathlib import Path

import pytest

from benchmarks.store.seaweed import READER, Seaweed
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest
from tests.flows.dask.conftest import other_pagemill
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster, on
from tests.flows.dask.killed import PRELOAD, killed_in
from tests.flows.stores.test_refresh_in_store import upload

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.environ.get("WITH_DASK"), reason="make test-dask runs it")]

JOIN_SECONDS = 90.0


class Newcomer(threading.Thread):
    """Joins a cluster whose only worker waits in a step, and lets that one go on when the run has refused it."""

    def __init__(self, cluster: DaskCluster, variables: dict[str, str], mark: Path, caplog: pytest.LogCaptureFixture) -> None:
        super().__init__(daemon=True)
        self._cluster, self._variables, self._mark, self._caplog = cluster, variables, mark, caplog
        self.address, self.said = "", ""

    def run(self) -> None:
        """Join once the first worker has a batch; then wait for the line that refuses the newcomer."""
        deadline = time.monotonic() + JOIN_SECONDS
        while not (self._mark.parent / "waits").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.address = self._cluster.add_worker("late", variables=self._variables)
        while not self.said and time.monotonic() < deadline:
            self.said = next((line for line in self._caplog.messages if "the run goes on without it" in line), "")
            time.sleep(0.05)
        self._mark.touch()


@pytest.mark.parametrize("unfit", ["version", "rights"])
def test_a_newcomer_that_does_not_fit_is_refused_by_itself(
    unfit: str,
    plain: Refresh,
    store: Seaweed,
    bucket: Path,
    reports: Path,
    tiny_embedder: str,
    tmp_path: Path,
    tls: dict[str, str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    stored, there = upload(reports, bucket / "source"), bucket / "corpus"
    variables = {"version": other_pagemill(tmp_path / "other"), "rights": store.environment(READER)}[unfit]
    _, waits = killed_in("embed", tmp_path)
    with dask_cluster(tmp_path / "cluster", [], tls) as cluster:
        first = cluster.add_worker("first", *PRELOAD, variables=waits)
        newcomer = Newcomer(cluster, variables, Path(waits["KILLED_MARK"]), caplog)
        newcomer.start()
        outcome = plain(stored, there, embed={"model": tiny_embedder}, **on(cluster.address))
        newcomer.join()
    assert set(outcome["machines"]) == {first}
    assert newcomer.said.startswith(f"worker {newcomer.address} ")
    assert {"version": "has Pagemill 0.0.9, and this refresh has", "rights": "cannot "}[unfit] in newcomer.said
    assert "\n" not in newcomer.said and READER[1] not in caplog.text
    plain(reports, tmp_path / "folder", embed={"model": tiny_embedder})
    assert digest(there) == digest(tmp_path / "folder")
