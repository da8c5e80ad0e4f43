"""Places in a store have the ways of pathlib, and never touch a local file."""

import os
import pickle
from pathlib import Path

import pytest

from schemas.corpus import Corpus, place_of
from schemas.errors import InputError
from tasks.store import files
from tasks.store.files import delete_tree, find_storage
from tasks.store.objects.paths import resolve_place

NAMES = ("a.json", "b/c.json", "b/d.txt", "b/e/f.json", "é ä/100%.txt")


@pytest.fixture
def tree(bucket: Path) -> Path:
    for name in NAMES:
        files.write_atomically(bucket / "tree" / name, name.encode())
    return bucket / "tree"


def test_a_uri_is_a_path_whose_parts_and_parents_are_places_too() -> None:
    corpus = Corpus("s3://docs/notes/2024")
    assert str(corpus.table("chunks")) == "s3://docs/notes/2024/chunks.lance"
    assert str(corpus.folder.parent) == "s3://docs/notes"
    assert corpus.candidate("e5").home == corpus
    assert pickle.loads(pickle.dumps(corpus.private)) == corpus.private
    assert resolve_place("s3://docs/notes/") == str(place_of("s3://docs/notes"))
    assert len({corpus.private, place_of("s3://docs/notes/2024/.pagemill")}) == 1


@pytest.mark.parametrize(
    "uri", ["s3://ab/corpus", "s3://Docs/corpus", "s3:///corpus", "s3://key:secret@docs/corpus", "s3://docs//x"]
)
def test_what_is_no_bucket_or_prefix_is_refused(uri: str) -> None:
    with pytest.raises(InputError):
        place_of(uri)


def test_a_store_that_is_not_known_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"name a folder, or s3://bucket/prefix"):
        place_of("ftp://docs/corpus")


def test_what_lies_below_is_listed_as_in_a_folder(tree: Path, tmp_path: Path) -> None:
    for name in NAMES:
        files.write_atomically(tmp_path / name, name.encode())
    for pattern in ("*", "*.json", "*/*", "b/*.json", "b/e/*", "*/*/*.json", "nothing/*"):
        ours = {path.key.removeprefix(f"{tree.key}/") for path in tree.glob(pattern)}  # type: ignore[attr-defined]
        assert ours == {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob(pattern)}
    assert {path.name for path in tree.rglob("*.json")} == {"a.json", "c.json", "f.json"}
    assert {path.name for path in tree.iterdir()} == {"a.json", "b", "é ä"}
    assert (
        {path: found.size for path, found in find_storage(tree).list_below(tree)}
        == {path: found.size for path, found in find_storage(tmp_path).list_below(tmp_path)}
        == {name: len(name.encode()) for name in NAMES}
    )


def test_files_and_folders_are_told_apart(tree: Path) -> None:
    assert (tree / "a.json").is_file() and not (tree / "a.json").is_dir()
    assert (tree / "b").is_dir() and not (tree / "b").is_file()
    assert not (tree / "none").exists() and not (tree / "a").exists()
    assert (tree / "b/c.json").read_text() == "b/c.json"
    assert (tree / "b/c.json").stat().st_size == len("b/c.json")
    with pytest.raises(FileNotFoundError):
        (tree / "none").read_bytes()
    with pytest.raises(FileNotFoundError):
        (tree / "none").stat()


def test_what_is_deleted_is_gone_and_nothing_else(tree: Path) -> None:
    (tree / "a.json").unlink()
    (tree / "a.json").unlink(missing_ok=True)
    with pytest.raises(FileNotFoundError):
        (tree / "a.json").unlink()
    delete_tree(tree / "b")
    assert [path.name for path in tree.rglob("*")] == ["100%.txt"]
    delete_tree(tree / "none")


def test_what_belongs_to_a_disk_never_touches_one(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for refused in (os.stat, os.remove, os.fspath, os.listdir):
        with pytest.raises(TypeError):
            refused(tree / "a.json")
    with pytest.raises(TypeError):
        (tree / "new").write_text("x")
    with pytest.raises(TypeError):
        (tree / "a.json").rename(tree / "b.json")
    (tree / "folder").mkdir(parents=True)
    assert list(tmp_path.iterdir()) == []
