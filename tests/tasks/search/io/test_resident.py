"""Columns of chunks in memory: the same rows as in the table."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.corpus import Corpus
from tasks.search.io import chunks as chunks_module
from tasks.search.io import resident
from tasks.search.io.chunks import Chunks
from tasks.search.io.resident import COLUMNS, ResidentColumns, load_resident_columns
from tasks.search.io.retrieve import open_searcher
from tasks.store import lance, published
from tasks.store.access import OpenTables
from tasks.store.loading import import_lance
from tests.tasks.small_corpus import publish_corpus

TEXTS = {
    f"note{number}.txt": "\n".join(f"Line {line} of note {number} tells of mill {line % number}." for line in range(number))
    for number in range(1, 9)
}
QUESTIONS = ("mill 3", "note 5 line 2", "tells of mills", "line 4")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, TEXTS, with_embedder=True)
    return Corpus(folder)


def chunks_of(corpus: Corpus) -> Chunks:
    live = published.read_live_generation(corpus)
    return Chunks(corpus, OpenTables(corpus, live, None))


@pytest.fixture(scope="module")
def read(corpus: Corpus) -> Iterator[tuple[Chunks, ResidentColumns]]:
    """The chunks of a table of which a part was deleted and another added, with context, and its columns in memory."""
    table = lance.open_table(corpus, "chunks")
    rows = table.to_arrow()
    table.delete("position = 3")
    fourth = rows.filter(rows["position"].to_numpy() == 3)
    seen = [f"Note\n{text}" for text in fourth["text"].to_pylist()]
    place = rows.schema.get_field_index("embedding_text")
    table.add(fourth.set_column(place, rows.schema.field(place), pa.array(seen)))
    live = published.read_live_generation(corpus)
    newer = live.model_copy(update={"versions": {**live.versions, "chunks": table.version}})
    chunks = Chunks(corpus, OpenTables(corpus, newer, None))
    yield chunks, load_resident_columns(chunks._dataset)


@given(data=st.data())
def test_rows_are_those_of_the_table(read: tuple[Chunks, ResidentColumns], data: st.DataObject) -> None:
    chunks, kept = read
    everything = chunks._query_table(columns=["_rowid"])["_rowid"].to_pylist()
    rows = data.draw(st.lists(st.sampled_from(everything), max_size=20))
    names = data.draw(st.lists(st.sampled_from(COLUMNS), min_size=1, unique=True))
    assert kept.take(rows, names).to_pydict() == chunks.read(list(map(str, rows)), names).to_pydict()


def test_chunks_of_documents_are_those_of_the_table_in_their_order(read: tuple[Chunks, ResidentColumns]) -> None:
    chunks, kept = read
    names = sorted({*chunks._query_table(columns=["document_id"])["document_id"].to_pylist()})
    for name, table in zip(names, chunks.read_documents(names, None), strict=True):
        assert kept.list_rows_of(name).tolist() == table["_rowid"].to_pylist()
    assert not len(kept.list_rows_of("none"))


def test_what_the_embedder_saw_takes_little_where_it_is_the_text(read: tuple[Chunks, ResidentColumns]) -> None:
    _, kept = read
    assert kept.columns["embedding_text"].nbytes < kept.columns["text"].nbytes / 2


def test_what_there_is_no_room_for_is_left_out(read: tuple[Chunks, ResidentColumns], monkeypatch: pytest.MonkeyPatch) -> None:
    chunks, kept = read
    room = sum(kept.columns[name].nbytes for name in COLUMNS[:4]) * 1.1
    monkeypatch.setattr(resident, "measure_available_memory", lambda: room / resident.SHARE)
    assert list(load_resident_columns(chunks._dataset).columns) == list(COLUMNS[:4])


@pytest.mark.parametrize("n", [1, 2, 5])
def test_chunks_that_are_partly_in_memory_are_those_of_the_table(
    read: tuple[Chunks, ResidentColumns], n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks, kept = read
    monkeypatch.setattr(resident, "COLUMNS", COLUMNS[:n])
    monkeypatch.setattr(chunks_module, "ASKED_OFTEN", 0)
    partly = Chunks(chunks._corpus, chunks._tables)
    partly.count_question()
    known = partly.resident.wait()
    assert known and known.columns.keys() == {*COLUMNS[:n]}
    names = chunks.list_documents()["document_id"].to_pylist()
    of_each = [rows.to_pydict() for rows in chunks.read_documents(names, None)]
    assert [rows.to_pydict() for rows in partly.read_documents(names, None)] == of_each
    rows = [str(row) for row in of_each[0]["_rowid"]]
    assert partly.read(rows, COLUMNS).to_pydict() == kept.take(list(map(int, rows)), COLUMNS).to_pydict()


@pytest.mark.parametrize("n", [len(COLUMNS), 2, 0])
@pytest.mark.parametrize("where", [None, "path != 'note5.txt'"])
def test_answers_are_the_same_from_memory(corpus: Corpus, n: int, where: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident, "COLUMNS", COLUMNS[: max(n, 1)])
    monkeypatch.setattr(resident, "measure_available_memory", lambda: 2**30 if n else 0)
    monkeypatch.setattr(chunks_module, "ASKED_OFTEN", 0)
    searcher = open_searcher(corpus)
    first = [searcher.search(question, 3, "fts", where) for question in QUESTIONS]
    kept = searcher.chunks.resident.wait()
    assert kept and kept.columns.keys() == {*COLUMNS[:n]}
    assert [searcher.search(question, 3, "fts", where) for question in QUESTIONS] == first
    assert any(first)


def test_a_table_that_is_gone_is_read_as_before_and_so_says_why(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), TEXTS)
    chunks = chunks_of(Corpus(str(tmp_path / "corpus")))
    chunks._dataset = import_lance().dataset(chunks._dataset.uri)
    for data in (tmp_path / "corpus").rglob("*.lance"):
        if data.is_file():
            data.unlink()
    with pytest.raises(Exception, match=r"(?i)not found"):
        load_resident_columns(chunks._dataset)
