from collections.abc import Iterator

import pytest

from tests.chat_endpoint import ChatEndpoint, playing, says
from tests.tasks.chat.io.places import GOOD


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGEMILL_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def good() -> Iterator[ChatEndpoint]:
    with playing(says(GOOD)) as endpoint:
        yield endpoint
