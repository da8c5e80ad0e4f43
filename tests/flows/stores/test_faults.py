"""A network that drops, loses, cuts and delays: a refresh ends well or says why, and nothing is lost."""

import os
import random
from pathlib import Path

import pytest

from benchmarks.store.seaweed import Seaweed
from schemas.errors import PagemillError
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest
from tests.flows.stores.proxy import Proxy, Request

ROUNDS = 20 if os.environ.get("TEST_STORE") else 2
FAULTS = ("drop", "lose", "cut", "slow")


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_faults_on_the_way_to_a_store_lose_nothing(
    plain: Refresh,
    texts: Path,
    bucket: Path,
    tmp_path: Path,
    store: Seaweed,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    corpus = bucket / "corpus"
    plain(texts, corpus)
    plain(texts, tmp_path / "folder")
    before = digest(corpus)
    drawn = random.Random(seed)
    harms = {drawn.randrange(1, 150): drawn.choice(FAULTS) for _ in range(4)}

    def harm(request: Request) -> str:
        return harms.get(request.number, "")

    (texts / "b.txt").write_text(f"The mill has stopped {seed}.")
    plain(texts, tmp_path / "folder")
    after = digest(tmp_path / "folder")
    proxy = Proxy(store.url, harm)
    said = ""
    with monkeypatch.context() as changed:
        changed.setenv("AWS_ENDPOINT_URL", proxy.url)
        try:
            plain(texts, corpus)
        except PagemillError as error:
            said = str(error)
            assert "\n" not in said
    proxy.close()
    assert digest(corpus) in ((before, after) if said else (after,))
    plain(texts, corpus)
    assert digest(corpus) == after
