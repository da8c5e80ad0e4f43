"""The change feed of a corpus: over refreshes, rollbacks, purges and clean-ups."""

from pathlib import Path

import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import AccessError, CorpusError, InputError
from schemas.ids import document_id
from tasks.deliver.io.changes import Changes, read_changes
from tasks.publish.io.cleanup import delete_old_generations
from tasks.publish.io.purge import purge_document
from tasks.publish.io.rollback import roll_back_corpus
from tasks.publish.io.tags import ensure_live_tags
from tests.tasks.small_corpus import publish_again, publish_corpus

TEXTS = {"a.txt": "The heron waits.\nIt eats eels.", "b.txt": "A ledger.", "c.txt": "The mill stood still."}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    publish_corpus(str(tmp_path / "corpus"), TEXTS)
    ensure_live_tags(Corpus(str(tmp_path / "corpus")))
    return Corpus(str(tmp_path / "corpus"))


def tell(found: Changes, table: str = "documents", column: str = "document_id") -> list[tuple[str, str]]:
    rows = found.tables[table].read_all()
    assert set(rows["_generation"].to_pylist()) <= {found.generation}
    return [*zip(rows["_change"].to_pylist(), rows[column].to_pylist(), strict=True)]


def name(path: str) -> str:
    return document_id("main", path)


def test_what_a_refresh_did_is_told_by_key_removals_first(corpus: Corpus) -> None:
    publish_again(str(corpus), {"b.txt": "Another ledger.", "c.txt": None, "d.txt": "New."})
    assert tell(read_changes(corpus, 1, 2)) == [("removed", name("c.txt")), ("changed", name("b.txt")), ("added", name("d.txt"))]
    chunks = read_changes(corpus, 1, 2, rows=True).tables["chunks"].read_all().to_pylist()
    assert [(row["_change"], row["document_id"], row["text"]) for row in chunks if row["_change"] == "removed"] == [
        ("removed", name(path), None) for path in ("b.txt", "c.txt")
    ]
    assert {row["text"] for row in chunks} == {None, "Another ledger.", "New."}
    assert tell(read_changes(corpus, 2, 2)) == []


def test_a_document_that_is_written_as_it_was_did_not_change(corpus: Corpus) -> None:
    publish_again(str(corpus), {"a.txt": TEXTS["a.txt"], "b.txt": "Another ledger."})
    assert tell(read_changes(corpus, 1, 2)) == [("changed", name("b.txt"))]


def test_from_nothing_all_rows_are_new(corpus: Corpus) -> None:
    found = read_changes(corpus, 0, 1)
    assert sorted(tell(found)) == sorted(("added", name(path)) for path in TEXTS)
    assert found.tables["chunks"].read_all().num_rows == 4


def test_a_rollback_is_told_as_what_it_brings_back(corpus: Corpus) -> None:
    publish_again(str(corpus), {"a.txt": None, "d.txt": "New."})
    roll_back_corpus(corpus, 1, "run")
    assert tell(read_changes(corpus, 2, 3)) == [("removed", name("d.txt")), ("added", name("a.txt"))]
    assert tell(read_changes(corpus, 1, 3)) == []


def test_a_purge_is_told_as_a_removal_by_the_id_alone(corpus: Corpus) -> None:
    publish_again(str(corpus), {"b.txt": "Another ledger."})
    purge_document(corpus, "main", "a.txt", "run")
    publish_again(str(corpus), {"a.txt": "The heron is back."})
    for since in (1, 2):
        found = read_changes(corpus, since, 3, rows=True)
        assert found.purged == [name("a.txt")]
        assert ("removed", name("a.txt")) in tell(found)
        removed = read_changes(corpus, since, 3).tables["chunks"].read_all().to_pylist()[0]
        assert removed == {"_change": "removed", "_generation": 3, "chunk_id": None, "document_id": name("a.txt")}
    assert tell(read_changes(corpus, 2, 4)) == [("removed", name("a.txt")), ("added", name("a.txt"))]
    assert tell(read_changes(corpus, 3, 4)) == [("added", name("a.txt"))]


def test_a_generation_that_is_gone_is_refused_and_the_oldest_is_named(corpus: Corpus) -> None:
    for n in range(3):
        publish_again(str(corpus), {"b.txt": f"Ledger {n}."})
    delete_old_generations(corpus, 2)
    with pytest.raises(CorpusError, match=r"generation 1 of .* was cleaned up, and the oldest that is kept is 3"):
        read_changes(corpus, 1, 4)
    with pytest.raises(CorpusError, match=r"has no generation 9"):
        read_changes(corpus, 3, 9)
    with pytest.raises(InputError, match=r"would go back"):
        read_changes(corpus, 4, 3)
    assert tell(read_changes(corpus, 3, 4)) == [("changed", name("b.txt"))]


def test_a_table_whose_files_are_lost_is_told_while_it_is_read(corpus: Corpus) -> None:
    publish_again(str(corpus), {"b.txt": "Another ledger."})
    found = read_changes(corpus, 1, 2, rows=True)
    for path in corpus.table("chunks").glob("data/*"):
        path.unlink()
    with pytest.raises(CorpusError, match=r"table chunks of .* cannot be read"):
        found.tables["chunks"].read_all()


def test_an_open_corpus_gives_its_changes_by_table(corpus: Corpus) -> None:
    publish_again(str(corpus), {"b.txt": "Another ledger."})
    opened = pagemill.open(str(corpus))
    publish_again(str(corpus), {"b.txt": "A third ledger."})
    assert opened.changes(since=1, tables=["documents"])["documents"].read_all()["_generation"].to_pylist() == [2]
    with pytest.raises(InputError, match=r"no table of a generation"):
        opened.changes(tables=["logs"])


def test_who_may_not_read_all_documents_is_told_of_no_change(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path), TEXTS, groups={path: ["keepers"] for path in TEXTS})
    ensure_live_tags(Corpus(str(tmp_path)))
    with pytest.raises(AccessError, match=r"only the corpus's owner"):
        pagemill.open(str(tmp_path), as_=pagemill.Principal(["keepers"])).changes()
    assert pagemill.open(str(tmp_path), as_=pagemill.OWNER).changes()["documents"].read_all().num_rows == 3
