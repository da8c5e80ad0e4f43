"""What a machine keeps of a store for itself is bounded, private, and gone when it should be."""

import os
import time
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.options.sources import SourceOptions
from tasks.store import files
from tasks.store.bodies import find_stores_cache, make_process_folder
from tasks.store.files import find_local_path, find_storage
from tasks.store.objects import cache
from tasks.store.objects.cache import clean_up_local_copies
from tasks.store.packs import StagedRow, list_packs, write_pack
from tasks.store.sources.places import open_source

ROWS = pa.table({"text": ["heron", "mill"]})


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def aged(path: Path, seconds: float) -> Path:
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_a_pack_is_read_from_a_copy_that_is_fetched_once(bucket: Path) -> None:
    pack = write_pack(bucket / "staged", ["a", "b"], ROWS)
    find_local_path(pack).unlink()
    [found] = list_packs(bucket / "staged")
    assert (found.path, found.lines, found.n_bytes) == (pack, b"a\nb", pack.stat().st_size)
    assert not find_local_path(pack).exists()
    near = StagedRow(str(pack), 1).fetch()
    assert near.pack == str(find_local_path(pack))
    assert near.read()["text"].to_pylist() == ["mill"]
    pack.unlink()
    assert find_storage(pack).fetch(pack) == find_local_path(pack)


def test_only_old_copies_of_packs_that_are_gone_are_forgotten(bucket: Path) -> None:
    young, old = (write_pack(bucket / "staged", ["a", "b"], ROWS) for _ in range(2))
    aged(find_local_path(old), 7200)
    for pack in (young, old):
        pack.unlink()
    assert list(list_packs(bucket / "staged")) == []
    assert (find_local_path(young).exists(), find_local_path(old).exists()) == (True, False)


def test_copies_that_nobody_used_go_and_the_oldest_beyond_the_room_for_them(
    bucket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packs = [write_pack(bucket / "staged", ["a", "b"], ROWS) for _ in range(3)]
    aged(find_local_path(packs[0]), cache.UNUSED_SECONDS + 10)
    aged(find_local_path(packs[1]), 7200)
    clean_up_local_copies()
    assert [find_local_path(pack).exists() for pack in packs] == [False, True, True]
    monkeypatch.setattr(cache, "MOST_BYTES", 1)
    clean_up_local_copies()
    assert [find_local_path(pack).exists() for pack in packs] == [False, False, True]


def test_after_a_purge_elsewhere_nothing_of_the_corpus_is_kept_here(
    bucket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = bucket / "corpus/.pagemill"
    find_storage(corpus).drop_outdated_copies(corpus)
    kept = find_local_path(write_pack(corpus / "staging", ["a", "b"], ROWS))
    find_storage(corpus).drop_outdated_copies(corpus)
    assert kept.exists()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
        find_storage(corpus).start_epoch(corpus)
    find_storage(corpus).drop_outdated_copies(corpus)
    assert not kept.exists()


def test_the_copies_are_for_this_user_alone_and_those_of_dead_processes_go(bucket: Path) -> None:
    files.write_atomically(bucket / "a.txt", b"heron")
    dead = make_process_folder().parent / make_process_folder().name.replace(str(os.getpid()), "4194304")
    dead.mkdir()
    make_process_folder().rmdir()
    assert open_source(str(bucket), SourceOptions(), "main").digest_file("a.txt") == files.compute_sha256(
        next(make_process_folder().iterdir())
    )
    assert not dead.exists()
    assert find_stores_cache().stat().st_mode & 0o077 == 0
