"""A corpus, and candidates beside it with another tiny model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from tasks.publish.io.candidates import place_candidate
from tests.flows.conftest import Refresh
from tests.soak.tiny_embedder import make_embedder

OTHER = 24
"""The length of the vectors of the candidate's model."""


@pytest.fixture(scope="session")
def other_embedder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_embedder(tmp_path_factory.mktemp("other"), OTHER))


@pytest.fixture
def home(plain: Refresh, source: Path, corpus: Path) -> Corpus:
    plain(source, corpus)
    return Corpus(str(corpus))


@pytest.fixture
def beside(plain: Refresh, source: Path, home: Corpus, other_embedder: str) -> Callable[..., dict[str, Any]]:
    """Build candidate `name` with the other model; return the outcome."""

    def build(name: str = "other", **given: Any) -> dict[str, Any]:
        return plain(source, place_candidate(home, name).folder, **{"embed": {"model": other_embedder}, **given})

    return build
