import pytest

from schemas.options.embedding import KEY_VARIABLES
from tasks.embed.io.endpoint import calls


@pytest.fixture(autouse=True)
def no_key_and_no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the environment would reach the tests, and an endpoint that was down would rest."""
    for name in KEY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(calls, "_unreachable", {})
