import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from tasks.store.integrity.digests import Digest, hash_files, read_sealed_json, write_sealed_json
from tasks.store.integrity.manifests import list_version_files, read_manifest
from tasks.store.loading import import_lance
from tasks.store.storage import FileStat


def _table(folder: Path) -> Any:
    rows = pa.table({"id": [f"x{n}" for n in range(500)], "text": [f"heron number {n}" for n in range(500)]})
    dataset = import_lance().write_dataset(rows, str(folder / "chunks.lance"))
    dataset.create_scalar_index("id", "BTREE")
    dataset.create_scalar_index("text", "INVERTED", with_position=False)
    dataset.merge_insert("id").when_matched_delete().execute(pa.table({"id": ["x1"]}))
    return import_lance().write_dataset(rows.slice(0, 1), str(folder / "chunks.lance"), mode="append")


def test_a_version_is_whole_by_the_files_alone_that_lance_names_for_it(tmp_path: Path) -> None:
    """The contract with `tracked_files`: what it tells of one version is all that reading and searching it needs."""
    dataset = _table(tmp_path)
    for version in range(3, dataset.version + 1):
        for path in list_version_files(Corpus(str(tmp_path)), "chunks", version):
            (tmp_path / str(version) / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tmp_path / path, tmp_path / str(version) / path)
        old, copy = dataset.checkout_version(version), import_lance().dataset(str(tmp_path / str(version) / "chunks.lance"))
        assert copy.version == version
        assert copy.to_table() == old.to_table()
        found = {"query": "7", "columns": ["text"]}
        assert copy.to_table(full_text_query=found)["id"].to_pylist() == old.to_table(full_text_query=found)["id"].to_pylist()
        assert copy.to_table(filter="id = 'x9'").num_rows == 1


def test_digests_are_made_again_only_of_what_is_new(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    known = {"a": Digest(3, "as it was", 5), "gone": Digest(1, "x", 5)}
    assert hash_files(Corpus(str(tmp_path)), {"a": FileStat(3, 7)}, known) == {"a": known["a"]}
    again = hash_files(Corpus(str(tmp_path)), {"a": FileStat(3, 7)}, known, immutable=False)
    assert again["a"].digest.startswith("7692c3ad3540")
    assert hash_files(Corpus(str(tmp_path)), {"a": FileStat(3, 7, "etag")}, {}) == {"a": Digest(3, "etag", 7)}


@pytest.mark.parametrize("at", [0, 30, 70, 80])
def test_damage_to_a_sealed_file_is_seen(tmp_path: Path, at: int) -> None:
    path = tmp_path / "sealed.json"
    write_sealed_json(path, {"value": "some text that is long enough"})
    assert read_sealed_json(path) == {"value": "some text that is long enough"}
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert read_sealed_json(path) is None
    assert read_manifest(path) is None
