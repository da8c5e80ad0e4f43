import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from tests.flows.sources.object_stores import open_azure, open_google, open_s3
from tests.flows.sources.samba import Smb
from tests.flows.sources.servers import PASSWORD, Dav, FolderBehind, Ftp, Http, Place, Sftp, open_postgres, open_sqlite

IS_WHOLE = bool(os.environ.get("TEST_SOURCES"))
SERVERS = ("sftp", "dav", "http", "ftp", "smb") if IS_WHOLE else ("http",)
PLACES = (*SERVERS, "s3", "azure", "google", "sqlite", "postgres") if IS_WHOLE else ("sqlite",)


def open_server(kind: str, folder: Path) -> AbstractContextManager[FolderBehind]:
    """Start a server that shows a folder."""
    if kind == "sftp":
        return closing(Sftp(folder / "there", folder / "home"))
    if kind == "smb":
        return closing(Smb())
    return closing({"dav": Dav, "http": Http, "ftp": Ftp}[kind](folder / "there"))


def open_place(kind: str, folder: Path, request: pytest.FixtureRequest) -> AbstractContextManager[Place]:
    """Start a place of one kind."""
    if kind == "s3":
        return open_s3(request.getfixturevalue("store"))
    if kind == "azure":
        return open_azure()
    if kind == "google":
        return open_google()
    if kind in SERVERS:
        return open_server(kind, folder)
    return open_sqlite(folder) if kind == "sqlite" else open_postgres()


@pytest.fixture
def _user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user with a home of one's own and the password of the servers, who waits no long time between attempts."""
    for name, folder in {"HOME": "home", "XDG_CACHE_HOME": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.setenv("PAGEMILL_SOURCE_PASSWORD", PASSWORD)
    for module in ("failures", "website"):
        monkeypatch.setattr(f"tasks.store.sources.{module}.WAIT_SECONDS", 0.05)


@pytest.fixture(params=SERVERS)
def server(_user: None, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FolderBehind]:
    """A server that shows a folder."""
    with open_server(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture(params=PLACES)
def place(_user: None, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place of any kind."""
    with open_place(request.param, tmp_path, request) as opened:
        yield opened
