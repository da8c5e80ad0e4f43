"""Versions of a table without a document: all other rows are as they were and are found, and no byte of it is left."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from schemas.corpus import Corpus
from tasks.publish.io import purge_tables
from tasks.publish.io.purge_tables import rewrite_versions_without
from tasks.store import indexes, lance, vector_indexes
from tasks.store.conditions import make_documents_condition
from tasks.store.loading import import_lance

COLUMNS = [("groups", pa.list_(pa.string())), ("search_terms", pa.string()), ("vector", pa.list_(pa.float32(), 8))]
SCHEMA = pa.schema([pa.field("document_id", pa.string(), nullable=False), *(pa.field(*column) for column in COLUMNS)])
GONE = ["doc7", "doc41"]


def make_rows(documents: Sequence[int]) -> pa.Table:
    """Return three rows of each document; two words of a row are its document's and its own."""
    vectors = np.random.default_rng(len(documents)).random(len(documents) * 3 * 8, np.float32)
    facts = {
        "document_id": [f"doc{n}" for n in documents for _ in range(3)],
        "groups": [[f"group{n}", "all"] for n in documents for _ in range(3)],
        "search_terms": [f"word{n} quibble{n}x{row} common" for n in documents for row in range(3)],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors), 8),
    }
    return pa.table(facts, schema=SCHEMA)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.setattr(vector_indexes, "INDEXED_ROWS", 1)
    return Corpus(str(tmp_path))


def publish_versions(corpus: Corpus) -> list[int]:
    """Make versions of chunks by all that changes them: documents added, deleted, given other rights, an old version restored."""
    from lance import LanceOperation

    table = lance.ensure_table(corpus, "chunks", SCHEMA)
    table.add(make_rows(range(100)))
    versions = [index_chunks(corpus)]
    lance.replace_documents(table, make_rows(range(95, 105)).to_reader(), ["doc3", "doc7", *(f"doc{n}" for n in range(95, 100))])
    versions.append(index_chunks(corpus))
    dataset = import_lance().dataset(table.uri)
    rights = pa.table({"document_id": ["doc41", "doc50"], "groups": [["group41", "some"], ["none"]]})
    changed, fields = dataset.get_fragments()[0].update_columns(rights, "document_id", "document_id")
    update = LanceOperation.Update(updated_fragments=[changed], fields_modified=sorted(fields))
    import_lance().LanceDataset.commit(dataset, update, read_version=dataset.version)
    versions.append(index_chunks(corpus))
    table.checkout_latest()
    table.restore(versions[0])
    lance.replace_documents(table, make_rows(range(110, 115)).to_reader(), [])
    versions.append(index_chunks(corpus))
    return versions


def index_chunks(corpus: Corpus) -> int:
    table = lance.open_table(corpus, "chunks")
    indexes.maintain_indexes(table)
    return int(table.version)


def read_all(corpus: Corpus, version: int) -> list[dict[str, Any]]:
    rows = import_lance().dataset(str(corpus.table("chunks")), version=version).to_table()
    found: list[dict[str, Any]] = rows.sort_by([("search_terms", "ascending")]).to_pylist()
    return found


@pytest.mark.parametrize("few_rows", [0, purge_tables.FEW_ROWS], ids=["centres found anew", "centres kept"])
def test_every_version_has_all_other_rows_and_its_indexes_find_them(
    corpus: Corpus, few_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge_tables, "FEW_ROWS", few_rows)
    versions = publish_versions(corpus)
    new = rewrite_versions_without(corpus, "chunks", versions, GONE)
    for version in versions:
        wanted = [row for row in read_all(corpus, version) if row["document_id"] not in GONE]
        assert read_all(corpus, new[version]) == wanted
        table = import_lance().dataset(str(corpus.table("chunks")), version=new[version])
        old = import_lance().dataset(str(corpus.table("chunks")), version=version)
        assert indexes.list_index_segments(table).keys() == indexes.list_index_segments(old).keys()
        assert table.to_table(filter=make_documents_condition(GONE)).num_rows == 0
        for row in wanted[::20]:
            assert row in table.to_table(filter=make_documents_condition([row["document_id"]])).to_pylist()
            word = row["search_terms"].split()[1]
            assert [found["search_terms"] for found in table.to_table(full_text_query=word).to_pylist()] == [row["search_terms"]]
            nearest = {"column": "vector", "q": row["vector"], "k": 1, "metric": "cosine"}
            assert table.to_table(nearest=nearest)["search_terms"].to_pylist() == [row["search_terms"]]


def test_no_byte_of_the_documents_is_left_and_each_file_is_written_once(corpus: Corpus) -> None:
    versions = publish_versions(corpus)
    before = {path.name for path in corpus.table("chunks").glob("data/*")}
    for name, version in rewrite_versions_without(corpus, "chunks", versions, GONE).items():
        lance.set_tag(corpus, "chunks", f"g{name}", version)
    lance.delete_old_versions(corpus, "chunks", timedelta(0), unfinished=True)
    files = [path for path in corpus.table("chunks").rglob("*") if path.is_file()]
    needles = [b"quibble7x", b"quibble41x", b"group41", b"doc41"]
    assert [path for path in files if any(needle in path.read_bytes() for needle in needles)] == []
    written = {path.name for path in corpus.table("chunks").glob("data/*")} - before
    assert len(written) == len({"rows of the first build", "their new rights"})
    assert len([*corpus.table("chunks").glob("_indices/*")]) < len(versions) * len(COLUMNS)
