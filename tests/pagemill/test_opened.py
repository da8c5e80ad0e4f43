import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.hits import HITS, Hit
from schemas.tables.generations import GENERATIONS
from tasks.store import lance, published
from tests.tasks.small_corpus import publish_corpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    publish_corpus(str(tmp_path / "corpus"), {"mill.txt": "The heron waits by the weir.\nIt eats eels.", "b.txt": "A ledger."})
    return tmp_path / "corpus"


def publish_again(folder: Path) -> None:
    """Publish a second generation, without documents and chunks."""
    versions = dict(published.read_live_generation(Corpus(str(folder))).versions)
    for name in ("documents", "chunks"):
        table = lance.open_table(Corpus(str(folder)), name)
        table.delete("true")
        versions[name] = table.version
    (row,) = published.read_generation_rows(Corpus(str(folder)))
    published.insert_generation(Corpus(str(folder)), {**row, "generation": 2, "versions": json.dumps(versions)})


def test_hits_are_objects_and_a_table(folder: Path) -> None:
    hits = pagemill.open(folder).search("heron ledger", mode="fts", returned="chunks")
    assert isinstance(hits[0], Hit) and len(hits) == 2
    assert hits.to_arrow().to_pylist() == [hit.model_dump() for hit in hits]


def test_hits_of_a_question_without_an_answer_are_a_table_without_rows(folder: Path) -> None:
    hits = pagemill.open(folder).search("zebra", mode="fts")
    assert (len(hits), hits.to_arrow().num_rows, hits.to_arrow().schema) == (0, 0, HITS)


def test_a_hit_has_the_columns_of_the_table_of_hits() -> None:
    assert list(Hit.model_fields) == HITS.names


def test_boxes_of_a_hit_come_into_the_table() -> None:
    box = {"page_number": 2, "bbox": {"x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}}
    texts = dict.fromkeys(("chunk_id", "document_id", "path", "title", "kind", "text", "embedding_text", "chunk_text"), "a")
    places = dict.fromkeys(("start_char", "end_char", "chunk_start_char", "chunk_end_char"), 0)
    hit = Hit.model_validate({**texts, **places, "rank": 1, "score": 0.5, "pages": [2], "boxes": [box], "section": ["A"]})
    assert pagemill.Hits([hit]).to_arrow()["boxes"].to_pylist() == [[box]]


def test_tables_are_those_of_the_generation_that_was_opened(folder: Path) -> None:
    def rows(corpus: pagemill.OpenCorpus) -> list[int]:
        return [table.num_rows for table in (corpus.documents(), corpus.chunks(), corpus.generations())]

    corpus = pagemill.open(str(folder))
    publish_again(folder)
    assert (corpus.generation, rows(corpus)) == (1, [2, 3, 1])
    assert len(corpus.search("heron", mode="fts")) == 1
    later = pagemill.open(str(folder))
    assert (later.generation, rows(later)) == (2, [0, 0, 2])


def test_tables_have_their_schemas(folder: Path) -> None:
    corpus = pagemill.open(folder)
    assert corpus.generations().schema == GENERATIONS
    assert corpus.chunks().schema.field("vector").type == pa.list_(pa.float32(), 8)


def test_columns_and_rows_can_be_chosen(folder: Path) -> None:
    corpus = pagemill.open(folder)
    assert corpus.documents(["path"], "n_pages > 1").to_pydict() == {"path": ["mill.txt"]}
    assert corpus.chunks(["position"], "path = 'mill.txt'").to_pydict() == {"position": [0, 1]}


def test_an_opened_corpus_says_what_it_is(folder: Path) -> None:
    assert repr(pagemill.open(folder)) == f"<generation 1 of corpus {folder}>"


WRONG_CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "no results": (lambda corpus: corpus.search("heron", k=0), "k is 0: ask for at least one result"),
    "a blank question": (lambda corpus: corpus.search(" "), "the question is empty: write a question"),
    "an unknown column": (lambda corpus: corpus.search("heron", mode="fts", where="year = 3"), "no such column"),
    "half a condition": (lambda corpus: corpus.documents(where="n_pages >"), "does not fit"),
    "an unknown mode": (lambda corpus: corpus.search("heron", mode="sparse"), "choose one of hybrid, dense, fts"),
    "an unknown result": (lambda corpus: corpus.search("heron", returned="pages"), "choose one of passages, chunks, parents"),
    "an unknown column to read": (lambda corpus: corpus.chunks(["year"]), "year: no column of chunks; there are chunk_id"),
}


@pytest.mark.parametrize(("call", "message"), WRONG_CALLS.values(), ids=WRONG_CALLS.keys())
def test_a_wrong_call_is_told_with_its_remedy(folder: Path, call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(pagemill.errors.InputError, match=message):
        call(pagemill.open(folder))


def test_a_corpus_that_is_not_there_or_not_published_is_told_with_its_remedy(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("nowhere", "empty"):
        with pytest.raises(
            pagemill.PagemillError, match=f"{name} holds no published corpus: refresh it first, or check the path"
        ):
            pagemill.open(tmp_path / name)
    assert not (tmp_path / "nowhere").exists()


def test_a_document_is_read_whole_by_its_pages_or_in_parts(folder: Path) -> None:
    corpus = pagemill.open(folder)
    whole = corpus.read("mill.txt")
    assert (whole.text, whole.next_start_char) == ("The heron waits by the weir.\nIt eats eels.", None)
    assert corpus.read("mill.txt", start=4, length=5).text == "heron"
    with pytest.raises(pagemill.errors.InputError, match="pages 1 to 2: there is no page 3"):
        corpus.read(whole.document_id, page=3)
    with pytest.raises(pagemill.errors.UnknownDocument, match="has no document"):
        corpus.read("gone.txt")
