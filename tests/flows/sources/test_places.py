"""Refreshes from each kind of place end as those from a folder, and a listing that breaks off removes nothing."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path

import pytest

from schemas.errors import StoreError
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, digest, paths
from tests.flows.sources.servers import PASSWORD, Dav, FolderBehind, Http, Place, Sftp, open_postgres, open_sqlite

SERVERS = ("sftp", "dav", "http") if os.environ.get("TEST_SOURCES") else ("http",)
PLACES = (*SERVERS, "sqlite", "postgres") if os.environ.get("TEST_SOURCES") else ("sqlite",)
TEXTS = {"a.txt": "The heron stands. It waits.", "sub/b.txt": "The mill turns. It grinds.", "sub/deep/c.txt": "A pump runs."}
QUERY = {"query": "SELECT * FROM articles", "changed": "version"}


def open_server(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> FolderBehind:
    """Start a server; this process knows its host and its password."""
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    kinds: dict[str, Callable[[Path], FolderBehind]] = {"sftp": partial(Sftp, home=folder / "home"), "dav": Dav, "http": Http}
    return kinds[kind](folder / "there")


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FolderBehind]:
    with closing(open_server(request.param, tmp_path, monkeypatch)) as opened:
        yield opened


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    rows: dict[str, Callable[[], AbstractContextManager[Place]]] = {
        "sqlite": lambda: open_sqlite(tmp_path),
        "postgres": open_postgres,
    }
    with rows[request.param]() if request.param in rows else closing(open_server(request.param, tmp_path, monkeypatch)) as opened:
        yield opened


def test_nights_at_a_place_end_as_those_at_a_folder_and_read_what_changed(place: Place, plain: Refresh, tmp_path: Path) -> None:
    folder, corpus = tmp_path / "folder", tmp_path / "corpus"

    def write(path: str, text: str) -> None:
        place.write(path, text)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    def remove(path: str) -> None:
        place.remove(path)
        (folder / path).unlink()

    def refresh(**plan: bool) -> dict[str, int]:
        place.bodies.clear()
        found = changes(plain(place.url, corpus, source=QUERY, plan={"allow_removals": True, **plan}))
        plain(folder, tmp_path / "twin", plan={"allow_removals": True})
        assert digest(corpus) == digest(tmp_path / "twin")
        return found

    for path, text in TEXTS.items():
        write(path, text)
    assert refresh() == {"added": 3}
    assert place.bodies == dict.fromkeys(TEXTS, 1)
    assert refresh() == {"unchanged": 3}
    assert not place.bodies
    write("sub/b.txt", "The mill has stopped.")
    remove("a.txt")
    write("z/a.txt", TEXTS["a.txt"])
    assert refresh() == {"changed": 1, "moved": 1, "unchanged": 1}
    assert place.bodies == {"sub/b.txt": 1, "z/a.txt": 1}
    remove("sub/deep/c.txt")
    assert refresh() == {"removed": 1, "unchanged": 2}
    assert refresh(verify=True) == {"unchanged": 2}
    assert set(place.bodies) == {"sub/b.txt", "z/a.txt"}


@pytest.mark.parametrize("cut_after", (0, 2000, 6000) if os.environ.get("TEST_SOURCES") else (2000,))
def test_a_listing_or_a_body_that_breaks_off_loses_nothing(
    server: FolderBehind, plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut_after: int
) -> None:
    for module in ("failures", "website"):
        monkeypatch.setattr(f"tasks.store.sources.{module}.WAIT_SECONDS", 0.05)
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


def test_a_user_whom_the_place_does_not_know_is_told_what_to_set(
    server: FolderBehind, plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(server, Http):
        pytest.skip("it lets everybody in")
    server.write("a.txt", "The heron waits.")
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", "wrong-whelk")
    with pytest.raises(StoreError, match="refuses this user: set PAGEMILL_SOURCE_USER") as raised:
        plain(server.url, tmp_path / "corpus")
    assert "whelk" not in str(raised.value)
    assert not (tmp_path / "corpus").exists()
