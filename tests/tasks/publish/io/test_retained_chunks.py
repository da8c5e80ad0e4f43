from pathlib import Path

import pytest

from expectations.lengths import Lengths
from schemas.corpus import Corpus
from tasks.publish.io.retained_chunks import load_chunk_lengths, save_chunk_lengths, scan_retained_chunks
from tasks.store import published
from tests.tasks.small_corpus import publish_corpus

TEXTS = {"a.txt": "one line", "b.txt": "two\nlines", "c.txt": "and\nthree\nlines"}


def test_lengths_are_those_of_one_version_of_the_chunks(tmp_path: Path) -> None:
    corpus, lengths = Corpus(str(tmp_path)), Lengths(tokens={3: 1}, chars={20: 1})
    assert load_chunk_lengths(corpus, 4) is None
    save_chunk_lengths(corpus, 4, lengths)
    assert (load_chunk_lengths(corpus, 4), load_chunk_lengths(corpus, 5)) == (lengths, None)


@pytest.mark.parametrize("damaged", ["", "[]", "{}", '{"version": 4}', '{"version": 4, "lengths": {"tokens": "none"}}'])
def test_lengths_that_are_damaged_are_as_good_as_none(tmp_path: Path, damaged: str) -> None:
    corpus = Corpus(str(tmp_path))
    save_chunk_lengths(corpus, 4, Lengths())
    corpus.marker("lengths.json").write_text(damaged)
    assert load_chunk_lengths(corpus, 4) is None


def test_lengths_that_are_kept_are_those_that_reading_all_chunks_gives(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path), TEXTS)
    corpus = Corpus(str(tmp_path))
    live = published.read_live_generation(corpus)
    documents = published.read_columns(corpus, live, "documents", ["document_id"])["document_id"].to_pylist()
    whole = scan_retained_chunks(corpus, live, []).measure_lengths()
    assert (whole.n, sum(whole.cut.values())) == (6, 5)
    for gone in (documents[:0], documents[:1], documents[1:], documents):
        staying = scan_retained_chunks(corpus, live, gone)
        read = staying.measure_lengths()
        save_chunk_lengths(corpus, live.versions["chunks"], whole)
        assert staying.measure_lengths() == read
        assert read.n == staying.n
        corpus.marker("lengths.json").unlink()


def test_kept_lengths_that_cannot_be_true_are_not_used(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path), TEXTS)
    corpus = Corpus(str(tmp_path))
    live = published.read_live_generation(corpus)
    staying = scan_retained_chunks(corpus, live, [])
    expected = staying.measure_lengths()
    save_chunk_lengths(corpus, live.versions["chunks"], Lengths(tokens={1: 99}, chars={1: 99}))
    assert staying.measure_lengths() == expected


def test_a_replaced_document_is_not_among_the_keys(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path), TEXTS)
    corpus = Corpus(str(tmp_path))
    live = published.read_live_generation(corpus)
    rows = published.read_columns(corpus, live, "chunks", ["chunk_id", "document_id"])
    gone = rows["document_id"][0].as_py()
    staying = scan_retained_chunks(corpus, live, [gone])
    assert (gone in staying.documents.to_pylist(), len(staying.documents)) == (False, 2)
    assert staying.read_keys(staying.documents).num_rows == staying.n == sum(map(len, staying.keys))
