import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.ids import digest
from tasks.store import files
from tasks.store.objects.paths import parse_store_uri
from tests.flows.corpora import draw_source
from tests.flows.forks import Forks
from tests.kept_workers import KeptWorkers
from tests.soak.tiny_embedder import make_embedder

Refresh = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def homes(request: pytest.FixtureRequest) -> Callable[[Path], Path]:
    """Where the corpora of a folder lie: there, or in a bucket of its own with TEST_STORE=1 (`make test-store`)."""
    if not os.environ.get("TEST_STORE"):
        return lambda folder: folder
    request.getfixturevalue("store")

    def bucket_of(folder: Path) -> Path:
        bucket = parse_store_uri(f"s3://test-{digest(str(folder))}")
        files.write_atomically(bucket / ".made", b"")
        return bucket

    return bucket_of


@pytest.fixture(scope="session")
def forks(prefect_api: str, homes: Callable[[Path], Path]) -> Iterator[Forks]:
    """Runs refreshes in processes of their own, which can be killed at chosen moments."""
    with Forks(prefect_api) as running:
        yield running


@pytest.fixture(scope="session")
def before(forks: Forks, homes: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source, as `source` is one, and the corpus that an undisturbed refresh made from it."""
    folder = tmp_path_factory.mktemp("before")
    draw_source(folder / "source")
    assert not forks.run(folder / "source", homes(folder) / "corpus").error
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small folder of documents of several kinds."""
    folder = tmp_path / "source"
    draw_source(folder)
    return folder


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of three short texts."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in {"a": "The heron stands. It waits.", "b": "The mill turns. It grinds.", "c": "The pump runs."}.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


@pytest.fixture
def corpus(tmp_path: Path, homes: Callable[[Path], Path]) -> Path:
    """Where a corpus is to be made."""
    return homes(tmp_path) / "corpus"


@pytest.fixture(scope="session")
def tiny_embedder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of an embedder that costs next to nothing."""
    return str(make_embedder(tmp_path_factory.mktemp("embedder")))


@pytest.fixture(scope="session")
def kept_workers() -> Iterator[KeptWorkers]:
    """Worker processes that refreshes in this process share."""
    workers = KeptWorkers()
    yield workers
    workers.close()


@pytest.fixture
def _workers_are_kept(kept_workers: KeptWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("running", "source.opening"):
        monkeypatch.setattr(f"tasks.refresh.io.{place}.WorkerPool", kept_workers)


@pytest.fixture
def plain(tiny_embedder: str, _workers_are_kept: None) -> Refresh:
    """Run a refresh in this process without Prefect, with a tiny embedder; return its outcome."""
    return refreshing(None, embed={"model": tiny_embedder})


@pytest.fixture
def refresh(_workers_are_kept: None) -> Refresh:
    """Run a refresh in this process without Prefect, with the default embedder; return its outcome."""
    return refreshing(None)


@pytest.fixture
def prefect_refresh(prefect_api: str, _workers_are_kept: None) -> Refresh:
    """Run the refresh flow in this process; return its outcome."""
    return refreshing(prefect_api)


def refreshing(url: str | None, **always: Any) -> Refresh:
    """Return a function that refreshes `corpus` from `source`; each other argument is a section of options.

    Great Expectations is loaded once, and not in a process of its own for each refresh.
    """
    from tasks.store.loading import import_expectations

    import_expectations()

    def run(source: Path | str, corpus: Path, /, **given: Any) -> dict[str, Any]:
        from flows.cli.refresh import run_refresh
        from flows.settings import read_refresh_options

        options = read_refresh_options({**always, **given})
        return {**run_refresh(str(source), str(corpus), options, dry_run=False, url=url)}

    return run
