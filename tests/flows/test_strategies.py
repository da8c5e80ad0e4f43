"""Strategies that need more than the document: what they need is staged, used, and never computed twice."""

from pathlib import Path

import pytest

from tests.flows.conftest import Refresh
from tests.flows.corpora import rows

pytestmark = pytest.mark.slow


def test_vectors_of_sentences_are_staged_and_parents_stand_with_their_chunks(
    refresh: Refresh, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    options = {
        "strategy": "parent-child",
        "child_strategy": "semantic-merge",
        "parent_strategy": "sentence",
        "size_tokens": 32,
        "parent_tokens": 64,
    }
    outcome = refresh(source, corpus, chunk=options)
    assert outcome["steps"]["sentences"]["computed"] == outcome["steps"]["chunk"]["computed"] > 0
    assert list((corpus / ".pagemill/staging/sentences").rglob("*.arrow"))
    for chunk in rows(corpus, "chunks"):
        assert chunk["parent_start_char"] <= chunk["start_char"] < chunk["end_char"] <= chunk["parent_end_char"]
    (source / "later.txt").write_text("The last barge left in June. Nobody saw it go.")
    again = refresh(source, corpus, chunk=options)
    assert again["steps"]["sentences"]["computed"] == 1


def test_an_endpoint_that_does_not_answer_leaves_a_reason_and_chunks_by_structure(
    refresh: Refresh, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    refresh(source, corpus, chunk={"strategy": "llm", "endpoint": "http://127.0.0.1:9/v1"})
    reasons = [row for row in rows(corpus, "rejects") if row["error"] == "NoProposal"]
    assert {row["path"] for row in reasons} == {row["path"] for row in rows(corpus, "chunks")}
    assert all("does not answer" in row["message"] for row in reasons)


def test_chunks_that_are_too_long_for_the_embedder_are_published_on_demand(
    refresh: Refresh, source: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    (source / "long.txt").write_text("The weir leaks and nobody mends it. " * 60)
    refresh(source, corpus, chunk={"size_tokens": 400}, embed={"too_long": "truncate"})
    assert max(row["n_tokens"] for row in rows(corpus, "chunks")) > 256
