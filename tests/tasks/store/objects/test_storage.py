"""A folder and an object store do alike what a corpus needs of its storage."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.options.sources import SourceOptions
from tasks.store import files
from tasks.store.files import find_storage
from tasks.store.sources.places import open_source

CONTENT = b"The heron waits at the weir."


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder, or a prefix of a bucket."""
    home: Path = request.getfixturevalue("bucket") if request.param == "bucket" else tmp_path
    return home / "place"


def test_what_is_written_is_there_whole_or_not_at_all(place: Path) -> None:
    storage = find_storage(place)
    with pytest.raises(RuntimeError), storage.open_atomically(place / "half") as sink:
        sink.write(CONTENT)
        raise RuntimeError
    with storage.open_atomically(place / "a/whole", durable=True) as sink:
        sink.write(CONTENT)
    assert [path for path, _ in storage.list_below(place)] == ["a/whole"]
    assert b"".join(storage.stream(place / "a/whole")) == CONTENT
    assert files.compute_sha256(place / "a/whole") == hashlib.sha256(CONTENT).hexdigest()


def test_a_large_file_comes_back_as_it_was_written(place: Path) -> None:
    large = bytes(range(256)) * 40_000
    with find_storage(place).open_atomically(place / "large") as sink:
        for at in range(0, len(large), 1_000_000):
            sink.write(large[at : at + 1_000_000])
    assert (place / "large").read_bytes() == large


def test_files_get_other_names_and_go(place: Path) -> None:
    storage = find_storage(place)
    for name in ("a", "b", "sub/c"):
        files.write_atomically(place / name, name.encode())
    storage.link(place / "a", place / "linked")
    storage.move(place / "b", place / "moved")
    found = storage.stat_files(place, ["a", "b", "linked", "moved", "sub/c", "none"])
    assert {path: stat.size for path, stat in found.items()} == {"a": 1, "linked": 1, "moved": 1, "sub/c": 5}
    storage.delete([place / "a", place / "a", place / "none"])
    storage.delete_tree(place / "sub")
    assert {path for path, _ in storage.list_below(place)} == {"linked", "moved"}


def test_a_folder_that_is_built_apart_is_in_its_place_when_it_is_whole(place: Path) -> None:
    storage = find_storage(place)
    with storage.build_folder(place / "built", place) as apart:
        files.write_atomically(apart / "sub/a", CONTENT)
    assert {path for path, _ in storage.list_below(place)} == {"built/sub/a"}


def test_a_file_is_at_hand_on_this_machine(place: Path) -> None:
    storage, source, sha256 = (
        find_storage(place),
        open_source(str(place), SourceOptions(), "main"),
        hashlib.sha256(CONTENT).hexdigest(),
    )
    files.write_atomically(place / "a.txt", CONTENT)
    with storage.download(place / "a.txt") as here:
        assert here.read_bytes() == CONTENT
    assert storage.fetch(place / "a.txt").read_bytes() == CONTENT
    assert source.digest_file("a.txt") == sha256
    assert source.fetch_file("a.txt", sha256).read_bytes() == CONTENT


def test_metadata_of_whole_arrow_files_are_read_and_others_left_out(place: Path) -> None:
    table = pa.table({"a": [1, 2]}).replace_schema_metadata({b"names": b"x\ny"})
    files.write_table_atomically(place / "packs/00/a.arrow", table)
    files.write_atomically(place / "packs/00/b.arrow", b"cut short")
    [(path, value, size)] = find_storage(place).list_arrow_files(place, "packs/*/*.arrow", b"names")
    assert (path, value, size) == (place / "packs/00/a.arrow", b"x\ny", path.stat().st_size)
    with find_storage(place).open_arrow(path) as source:
        assert pa.ipc.open_file(source).read_all().equals(table)
