"""The lines of docs/delivery.md that read a delivered folder, run as they stand there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.options.delivering import DestinationOptions
from schemas.tables.generations import VERSIONED
from tasks.deliver.io.deliver import deliver_live_generation

pytestmark = [pytest.mark.slow, pytest.mark.long]

DOCUMENT = (Path(__file__).parents[3] / "docs/delivery.md").read_text()
OPEN, *BLOCKS = re.findall(
    r"```python\n([\s\S]*?)```", DOCUMENT[DOCUMENT.index("### Parquet") : DOCUMENT.index("### PostgreSQL")]
)
Read = Callable[[str], Any]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a corpus, and its second generation in the folder `lake`."""
    place = tmp_path_factory.mktemp("delivered")
    (source := place / "source").mkdir()
    (source / "heron.txt").write_text("The heron waits. " * 200)
    (source / "data.csv").write_text("name,weight\nheron,2\n")
    (source / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    for _ in range(2):
        pagemill.refresh(source, place / "corpus")
        options = DestinationOptions(to=str(place / "lake"), tables=VERSIONED)
        deliver_live_generation(Corpus(str(place / "corpus")), "lake", options)
        (source / "ledger.txt").write_text("A ledger. Write to ada@example.org.")
    return place


@pytest.fixture
def read(place: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Return what the block that imports a package leaves."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("HF_HOME", str(place / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    def run(package: str) -> Any:
        pytest.importorskip(package.partition(".")[0], reason=f"{package} is not installed: make test-others installs it")
        [block] = [block for block in BLOCKS if block.startswith(f"import {package}\n")]
        names: dict[str, Any] = {}
        exec(compile(OPEN + block, f"docs/delivery.md, {package}", "exec"), names)
        return names

    return run


def count_chunks(place: Path) -> dict[str, int]:
    paths = pagemill.open(place / "corpus").chunks(["path"])["path"].to_pylist()
    return {path: paths.count(path) for path in paths}


def test_duckdb_counts_what_is_published(read: Read, place: Path) -> None:
    names = read("duckdb")
    assert dict(names["found"]) == count_chunks(place)
    for name in VERSIONED:
        if files := [*(names["now"] / name).rglob("*.parquet")]:
            table = f"read_parquet('{names['now']}/{name}/*/*.parquet')"
            [rows] = names["duckdb"].sql(f"SELECT count(*) FROM {table} WHERE document_id LIKE bucket[2:] || '%'").fetchall()
            assert rows == (sum(pq.read_metadata(file).num_rows for file in files),)


def test_datasets_gives_the_rows_of_every_table(read: Read, place: Path) -> None:
    names = read("datasets")
    assert {*names["found"]["path"]} == {*count_chunks(place)}
    for name in VERSIONED:
        if files := [*(names["now"] / name).rglob("*.parquet")]:
            rows = pa.concat_tables(map(pq.ParquetFile.read, map(pq.ParquetFile, sorted(files))))
            loaded = names["datasets"].load_dataset("parquet", data_files=[*map(str, sorted(files))], split="train")
            assert loaded.to_list() == rows.to_pylist()


def test_folders_are_partitions_of_one_schema(read: Read, place: Path) -> None:
    names = read("pyarrow.dataset")
    found, files = names["found"], [*names["now"].rglob("*.parquet")]
    assert {path: found["path"].to_pylist().count(path) for path in found["path"].to_pylist()} == count_chunks(place)
    assert all(re.fullmatch(r"(\w+)/bucket=x[0-9a-f]+/part-0\.parquet", str(file.relative_to(names["now"]))) for file in files)
    for name in VERSIONED:
        assert len({str(pq.read_schema(file)) for file in files if name in file.parts}) <= 1
