"""Whatever is damaged is found: one file of a corpus after the other, of every kind and in every way."""

import os
import random
import shutil
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from tasks.publish.integrity import lines
from tasks.publish.io.integrity.verify import verify
from tests.flows.whole.damage import damage
from tests.nights.kills.forks import Forks
from tests.nights.kills.scenes import make_history
from tests.nights.tiny_embedder import make_embedder

DAMAGES = int(os.environ.get("PAGEMILL_TEST_DAMAGES", "12"))
"""`make test-damage` draws 300."""

SEED = 11


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source, and a corpus of four generations and an evaluation made from it."""
    folder = tmp_path_factory.mktemp("history")
    with Forks(make_embedder(tmp_path_factory.mktemp("embedder"))) as forks:
        make_history(forks, folder)
    return folder


def test_a_corpus_that_nobody_has_touched_is_whole(history: Path) -> None:
    found = verify(Corpus(str(history / "corpus")), deep=True)
    assert found.findings == ()
    assert found.n_files > 100


@pytest.mark.slow
def test_drawn_damage_to_files_of_every_kind_is_found(history: Path, tmp_path: Path) -> None:
    missed = []
    for number in range(DAMAGES):
        corpus = tmp_path / "corpus"
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.copytree(history / "corpus", corpus)
        done = damage(corpus, random.Random(f"{SEED} {number}"))
        quick, deep = verify(Corpus(str(corpus))), verify(Corpus(str(corpus)), deep=True)
        if not deep.findings or (done.sized and not quick.findings):
            missed.append(done)
        assert all(" " in line for line in lines(deep))
    assert missed == []
