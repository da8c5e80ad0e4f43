from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from flows.cli.main import be_quiet

be_quiet()
settings.register_profile("pagemill", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagemill")  # a busy machine is no failure


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[str]:
    """A Prefect server of the session's own, with an empty database; its API's URL."""
    from prefect.settings import get_current_settings
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        url = get_current_settings().api.url
        assert url
        yield url
