"""Candidates from a table whose vectors have an index: the same as without one, in a filter too."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from tasks.embed.vectors import Vectors
from tasks.search.document_prior import read_chunk_sample
from tasks.search.io import chunks as chunks_module
from tasks.search.io.chunks import Chunks
from tasks.search.named_places import find_named_places
from tasks.search.ranker import Candidates, Ranker, SearchRequest
from tasks.store import indexes, lance, published, vector_indexes
from tasks.store.access import OpenTables
from tasks.store.loading import import_lance
from tests.tasks.small_corpus import DIMENSION, publish_corpus

N = 12


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, {f"note{number}.txt": f"Note {number} tells of mill number {number}." for number in range(N)})
    table = lance.open_table(Corpus(folder), "chunks")
    rows = table.to_arrow()
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(np.concatenate([vector_of(n) for n in range(N)])), DIMENSION)
    place = rows.schema.get_field_index("vector")
    table.delete("true")
    table.add(rows.set_column(place, rows.schema.field(place), vectors))
    indexes.maintain_indexes(table)
    versions = {**published.read_live_generation(Corpus(folder)).versions, "chunks": table.version}
    lance.open_table(Corpus(folder), "generations").update(values={"versions": json.dumps(versions)})
    return Corpus(folder)


@pytest.fixture(scope="module")
def indexed(corpus: Corpus) -> Chunks:
    live = published.read_live_generation(corpus)
    vector_indexes.build_vector_index(import_lance().dataset(str(corpus.table("chunks"))))
    version = lance.open_table(corpus, "chunks").version
    newer = live.model_copy(update={"versions": {**live.versions, "chunks": version}})
    return Chunks(corpus, OpenTables(corpus, newer, None))


def vector_of(number: int) -> Vectors:
    vector = np.random.default_rng(number).standard_normal(DIMENSION, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def find(chunks: Chunks, vector: Vectors | None, question: str, request: SearchRequest) -> tuple[Candidates, Mapping[str, float]]:
    """Return the candidates for a question, and the BM25 of those that share words with it."""
    ranker = Ranker(chunks)
    matches = ranker.match_words(find_named_places(question), request)
    return ranker.find_candidates(vector, matches, request), matches.scores


def test_an_index_finds_what_exact_search_finds(corpus: Corpus, indexed: Chunks) -> None:
    live = published.read_live_generation(corpus)
    exact = Chunks(corpus, OpenTables(corpus, live, None))
    for where in (None, "path != 'note3.txt'"):
        (found, lexical), (expected, expected_lexical) = (
            find(one, vector_of(3), "mill 3", SearchRequest("hybrid", where, 5, 5, False)) for one in (indexed, exact)
        )
        assert found.positions == expected.positions
        assert lexical == expected_lexical
        assert [round(cosine, 5) for cosine in found.nearest] == [round(cosine, 5) for cosine in expected.nearest]
        assert len(found.nearest) == 5


def test_among_few_the_nearest_are_found_whatever_the_index_misses(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    table = import_lance().dataset(str(corpus.table("chunks")))
    centroids = np.stack([vector_of(number) for number in range(200, 206)])  # else k-means draws some that miss nothing
    table.create_index("vector", "IVF_FLAT", vector_indexes.VECTORS, "cosine", True, num_partitions=6, ivf_centroids=centroids)
    live = published.read_live_generation(corpus)
    newer = live.model_copy(update={"versions": {**live.versions, "chunks": table.version}})
    monkeypatch.setattr(vector_indexes, "PROBES", 1)
    chunks = Chunks(corpus, OpenTables(corpus, newer, None))
    where = "path > 'note3.txt'"
    rows = table.to_table(columns=["vector"], filter=where, with_row_id=True)
    vectors = np.array(rows["vector"].to_pylist(), np.float32)
    asked = [vector_of(number) for number in range(100, 140)]
    nearest = [str(rows["_rowid"][int(np.argmax(vectors @ vector))].as_py()) for vector in asked]
    assert [chunks.find_nearest(vector, 1, where)[0] for vector in asked] == nearest
    monkeypatch.setattr(chunks_module, "COMPARED_ROWS", 0)
    assert [chunks.find_nearest(vector, 1, where)[0] for vector in asked] != nearest, "the index misses none"


def test_rows_are_read_in_the_order_that_was_asked_for(indexed: Chunks) -> None:
    rows = list(find(indexed, None, "mill", SearchRequest("fts", None, N, N, False))[0].positions)
    paths = indexed.read(rows, ["path"])["path"].to_pylist()
    assert len(set(paths)) == N
    assert indexed.read(rows[::-1], ["path"])["path"].to_pylist() == paths[::-1]
    assert indexed.read([], ["path"]).num_rows == 0


def test_words_alone_need_no_vector_and_vectors_alone_no_words(indexed: Chunks) -> None:
    words, lexical = find(indexed, None, "mill", SearchRequest("fts", None, N, N, False))
    assert (len(lexical), words.cosines, words.nearest) == (N, {}, [])
    near, lexical = find(indexed, vector_of(0), "", SearchRequest("dense", None, N, N, False))
    assert (len(near.cosines), lexical) == (N, {})


def both_ways(folder: Path, texts: dict[str, str]) -> tuple[Chunks, Chunks]:
    """Return the chunks of two corpora of the same texts, whose rows were written in opposite orders."""
    found = []
    for name, paths in (("one", sorted(texts)), ("other", sorted(texts, reverse=True))):
        corpus = Corpus(str(folder / name))
        publish_corpus(corpus.uri, {path: texts[path] for path in paths})
        live = published.read_live_generation(corpus)
        found.append(Chunks(corpus, OpenTables(corpus, live, None)))
    return found[0], found[1]


def test_of_chunks_that_share_as_many_words_the_same_take_part_however_they_were_written(tmp_path: Path) -> None:
    one, other = (
        Ranker(chunks).match_words(find_named_places("mill"), SearchRequest("fts", None, 4, 4, False))
        for chunks in both_ways(tmp_path, {f"note{number:02}.txt": "The mill stands by the river." for number in range(N)})
    )
    assert len(one.scores) == 4
    assert one.rows["document_id"].to_pylist() == other.rows["document_id"].to_pylist()
    assert [*one.scores.values()] == [*other.scores.values()]


def test_the_same_chunks_show_how_rare_words_are_however_they_were_written(tmp_path: Path) -> None:
    one, other = both_ways(tmp_path, {f"note{number:02}.txt": f"Mill {number} stands by the river." for number in range(N)})
    written, written_back = (
        chunks.read([str(row) for row in range(N)], ["document_id"])["document_id"] for chunks in (one, other)
    )
    assert written.to_pylist() == written_back.to_pylist()[::-1]
    documents, chosen = written.combine_chunks().sort(), np.array([1, 5, 7])
    whose, texts = read_chunk_sample(one, chosen, documents, np.arange(N))
    assert (whose, len({*texts})) == ([1, 5, 7], 3)
    assert read_chunk_sample(other, chosen, documents, np.arange(N)) == (whose, texts)
