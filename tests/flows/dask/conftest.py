import os
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import dask
import distributed  # noqa: F401  its settings are there before ours are added
import pytest
import yaml

from tests.flows.corpora import draw_pdf
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster
from tests.flows.dask.meeting import PRELOAD
from tests.flows.dask.tls import make_certificates

N_REPORTS = 12


@pytest.fixture(scope="session")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Certificates as in docs/scale.md, set in this process; the variables that set them in other ones."""
    settings = make_certificates(tmp_path_factory.mktemp("tls"))
    before = deepcopy(dask.config.config)
    dask.config.update(dask.config.config, yaml.safe_load(settings.read_text()))
    yield {"DASK_CONFIG": str(settings)}
    dask.config.config.clear()
    dask.config.config.update(before)


@pytest.fixture(scope="module")
def machines(tls: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A Dask cluster with two workers that stand in for machines, each with its nanny, as `dask worker` starts it.

    Both carry out each step: at its first batches they wait for each other.
    """
    place = tmp_path_factory.mktemp("meeting")
    with dask_cluster(tmp_path_factory.mktemp("cluster"), [], tls, nanny=True) as cluster:
        for name in ("one", "two"):
            cluster.add_worker(name, *PRELOAD, variables={"MEET_IN": str(place)})
        yield cluster


def other_pagemill(folder: Path) -> dict[str, str]:
    """Return the variables of a process that has another version of Pagemill, whose metadata are written to `folder`."""
    other = folder / "pagemill-0.0.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: pagemill\nVersion: 0.0.9\n")
    return {"PYTHONPATH": f"{folder}:{os.getcwd()}"}


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of PDFs: with four places, each is a batch of its own."""
    folder = tmp_path_factory.mktemp("reports")
    for n in range(N_REPORTS):
        pages = [f"Report {n}, page {page}: the pump delivered {n * page + 7} litres." for page in range(1, 4)]
        draw_pdf(folder / f"report-{n:02}.pdf", pages)
    return folder
