"""Refreshes from each kind of place end as those from a folder, and cost one listing and the bodies that changed."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from schemas.errors import StoreError
from schemas.media_types import HTML
from schemas.options.sections import RefreshOptions
from schemas.options.sources import SourceOptions
from schemas.types import integers, strings
from tasks.refresh.io.source.contents import HASHES, read_contents, remember_hashes
from tasks.refresh.io.source.listing import Listing
from tasks.store.sources.places import open_source
from tasks.store.sources.source import ListedFile
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, digest, paths
from tests.flows.sources.conftest import IS_WHOLE
from tests.flows.sources.object_stores import Filesystem
from tests.flows.sources.servers import PASSWORD, FolderBehind, Http, Place, Rows

TEXTS = {"a.txt": "The heron stands. It waits.", "sub/b.txt": "The mill turns. It grinds.", "sub/deep/c.txt": "A pump runs."}
QUERY = {"query": "SELECT * FROM articles", "changed": "version"}
MANY = 10_000


def test_nights_at_a_place_end_as_those_at_a_folder_and_read_what_changed(place: Place, plain: Refresh, tmp_path: Path) -> None:
    folder, corpus = tmp_path / "folder", tmp_path / "corpus"

    def write(path: str, text: str) -> None:
        place.write(path, text)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    def remove(path: str) -> None:
        place.remove(path)
        (folder / path).unlink()

    def refresh(**plan: bool) -> tuple[dict[str, int], Counter[str]]:
        place.take_requests()
        found = changes(plain(place.url, corpus, source=QUERY, plan={"allow_removals": True, **plan}))
        plain(folder, tmp_path / "twin", plan={"allow_removals": True})
        assert digest(corpus) == digest(tmp_path / "twin")
        asked = place.take_requests()
        assert max(asked.listings.values()) == 1
        return found, asked.bodies

    for path, text in TEXTS.items():
        write(path, text)
    assert refresh() == ({"added": 3}, dict.fromkeys(TEXTS, 1))
    assert refresh() == ({"unchanged": 3}, {})
    write("sub/b.txt", "The mill has stopped.")
    remove("a.txt")
    write("z/a.txt", TEXTS["a.txt"])
    assert refresh() == ({"changed": 1, "moved": 1, "unchanged": 1}, {"sub/b.txt": 1, "z/a.txt": 1})
    remove("sub/deep/c.txt")
    assert refresh() == ({"removed": 1, "unchanged": 2}, {})
    assert refresh(verify=True) == ({"unchanged": 2}, {"sub/b.txt": 1, "z/a.txt": 1})


@pytest.mark.parametrize("cut_after", (0, 2000, 6000) if IS_WHOLE else (2000,))
def test_a_listing_or_a_body_that_breaks_off_loses_nothing(
    server: FolderBehind, plain: Refresh, tmp_path: Path, cut_after: int
) -> None:
    corpus = tmp_path / "corpus"
    for path, text in TEXTS.items():
        server.write(path, text)
    plain(server.url, corpus)
    before = digest(corpus)
    for number in range(40):
        server.write(f"more/{number:03}-{'long-name-' * 12}.txt", f"A heron {number}. " * 50)
    server.wire.cut_after = cut_after
    with pytest.raises(StoreError, match=r"run this again|run again") as raised:
        plain(server.url, corpus)
    assert PASSWORD not in str(raised.value) and "\n" not in str(raised.value)
    assert digest(corpus) == before
    server.wire.cut_after = None
    plain(server.url, corpus)
    assert len(paths(corpus)) == len(TEXTS) + 40
    assert not any(PASSWORD.encode() in path.read_bytes() for path in corpus.rglob("*") if path.is_file())


@pytest.mark.skipif(not IS_WHOLE, reason="make test-sources runs it")
def test_a_refresh_that_is_killed_on_the_way_and_run_again_ends_as_if_undisturbed(
    place: Place, plain: Refresh, tiny_embedder: str, tmp_path: Path
) -> None:
    folder, corpus = tmp_path / "folder", tmp_path / "corpus"
    for path, text in TEXTS.items():
        place.write(path, text)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    options = [f"--set=source.{name}={value}" for name, value in QUERY.items()]
    command = [sys.executable, "-m", "flows.cli", "refresh", place.url, "--corpus", str(corpus), *options]
    place.take_requests()
    killed = subprocess.Popen([*command, f"--set=embed.model={tiny_embedder}"], start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 200
    while not (corpus / ".pagemill").exists() and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    plain(place.url, corpus, source=QUERY)
    plain(folder, tmp_path / "twin")
    assert digest(corpus) == digest(tmp_path / "twin")
    assert not [*(tmp_path / "cache").rglob("*.part")]


@pytest.mark.skipif(not IS_WHOLE, reason="make test-sources runs it")
def test_one_change_among_ten_thousand_documents_costs_one_listing_and_one_body(place: Place, tmp_path: Path) -> None:
    corpus, options = Corpus(str(tmp_path / "corpus")), RefreshOptions(source=QUERY)
    corpus.plans.mkdir(parents=True)
    many = 1_000 if place.url.startswith("gs://") else MANY  # Google's emulator writes down all it has with each object
    source = open_source(place.url, options.source, "main")
    place.write_many({f"{number % 10}/{number}.txt": f"The heron was seen {number} times." for number in range(many)})
    listing = Listing(source, options)
    digests = strings("0" * 64 for _ in range(many))
    read = pa.table([*listing.stamps.columns, digests, integers([listing.listed_at_ns] * many)], schema=HASHES)
    remember_hashes(corpus, "main", read, read, HASHES.empty_table())
    place.write("3/643.txt", "The heron was not seen.")
    place.take_requests()
    if isinstance(place, Http):
        place.heads.clear()
    found, refused = read_contents(Listing(source, options, listing.memory), corpus, options, remember=True)
    asked = place.take_requests()
    assert (asked.bodies, refused, len(found)) == ({"3/643.txt": 1}, {}, many)
    # WebDAV asks for a document's facts too.
    folders = {path: n for path, n in asked.listings.items() if path not in asked.bodies}
    n_pages = 2 * 11 if isinstance(place, Filesystem) else 11  # their clients ask what a folder is before they list it
    assert max(folders.values()) == 1 and len(folders) <= n_pages
    assert not isinstance(place, Http) or place.heads == {"3/643.txt": 1}


@pytest.mark.skipif(not IS_WHOLE, reason="make test-sources runs it")
def test_a_document_without_a_suffix_is_told_by_its_start_which_is_read_once(place: Place) -> None:
    options = RefreshOptions(source=QUERY)
    source = open_source(place.url, options.source, "main")
    place.write("sub/page", "<!doctype html><p>The heron stands.")
    place.write("notes", "The mill turns.")
    first = Listing(source, options)
    asked = place.take_requests()
    if isinstance(place, Rows):
        assert len(first.documents) == 2 and not asked.bodies, "rows are of the kind that the options name"
        return
    assert first.media_types == [HTML] and asked.bodies == {"sub/page": 1, "notes": 1}
    place.write("new", "<html>The pump runs.</html>")
    again = Listing(source, options, first.memory)
    assert [file.path for file in again.documents] == ["new", "sub/page"] and place.take_requests().bodies == {"new": 1}


def test_a_web_server_is_asked_for_the_facts_of_files_whose_times_in_its_list_are_others(_user: None, tmp_path: Path) -> None:
    with closing(Http(tmp_path / "there")) as server:
        source = open_source(server.url, SourceOptions(), "main")

        def ask(memory: bytes) -> tuple[list[ListedFile], bytes, list[str]]:
            server.heads.clear()
            files, _, kept = source.list_files(memory)
            return files, kept, sorted(server.heads)

        server.write("old.txt", "The heron stands.")
        server.write("sub/a&b.txt", "The mill turns.")
        (server.folder / "new.txt").write_text("The pump runs.")
        first, memory, asked = ask(b"")
        assert asked == ["new.txt", "old.txt", "sub/a&b.txt"]
        again, memory, asked = ask(memory)
        assert (again, asked) == (first, ["new.txt"]), "it may change again within the minute that the list shows"
        os.utime(server.folder / "old.txt", (1_600_000_000, 1_600_000_000))
        last, _, asked = ask(memory)
        assert asked == ["new.txt", "old.txt"] and last[1] != first[1] and last[2] == first[2]
        assert ask(memory.replace(server.url.rpartition(":")[2].encode(), b"1"))[2] == ["new.txt", "old.txt", "sub/a&b.txt"]
