"""What a machine keeps of a store for itself is bounded, private, and gone when it should be."""

import os
import time
from pathlib import Path

import pyarrow as pa
import pytest

from tasks.store import files
from tasks.store.objects import documents, private
from tasks.store.objects.private import copy_of, drop_if_older, local_of, new_epoch, private_copies, sweep_copies, user_stores
from tasks.store.packs import StagedRow, packs_in, write_pack

ROWS = pa.table({"text": ["heron", "mill"]})


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def aged(path: Path, seconds: float) -> Path:
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_a_pack_is_read_from_a_copy_that_is_fetched_once(bucket: Path) -> None:
    pack = write_pack(bucket / "staged", ["a", "b"], ROWS)
    local_of(pack).unlink()
    [found] = packs_in(bucket / "staged")
    assert (found.path, found.lines, found.n_bytes) == (pack, b"a\nb", pack.stat().st_size)
    assert not local_of(pack).exists()
    near = StagedRow(str(pack), 1).at_hand()
    assert near.pack == str(local_of(pack))
    assert near.read()["text"].to_pylist() == ["mill"]
    pack.unlink()
    assert copy_of(pack) == local_of(pack)  # type: ignore[arg-type]


def test_only_old_copies_of_packs_that_are_gone_are_forgotten(bucket: Path) -> None:
    young, old = (write_pack(bucket / "staged", ["a", "b"], ROWS) for _ in range(2))
    aged(local_of(old), 7200)
    for pack in (young, old):
        pack.unlink()
    assert list(packs_in(bucket / "staged")) == []
    assert (local_of(young).exists(), local_of(old).exists()) == (True, False)


def test_copies_that_nobody_used_go_and_the_oldest_beyond_the_room_for_them(
    bucket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packs = [write_pack(bucket / "staged", ["a", "b"], ROWS) for _ in range(3)]
    aged(local_of(packs[0]), private.UNUSED_SECONDS + 10)
    aged(local_of(packs[1]), 7200)
    sweep_copies()
    assert [local_of(pack).exists() for pack in packs] == [False, True, True]
    monkeypatch.setattr(private, "MOST_BYTES", 1)
    sweep_copies()
    assert [local_of(pack).exists() for pack in packs] == [False, False, True]


def test_after_a_purge_elsewhere_nothing_of_the_corpus_is_kept_here(
    bucket: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = bucket / "corpus/.pagemill"
    drop_if_older(corpus)
    kept = local_of(write_pack(corpus / "staging", ["a", "b"], ROWS))
    drop_if_older(corpus)
    assert kept.exists()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
        new_epoch(corpus)
    drop_if_older(corpus)
    assert not kept.exists()


def test_the_copies_are_for_this_user_alone_and_those_of_dead_processes_go(bucket: Path) -> None:
    files.put(bucket / "a.txt", b"heron")
    dead = private_copies().parent / private_copies().name.replace(str(os.getpid()), "4194304")
    dead.mkdir()
    private_copies().rmdir()
    assert documents.digest_of(bucket / "a.txt") == files.sha256_of(next(private_copies().iterdir()))
    assert not dead.exists()
    assert user_stores().stat().st_mode & 0o077 == 0
