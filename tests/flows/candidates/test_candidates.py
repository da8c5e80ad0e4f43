"""A candidate: another model beside the live one, compared, put in its place, brought back, purged; killed and interrupted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.cli.evaluate import compare_candidate
from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from schemas.options.sections import EvaluateOptions
from tasks.publish.io.candidates import describe_candidates, discard_candidate, list_candidates
from tasks.publish.io.purge import PurgeOutcome, preview_purge_with_candidates, purge_corpus_and_candidates
from tasks.publish.io.rollback import roll_back_corpus
from tasks.publish.io.switch import switch_to_candidate
from tasks.search.io.retrieve import open_searcher
from tasks.serve.io.live import LiveCorpus
from tasks.store import published
from tasks.store.files import delete_tree
from tasks.store.locks import hold_lock
from tests.flows.candidates.conftest import OTHER
from tests.flows.candidates.questions import questions_in
from tests.flows.conftest import Refresh
from tests.flows.corpora import computed, digest, paths, staged
from tests.soak.state import leftovers, traces
from tests.soak.tiny_embedder import DIMENSION

pytestmark = pytest.mark.slow


def dimension(corpus: Corpus) -> int:
    """Return the length of the live vectors."""
    live = published.read_live_generation(corpus)
    size: int = published.open_published(corpus, live, "chunks").schema.field("vector").type.list_size
    return size


def finds(corpus: Corpus) -> list[str]:
    """Return the documents that a search finds, by words and by vectors of the corpus's own model."""
    return [hit.path for hit in open_searcher(corpus).search("When was the mill built?", 3)]


def test_a_candidate_is_built_beside_compared_switched_to_and_back(
    plain: Refresh, source: Path, home: Corpus, beside: Callable[..., Any], other_embedder: str, tmp_path: Path
) -> None:
    before = digest(home.folder)
    assert {step: n for step, n in computed(beside()).items() if n} == {"chunk": 6, "embed": 6}  # parsed and described as it was
    assert digest(home.folder) == before and dimension(home) == DIMENSION
    [row] = describe_candidates(home)
    assert row["state"] == "has the documents of the corpus"
    assert any(other_embedder in change for change in row["changes"])
    compared = compare_candidate(home, home.candidate("other"), questions_in(tmp_path), EvaluateOptions(bootstrap_samples=100))
    assert {one.n for one, _ in compared.metrics} == {3} and (compared.metric, compared.cutoff) == ("recall", 5)

    with_old = LiveCorpus(home)
    assert with_old.call_on_live(lambda opened: len(opened.embedding.provider.encode(["mill"])[0])) == DIMENSION
    assert switch_to_candidate(home, "other") == {
        "generation": 2,
        "base": 1,
        "candidate": "other",
        "options": {"embed.model": other_embedder},
    }
    assert with_old.call_on_live(lambda opened: len(opened.embedding.provider.encode(["mill"])[0])) == OTHER
    assert (dimension(home), list_candidates(home), "history.txt" in finds(home)) == (OTHER, [], True)
    with pytest.raises(CorpusError, match="--candidate NAME"):
        plain(source, home.folder)
    (source / "history.txt").write_text("The mill was built in 1805, as the deed says.")
    after = plain(source, home.folder, embed={"model": other_embedder})
    assert computed(after) == {"parse": 1, "describe": 1, "chunk": 1, "embed": 1}

    assert roll_back_corpus(home, 1, "back") == 4
    assert (dimension(home), "history.txt" in finds(home)) == (DIMENSION, True)
    assert roll_back_corpus(home, 3, "forth") == 5
    assert dimension(home) == OTHER
    plain(source, home.folder, embed={"model": other_embedder}, publish={"release": True})
    assert leftovers(home.folder, versions=False) == []


