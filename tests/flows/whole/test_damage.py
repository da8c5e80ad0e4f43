"""Whatever is damaged is found: one file of a corpus after the other, of every kind and in every way."""

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.publish.io.integrity.verify import verify_corpus
from tests.flows.corpora import rows
from tests.flows.whole.damage import Damage, damage
from tests.soak.kills.forks import Forks, Order
from tests.soak.kills.scenes import make_history
from tests.soak.tiny_embedder import make_embedder

DAMAGES = int(os.environ.get("TEST_DAMAGES", "12"))
"""`make test-damage` draws 300."""

SEED = 11


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Runs commands in processes of their own."""
    with Forks(make_embedder(tmp_path_factory.mktemp("embedder"))) as running:
        yield running


@pytest.fixture(scope="module")
def history(commands: Forks, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source, and a corpus of four generations and an evaluation made from it."""
    folder = tmp_path_factory.mktemp("history")
    make_history(commands, folder)
    return folder


def held_by(corpus: Path) -> list[list[dict[str, Any]]]:
    """Return the live rows of every table, without what says when, by which run and within which limits they were made."""
    return [
        [{name: value for name, value in row.items() if name not in ("run_id", "limits")} for row in rows(corpus, table)]
        for table in VERSIONED
    ]


def test_a_corpus_that_nobody_has_touched_is_whole(history: Path) -> None:
    found = verify_corpus(Corpus(str(history / "corpus")), deep=True)
    assert found.findings == ()
    assert found.n_files > 100


@pytest.mark.slow
def test_drawn_damage_to_files_of_every_kind_is_found_and_none_is_repaired_wrongly(
    commands: Forks, history: Path, tmp_path: Path
) -> None:
    wrong: list[tuple[Damage, object]] = []
    missed, outcomes, before = [], Counter[str](), held_by(history / "corpus")
    for number in range(DAMAGES):
        corpus = tmp_path / "corpus"
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.copytree(history / "corpus", corpus)
        done = damage(corpus, random.Random(f"{SEED} {number}"))
        quick, deep = verify_corpus(Corpus(str(corpus))), verify_corpus(Corpus(str(corpus)), deep=True)
        if not deep.findings or (done.sized and not quick.findings):
            missed.append(done)
        repaired = commands.run(Order("repair", str(corpus), {"source": str(history / "source")}))
        if repaired.error:
            outcomes["refused"] += 1
            if not repaired.error.startswith(("DamageError: ", "CorpusError: ")):
                wrong.append((done, repaired.error))
            continue
        outcomes["repaired"] += not deep.whole
        if not verify_corpus(Corpus(str(corpus)), deep=True).whole or held_by(corpus) != before:
            wrong.append((done, repaired.outcome))
    assert (missed, wrong) == ([], [])
    assert outcomes["repaired"] > outcomes["refused"], outcomes
