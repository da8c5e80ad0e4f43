import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.store.seaweed import Environment, Seaweed
from flows.cli.main import silence_libraries
from tasks.store import files
from tasks.store.objects.paths import parse_store_uri
from tests.browsers import chromium
from tests.distribution import LongestFirst, place_of

silence_libraries()
os.environ["PAGEMILL_RUN_DIR"] = os.devnull  # no test reports to a server that happens to be up
settings.register_profile("pagemill", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagemill")  # a busy machine is no failure


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, begin with the longest."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_of(item.nodeid))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LongestFirst | None:
    """Let `make test` run together what belongs together."""
    return LongestFirst(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, or the tests that need it are skipped."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seaweed]:
    """An object store of the session's own; this process and those that it starts are led there until the session ends."""
    server = Seaweed(tmp_path_factory.mktemp("store"))
    variables = {**server.environment(), "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    with Environment(variables):
        yield server
    server.close()


@pytest.fixture
def bucket(store: Seaweed) -> Path:
    """A bucket of the test's own."""
    place = parse_store_uri(f"s3://test-{uuid4().hex}")
    files.write_atomically(place / ".made", b"")
    return place


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[str]:
    """A Prefect server of the session's own, with an empty database; its API's URL."""
    from prefect.settings import get_current_settings
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        url = get_current_settings().api.url
        assert url
        yield url