def test_a_candidate_that_was_interrupted_goes_on_where_it_was(
    beside: Callable[..., Any], home: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("flows.pipeline.restore_published_tables", raising)
        with pytest.raises(KeyboardInterrupt):
            beside()
    assert describe_candidates(home)[0]["generation"] is None
    with pytest.raises(CorpusError, match="is not complete: run refresh --candidate other again"):
        switch_to_candidate(home, "other")
    assert set(computed(beside()).values()) == {0}
    assert switch_to_candidate(home, "other")["generation"] == 2


def raising(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_switch_that_failed_half_way_publishes_nothing_and_neither_harms_the_next_refresh(
    plain: Refresh, source: Path, home: Corpus, beside: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    beside(columns={"year": "int"})
    before = digest(home.folder)
    with monkeypatch.context() as patch:
        patch.setattr("tasks.publish.io.switch.publish_successor", raising)
        with pytest.raises(KeyboardInterrupt):
            switch_to_candidate(home, "other")
    assert digest(home.folder) == before and "mill" in open_searcher(home).search("mill", 1)[0].text
    (source / "notes.txt").write_text("The heron is back.")
    assert plain(source, home.folder)["generation"] == 2
    assert dimension(home) == DIMENSION
    with pytest.raises(CorpusError, match=r"other documents than generation 2 .*1 with another content \(notes\.txt\)"):
        switch_to_candidate(home, "other")
    assert switch_to_candidate(home, "other", accept_differences=True)["options"]["columns.year"] == "int"
    assert published.read_live_generation(home).columns == {"year": "int"}


def test_live_refreshes_go_on_while_a_candidate_is_built_and_none_switches_under_another(
    plain: Refresh, source: Path, home: Corpus, beside: Callable[..., Any], other_embedder: str
) -> None:
    beside()
    (source / "new.txt").write_text("A second turbine was ordered in April.")
    with hold_lock(home.candidate("other").lock("refresh"), 0, "a refresh of the candidate"):
        assert plain(source, home.folder)["generation"] == 2
        for command in (
            lambda: switch_to_candidate(home, "other"),
            lambda: discard_candidate(home, "other"),
            lambda: purged(home, "new.txt"),
        ):
            with pytest.raises(ConflictError, match="in use by a refresh of the candidate"):
                command()
    assert paths(home.folder) >= {"new.txt"}
    with hold_lock(home.lock("refresh"), 0, "a refresh"):
        assert computed(beside()) == {"parse": 0, "describe": 0, "chunk": 1, "embed": 1}  # while the corpus is held
        with pytest.raises(ConflictError, match="in use by a refresh"):
            switch_to_candidate(home, "other")
    beside("third", chunk={"size_tokens": 32})
    assert list_candidates(home) == ["other", "third"]
    discard_candidate(home, "other")
    assert switch_to_candidate(home, "third")["options"] == {"chunk.size_tokens": 32, "embed.model": other_embedder}
    assert list(home.candidates.iterdir()) == []


def purged(corpus: Corpus, path: str) -> PurgeOutcome:
    return purge_corpus_and_candidates(corpus, "main", path, "purge")


def test_a_purge_reaches_candidates_and_what_they_have_only_staged(
    plain: Refresh, source: Path, home: Corpus, beside: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "secret.txt").write_text("The password is quibblefrotz.")
    plain(source, home.folder)
    beside()
    for place, size in (("flows.pipeline.restore_published_tables", 32), ("tasks.store.published.insert_generation", 48)):
        with monkeypatch.context() as patch:
            patch.setattr(place, raising)
            with pytest.raises(KeyboardInterrupt):
                beside("begun" if size == 32 else "written", chunk={"size_tokens": size})
    assert traces(home.candidate("written").table("chunks"), b"quibblefrotz")
    (source / "secret.txt").unlink()
    assert preview_purge_with_candidates(home, "main", "secret.txt")["candidates"].keys() == {"other"}
    outcome = purged(home, "secret.txt")
    assert (outcome["generation"], outcome["candidates"]) == (3, ["other"])
    assert traces(home.folder, b"quibblefrotz", b"secret.txt") == []
    assert len(staged(home.candidate("begun").folder, "embed")) == 6  # what the corpus still has is kept
    assert leftovers(home.folder) == leftovers(home.candidate("other").folder) == []
    assert set(computed(beside("begun", chunk={"size_tokens": 32})).values()) == {0}
    assert set(computed(beside("written", chunk={"size_tokens": 48})).values()) == {0}
    with pytest.raises(CorpusError, match=r"holds secret\.txt"):
        purged(home, "secret.txt")
    assert switch_to_candidate(home, "other")["generation"] == 4


def test_a_document_that_only_a_candidate_has_is_purged(source: Path, home: Corpus, beside: Callable[..., Any]) -> None:
    (source / "secret.txt").write_text("The password is quibblefrotz.")
    beside()
    (source / "secret.txt").unlink()
    assert preview_purge_with_candidates(home, "main", "secret.txt")["generations"] == []
    assert purged(home, "secret.txt") == {
        "path": "secret.txt",
        "members": [],
        "generations": [],
        "generation": 1,
        "candidates": ["other"],
    }
    assert traces(home.folder, b"quibblefrotz") == []


def test_a_file_system_without_links_gets_copies(
    beside: Callable[..., Any], home: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno
    import os

    def refusing(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refusing)
    assert computed(beside())["parse"] == 0
    delete_tree(home.staging / "parse")
    assert len(staged(home.candidate("other").folder, "parse")) == 7
