from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from flows.cli.main import be_quiet
from tests.distribution import LongestFirst, place_of

be_quiet()
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


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[str]:
    """A Prefect server of the session's own, with an empty database; its API's URL."""
    from prefect.settings import get_current_settings
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        url = get_current_settings().api.url
        assert url
        yield url
