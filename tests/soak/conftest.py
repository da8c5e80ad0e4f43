from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.soak.kills.forks import Forks
from tests.soak.kills.scenes import make_history
from tests.soak.tiny_embedder import make_embedder


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Runs commands in processes of their own, which can be killed at chosen writes."""
    with Forks(make_embedder(tmp_path_factory.mktemp("embedder"))) as running:
        yield running


@pytest.fixture(scope="session")
def history(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source, and a corpus of some generations made from it."""
    folder = tmp_path_factory.mktemp("history")
    make_history(forks, folder)
    return folder
