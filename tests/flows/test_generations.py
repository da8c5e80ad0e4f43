"""Readers see whole generations: published, refused, brought back, purged, cleaned up."""

import json
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError, GateError, UnknownDocument
from schemas.tables.evaluations import QUESTIONS
from schemas.tables.generations import GENERATIONS
from tasks.store import files, lance, published
from tasks.store.files import delete_tree
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest, paths, rows, staged, versions

pytestmark = pytest.mark.slow


def test_broken_chunking_is_refused_and_the_old_generation_still_answers(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.publish import drafting
    from tasks.publish.io.validate import read_validations
    from tasks.search.io.retrieve import open_searcher

    refresh(source, corpus)
    before, old = versions(corpus), digest(corpus)
    whole = drafting.make_chunks
    monkeypatch.setattr(drafting, "make_chunks", lambda *given: whole(*given).slice(0, 0))
    (source / "notes.txt").write_text("A new text that loses its chunks on the way.")
    with pytest.raises(GateError, match=r"nothing was published"):
        refresh(source, corpus)
    failed = [row for row in read_validations(Corpus(str(corpus))) if not row["success"]]
    assert {(row["suite"], row["column"]) for row in failed} >= {("documents", "accounted"), ("chunks", "")}
    assert all(row["observed"] and row["allowed"] for row in failed)
    assert digest(corpus) == old
    assert {name: n for name, n in versions(corpus).items() if name != "validations.lance"} == {
        name: n for name, n in before.items() if name != "validations.lance"
    }
    assert open_searcher(Corpus(str(corpus))).search("heron", 1)[0].path == "notes.txt"
    monkeypatch.undo()
    assert refresh(source, corpus)["outcome"] == "published"


def test_rows_that_lose_their_document_are_refused(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.publish import drafting

    refresh(source, corpus)
    whole = drafting.make_documents
    monkeypatch.setattr(drafting, "make_documents", lambda *given: whole(*given).slice(0, 0))
    (source / "notes.txt").write_text("A new text whose document gets lost on the way.")
    with pytest.raises(GateError, match=r"1 of \d+ chunks belong to a document that does not exist") as refused:
        refresh(source, corpus)
    assert "1 of 1 elements belong to a document that does not exist" in str(refused.value)


def test_a_corpus_made_before_options_were_recorded_goes_on(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.publish.io.purge import purge_document
    from tasks.publish.io.rollback import roll_back_corpus

    refresh(source, corpus)
    (source / "notes.txt").write_text("The kingfisher came in spring.")
    refresh(source, corpus)
    forget_options(corpus)
    assert [found.options for found in published.read_all_generations(Corpus(str(corpus)))] == [{}, {}]
    assert roll_back_corpus(Corpus(str(corpus)), 1, "run-a") == 3
    (source / "guide.md").unlink()
    refresh(source, corpus, publish={"release": True}, gate={"max_reject_share": 0.4})
    recorded = [found.options for found in published.read_all_generations(Corpus(str(corpus)))]
    assert recorded[:-1] == [{}, {}, {}]
    assert recorded[-1]["gate"]["max_reject_share"] == 0.4
    assert recorded[-1]["chunk"]["strategy"] == "sentence"
    forget_options(corpus)
    purge_document(Corpus(str(corpus)), "main", "guide.md", "run-b")
    assert "guide.md" not in paths(corpus)


def forget_options(corpus: Path) -> None:
    """Make the table of generations as it was before it had the column `options`."""
    rows = lance.open_table(Corpus(str(corpus)), "generations").to_arrow()
    old = pa.schema([field for field in GENERATIONS if field.name != "options"], metadata=GENERATIONS.metadata)
    delete_tree(corpus / "generations.lance")
    lance.ensure_table(Corpus(str(corpus)), "generations", old).add(rows.select(old.names).cast(old))


def test_rollback_answers_from_the_old_generation_and_holds_the_corpus(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.publish.io.rollback import roll_back_corpus
    from tasks.search.io.retrieve import open_searcher

    refresh(source, corpus)
    first = digest(corpus)
    (source / "notes.txt").write_text("The kingfisher came in spring.")
    refresh(source, corpus)
    second = digest(corpus)
    assert roll_back_corpus(Corpus(str(corpus)), 1, "run-a") == 3
    assert digest(corpus) == first
    assert "heron" in open_searcher(Corpus(str(corpus))).search("heron", 1)[0].text
    with pytest.raises(CorpusError, match="--release"):
        refresh(source, corpus)
    assert roll_back_corpus(Corpus(str(corpus)), 2, "run-b") == 4
    assert digest(corpus) == second
    outcome = refresh(source, corpus, publish={"release": True})
    assert outcome["outcome"] == "nothing changed"
    live = published.read_newest_generation(Corpus(str(corpus)))
    assert live is not None
    assert (live.kind, live.held) == ("release", False)
    assert digest(corpus) == second
    with pytest.raises(CorpusError, match="generation 9"):
        roll_back_corpus(Corpus(str(corpus)), 9, "run-c")


def test_a_purged_document_is_gone_from_every_generation_and_file(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.publish.io.purge import purge_document
    from tasks.publish.io.rollback import roll_back_corpus
    from tasks.search.io.retrieve import open_searcher

    (source / "secret.txt").write_text("The zyxomma password is quibblefrotz.")
    refresh(source, corpus)
    lance.append_to_log(Corpus(str(corpus)), "questions", asked_about("q's", "secret.txt", "quibblefrotz"))
    lance.append_to_log(Corpus(str(corpus)), "questions", asked_about("q2", "notes.txt", "nothing"))
    (source / "notes.txt").write_text("The kingfisher came in spring.")
    refresh(source, corpus)
    (source / "secret.txt").unlink()
    refresh(source, corpus)
    outcome = purge_document(Corpus(str(corpus)), "main", "secret.txt", "run")
    assert outcome["generations"] == [1, 2]
    assert traces(corpus, b"quibblefrotz", b"secret.txt") == []
    assert lance.open_table(Corpus(str(corpus)), "questions").to_arrow()["question_id"].to_pylist() == ["q2"]
    assert roll_back_corpus(Corpus(str(corpus)), 1, "run-a") == 5
    assert "secret.txt" not in paths(corpus)
    assert "heron" in open_searcher(Corpus(str(corpus))).search("heron", 1, "fts")[0].text
    with pytest.raises(CorpusError, match=r"secret\.txt"):
        purge_document(Corpus(str(corpus)), "main", "secret.txt", "run")
    begun = corpus / ".pagemill/purge.json"  # what a purge leaves that was killed after it published
    files.write_atomically(begun, json.dumps({"document_id": outcome["document_id"], "generations": [1, 2]}).encode())
    assert purge_document(Corpus(str(corpus)), "main", "secret.txt", "run")["generations"] == [1, 2]
    assert not begun.exists()


def test_what_only_files_still_have_of_a_document_is_purged(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.publish.io.purge import preview_purge, purge_document

    (source / "secret.txt").write_text("The zyxomma password is quibblefrotz.")
    refresh(source, corpus)
    (source / "secret.txt").unlink()
    refresh(source, corpus, publish={"keep_generations": 1})
    assert preview_purge(Corpus(str(corpus)), "main", "secret.txt")["generations"] == []
    outcome = purge_document(Corpus(str(corpus)), "main", "secret.txt", "run")
    assert (outcome["generations"], outcome["generation"]) == ([], 3)
    assert traces(corpus, b"quibblefrotz", b"secret.txt") == []
    with pytest.raises(UnknownDocument):
        purge_document(Corpus(str(corpus)), "main", "secret.txt", "run")


def test_a_purge_that_is_killed_before_its_last_write_is_completed_when_it_is_given_again(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.publish.io import purge
    from tasks.publish.io.integrity.verify import verify_corpus

    refresh(source, corpus)
    with monkeypatch.context() as patch:
        patch.setattr(purge, "record_unmanifested_files", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            purge.purge_document(Corpus(str(corpus)), "main", "notes.txt", "run")
    assert purge.purge_document(Corpus(str(corpus)), "main", "notes.txt", "run")["generations"] == [1]
    with pytest.raises(UnknownDocument):
        purge.purge_document(Corpus(str(corpus)), "main", "notes.txt", "run")
    assert verify_corpus(Corpus(str(corpus))).whole


def asked_about(name: str, path: str, quote: str) -> pa.Table:
    gold = {"document": path, "start": None, "end": None, "quote": quote, "page": None}
    facts = {"run_id": "r", "question_id": name, "question": "Which?", "answer": None, "domain": "general", "split": "test"}
    return pa.Table.from_pylist([{**facts, "documents": [path], "gold": [gold]}], schema=QUESTIONS)


def traces(corpus: Path, *needles: bytes) -> list[str]:
    """Return the files of the corpus that hold one of the needles."""
    files = (path for path in corpus.rglob("*") if path.is_file())
    return [str(path) for path in files if any(needle in path.read_bytes() for needle in needles)]


def test_old_generations_and_their_staged_files_are_cleaned_up(
    refresh: Refresh, source: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import lance as engine

    from tasks.publish.io import cleanup
    from tasks.publish.io.tags import list_restorable_generations

    monkeypatch.setattr(cleanup, "SAFE_AGE", timedelta(0))
    for number in range(4):
        (source / "notes.txt").write_text(f"Version {number} of the notes.")
        refresh(source, corpus, publish={"keep_generations": 2})
    assert [found.generation for found in list_restorable_generations(Corpus(str(corpus)))] == [3, 4]
    contents = {row["sha256"] for row in rows(corpus, "documents")}
    of_the_kept_generation, in_a_pack_that_is_mostly_needed = 1, 1
    assert len(staged(corpus, "embed") - contents) == of_the_kept_generation + in_a_pack_that_is_mostly_needed
    assert not (corpus / ".pagemill/runs").exists()
    kept = versions(corpus)
    assert kept["chunks.lance"] == kept["documents.lance"] == 2
    assert kept["generations.lance"] == kept["validations.lance"] == 1
    assert len(engine.dataset(str(corpus / "chunks.lance")).get_fragments()) <= 2


def test_a_second_refresh_is_told_that_one_is_under_way(refresh: Refresh, source: Path, corpus: Path) -> None:
    from tasks.store.locks import hold_lock

    with hold_lock(Corpus(str(corpus)).lock("refresh"), 0, "a refresh"), pytest.raises(ConflictError, match="lock_wait_seconds"):
        refresh(source, corpus)
    assert refresh(source, corpus)["outcome"] == "published"
