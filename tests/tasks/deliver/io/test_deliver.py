"""Deliveries: whatever happens at night, and wherever one is killed, a destination holds the generation that it names."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.dataset as ds
import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import ConflictError, InputError
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.changes import Changes
from tasks.deliver.io.deliver import Outcome, deliver_live_generation, resolve_destination
from tasks.deliver.io.parquet import ParquetFolder
from tasks.publish.io.backups.backup import back_up_corpus
from tasks.store.locks import hold_lock
from tasks.store.sources.logins import Login
from tests.tasks.deliver.nights import Killed, Nights, killed_at, name_rows

NIGHTS = int(os.environ.get("TEST_DELIVERIES", "4"))
TEXTS = {"a.txt": "The heron waits.\nIt eats eels.", "b.txt": "A ledger.", "c.txt": "The mill stood still."}
Rows = dict[str, set[tuple[str, str]]]


class Subscriber:
    """A function that keeps rows by their keys, and may be killed between two of them."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, tuple[str, str]]] = {}
        self.calls: list[tuple[int, int]] = []
        self.left = 10**9

    def __call__(self, changes: Changes) -> None:
        self.calls.append((changes.since, changes.generation))
        if not changes.since:
            self.rows = {}
        for name, reader in changes.tables.items():
            kept = self.rows.setdefault(name, {})
            for row in (row for batch in reader for row in batch.to_pylist()):
                self.left -= 1
                if self.left < 0:
                    raise Killed
                key, document = row[{"documents": "document_id", "chunks": "chunk_id"}[name]], row["document_id"]
                if row["_change"] != "removed":
                    kept[key] = (document, row["text"])
                elif key is None:
                    self.rows[name] = kept = {key: of for key, of in kept.items() if of[0] != document}
                else:
                    kept.pop(key, None)


subscriber = Subscriber()


def read_folder(folder: Path) -> tuple[int, Rows]:
    """Return the generation that a folder names, and the rows of it."""
    named = ParquetFolder(str(folder), Login()).read_delivered()
    if named is None:
        return 0, {}
    place = folder / f"generation={named.generation}"
    assert (place / "_SUCCESS").exists()
    return named.generation, {name: read_rows(place / name) for name in named.tables}


def read_rows(place: Path) -> set[tuple[str, str]]:
    files = [str(path) for path in place.rglob("*.parquet")]
    rows = ds.dataset(files).to_table(columns=["document_id", "text"]).to_pylist() if files else []
    assert len({(row["document_id"], row["text"]) for row in rows}) == len(rows)
    return {(row["document_id"], row["text"]) for row in rows}


def options(to: object) -> DestinationOptions:
    return DestinationOptions(to=str(to))


def play_nights(nights: Nights, random: Random) -> Iterator[str]:
    """Yield after each of some nights what happened in it."""
    for n in range(NIGHTS):
        what = random.choice(["change", "change", "roll back", "purge", "clean up"]) if n else "change"
        if what == "change":
            paths = random.sample(["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"], 2)
            nights.change({path: random.choice([None, f"Text {n}.\nOf {path}.", TEXTS.get(path, "New.")]) for path in paths})
        elif what == "roll back":
            nights.roll_back(random.choice([*nights.generations]))
        elif what == "purge" and nights.live:
            nights.purge(random.choice([*nights.live]))
        else:
            nights.clean_up(random.choice([1, 2]))
        yield what


