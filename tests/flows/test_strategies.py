"""Strategies that need more than the document: what they need is staged, used, and never computed twice."""

from pathlib import Path

import pytest

from tests.flows.conftest import Refresh
from tests.flows.corpora import rows, staged

pytestmark = pytest.mark.slow


def test_vectors_of_sentences_are_staged_and_parents_stand_with_their_chunks(
    plain: Refresh, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    options = {
        "strategy": "parent-child",
        "child_strategy": "semantic-merge",
        "parent_strategy": "sentence",
        "size_tokens": 32,
        "parent_tokens": 64,
    }
    outcome = plain(source, corpus, chunk=options)
    made = staged(corpus, "sentences")
    assert len(made) == outcome["steps"]["chunk"]["computed"] > 0
    for chunk in rows(corpus, "chunks"):
        assert chunk["parent_start_char"] <= chunk["start_char"] < chunk["end_char"] <= chunk["parent_end_char"]
    (source / "later.txt").write_text("The last barge left in June. Nobody saw it go.")
    outcome = plain(source, corpus, chunk=options)
    assert outcome["steps"]["chunk"]["computed"] == 1
    assert len(staged(corpus, "sentences")) == len(made) + 1


def test_chunks_that_are_too_long_for_the_embedder_are_published_on_demand(
    refresh: Refresh, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    (source / "long.txt").write_text("The weir leaks and nobody mends it. " * 60)
    refresh(source, corpus, chunk={"size_tokens": 400}, embed={"too_long": "truncate"})
    assert max(row["n_tokens"] for row in rows(corpus, "chunks")) > 256
