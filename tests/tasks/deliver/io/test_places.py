"""Parquet files in other places than a folder: an object store, and one that fsspec reaches."""

from pathlib import Path

import pyarrow.dataset as ds
import pytest
from obstore.fsspec import FsspecStore

from schemas.errors import StoreError
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.deliver import Outcome, deliver_live_generation
from tasks.store.objects.client import open_file_system
from tests.flows.sources.conftest import IS_WHOLE, open_server
from tests.flows.sources.servers import PASSWORD
from tests.tasks.deliver.nights import Nights, name_rows

pytestmark = pytest.mark.slow


def read_rows(files: FsspecStore, place: str) -> set[tuple[str, str]]:
    found = ds.dataset(files.glob(f"{place}/*/*.parquet"), filesystem=files).to_table(columns=["document_id", "text"]).to_pylist()
    return {(row["document_id"], row["text"]) for row in found}


def deliver_nights(corpus: Path, options: DestinationOptions) -> Nights:
    """Return the nights of a corpus that were delivered one by one: a build, a change, a purge, and one without news."""
    nights = Nights(corpus, {"a.txt": "The heron waits.\nIt eats eels.", "b.txt": "A ledger."})
    assert deliver_live_generation(nights.corpus, "lake", options) == Outcome("lake", 0, 1)
    nights.change({"b.txt": "Another ledger."})
    assert deliver_live_generation(nights.corpus, "lake", options) == Outcome("lake", 1, 2)
    nights.purge("a.txt")
    assert deliver_live_generation(nights.corpus, "lake", options) == Outcome("lake", 2, 3)
    assert deliver_live_generation(nights.corpus, "lake", options) == Outcome("lake", 3, 3)
    return nights


def test_generations_arrive_in_an_object_store(bucket: Path, tmp_path: Path) -> None:
    place = f"{bucket}/lake"
    options = DestinationOptions(to=place)
    nights = deliver_nights(tmp_path / "corpus", options)
    files, root = open_file_system(), place.removeprefix("s3://")
    for name, rows in name_rows(nights.live).items():
        assert read_rows(files, f"{root}/generation=3/{name}") == rows
    assert {path.removeprefix(root).split("/")[1] for path in files.glob(f"{root}/**/*.parquet")} == {"generation=3"}


def test_a_place_that_refuses_says_what_to_do(store: object, tmp_path: Path) -> None:
    nights = Nights(tmp_path / "corpus", {"a.txt": "The heron waits."})
    with pytest.raises(StoreError, match=r"^s3://no-such-bucket/lake: .*404 Not Found"):
        deliver_live_generation(nights.corpus, "lake", DestinationOptions(to="s3://no-such-bucket/lake"))


@pytest.mark.parametrize("kind", ("sftp", "dav", "ftp", "smb") if IS_WHOLE else ("sftp",))
def test_generations_arrive_at_a_server(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"HOME": str(tmp_path / "home"), "PAGEMILL_DESTINATION_PASSWORD_LAKE": PASSWORD}.items():
        monkeypatch.setenv(name, value)
    with open_server(kind, tmp_path) as server:
        options = DestinationOptions(to=f"{server.url}/lake")
        server.write("lake/other.txt", "Not Pagemill's.")
        nights = deliver_nights(tmp_path / "corpus", options)
        lake = server.folder / "lake"
        for name, rows in name_rows(nights.live).items():
            found = ds.dataset(lake / "generation=3" / name, partitioning="hive").to_table(columns=["document_id", "text"])
            assert {(row["document_id"], row["text"]) for row in found.to_pylist()} == rows
        assert sorted(path.name for path in lake.iterdir()) == ["_delivered.json", "generation=3", "other.txt"]