@pytest.mark.parametrize("seed", range(max(1, NIGHTS // 10)))
def test_a_delivery_killed_at_any_write_leaves_what_it_names_and_the_next_one_completes_it(tmp_path: Path, seed: int) -> None:
    random, nights, lake = Random(seed), Nights(tmp_path / "corpus", TEXTS), tmp_path / "lake"
    global subscriber
    subscriber = Subscriber()
    kept: dict[int, Rows] = {0: {}}
    for _ in play_nights(nights, random):
        for _ in range(random.choice([0, 1, 2])):
            held, _ = read_folder(lake)
            with killed_at(random.randrange(30), lake), pytest.raises(Killed):
                deliver_live_generation(nights.corpus, "lake", options(lake))
                raise Killed
            named, rows = read_folder(lake)
            assert named in (0, held, max(nights.generations))
            assert rows in (kept[held] if named == held else {}, name_rows(nights.live))
            kept[named] = rows
            subscriber.left = random.randrange(8)
            with pytest.raises(Killed):
                deliver_live_generation(nights.corpus, "subscriber", options(f"{__name__}:subscriber"))
                raise Killed
            subscriber.left = 10**9
        if random.random() < 0.7:
            deliver_live_generation(nights.corpus, "lake", options(lake))
            deliver_live_generation(nights.corpus, "subscriber", options(f"{__name__}:subscriber"))
            named, rows = read_folder(lake)
            assert (named, rows) == (max(nights.generations), name_rows(nights.live))
            assert {name: {*of.values()} for name, of in subscriber.rows.items()} == rows
            kept[named] = rows


def test_a_change_takes_over_the_files_of_other_documents_and_a_purge_keeps_no_older_folder(tmp_path: Path) -> None:
    nights, lake = Nights(tmp_path / "corpus", TEXTS), tmp_path / "lake"
    assert deliver_live_generation(nights.corpus, "lake", options(lake)) == Outcome("lake", 0, 1)
    nights.change({"b.txt": "Another ledger."})
    assert deliver_live_generation(nights.corpus, "lake", options(lake)) == Outcome("lake", 1, 2)
    assert deliver_live_generation(nights.corpus, "lake", options(lake)) == Outcome("lake", 2, 2)
    linked = [path for path in (lake / "generation=2").rglob("*.parquet") if path.stat().st_nlink == 2]
    assert len(linked) == 4 and (lake / "generation=1").is_dir()
    rows = ds.dataset(lake / "generation=2/chunks", partitioning="hive").to_table(columns=["document_id", "bucket"]).to_pylist()
    assert rows and all(f"x{row['document_id']}".startswith(row["bucket"]) for row in rows)
    nights.purge("a.txt")
    assert deliver_live_generation(nights.corpus, "lake", options(lake)) == Outcome("lake", 2, 3)
    assert sorted(path.name for path in lake.iterdir()) == ["_delivered.json", "generation=3"]
    assert read_folder(lake)[1] == name_rows(nights.live)


def test_a_switch_its_rollback_and_a_backup_that_is_restored_arrive(tmp_path: Path) -> None:
    nights, lake, vault = Nights(tmp_path / "corpus", TEXTS), tmp_path / "lake", str(tmp_path / "vault")
    global subscriber
    subscriber = Subscriber()

    def deliver() -> int:
        """Deliver; return from which generation."""
        places = {"lake": options(lake), "subscriber": options(f"{__name__}:subscriber")}
        [since] = {deliver_live_generation(nights.corpus, name, to).since for name, to in places.items()}
        assert read_folder(lake) == (max(nights.generations), name_rows(nights.live))
        assert {name: {*of.values()} for name, of in subscriber.rows.items()} == name_rows(nights.live)
        return since

    assert deliver() == 0
    back_up_corpus(nights.corpus, vault, keep=2)
    nights.switch({"a.txt": "The heron waits.", "z.txt": "Only the candidate has this.\nAnd this."})
    assert deliver() == 1
    nights.roll_back(1)
    assert deliver() == 2
    nights.change({"b.txt": "Another ledger."})
    assert deliver() == 3
    nights.restore(vault, 1)
    assert deliver() == 0
    nights.change({"b.txt": "A third ledger."})
    assert deliver() == 1


def test_what_has_no_place_on_a_page_is_delivered_without_one(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.txt").write_text("Write to ada@example.org.")
    pagemill.refresh(tmp_path / "source", tmp_path / "corpus", pii={"action": "report"})
    deliver_live_generation(Corpus(str(tmp_path / "corpus")), "lake", options(tmp_path / "lake"))
    (finding,) = ds.dataset(tmp_path / "lake" / "generation=1" / "documents").to_table()["pii_findings"].to_pylist()[0]
    assert (finding["kind"], finding["bbox"]) == ("email", None)


def test_a_place_of_another_corpus_is_refused_until_it_is_replaced_whole(tmp_path: Path) -> None:
    lake, first, second = tmp_path / "lake", Nights(tmp_path / "1", TEXTS), Nights(tmp_path / "2", {"z.txt": "Other."})
    deliver_live_generation(first.corpus, "lake", options(lake))
    with pytest.raises(InputError, match=r"holds generation 1 of another corpus, .*/1: name another place, or .*--whole"):
        deliver_live_generation(second.corpus, "lake", options(lake))
    assert deliver_live_generation(second.corpus, "lake", options(lake), whole=True) == Outcome("lake", 0, 1)
    assert read_folder(lake) == (1, name_rows(second.live))
    with hold_lock(second.corpus.lock("deliver-lake"), 0, "a test"), pytest.raises(ConflictError):
        deliver_live_generation(second.corpus, "lake", options(lake))


def test_what_cannot_be_delivered_to_is_refused(tmp_path: Path) -> None:
    for wrong, message in {
        "https://host/x": "nothing can be delivered to https://",
        "sftp://me:secret@host/x": "is given with a password",
        "nowhere://x": "is no source that Pagemill knows",
    }.items():
        with pytest.raises(InputError, match=message):
            resolve_destination(wrong, "/")
    assert resolve_destination("lake", str(tmp_path)) == str(tmp_path / "lake")
    function: Any = options("no.such.module:function")
    with pytest.raises(InputError, match=r"there is no function no.such.module:function"):
        deliver_live_generation(Nights(tmp_path / "corpus", TEXTS).corpus, "f", function)
