"""A corpus made of copies of a smaller one, written into the tables: building a million documents would take a day."""

import os
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.ids import digest, document_id
from schemas.tables.generations import VERSIONED
from tasks.publish.io.rollback import make_successor
from tasks.publish.io.write import tag_table_versions
from tasks.store import indexes, lance, published
from tasks.store.loading import import_lance

KEYS = {"elements": "element_id", "figures": "element_id", "chunks": "chunk_id"}


def multiply_source(source: Path, to: Path, times: int) -> None:
    """Make `times` copies of a source, each in a folder of its own; they share its files."""
    for path in sorted(source.rglob("*.txt")):
        for number in range(times):
            copy = to / f"{number:04d}" / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, copy)


def multiply_corpus(uri: str, times: int) -> None:
    """Put `times` copies of all documents in the place of the documents of a corpus, and publish them."""
    corpus = Corpus(uri)
    live = published.read_live_generation(corpus)
    documents = published.read_columns(corpus, live, "documents", ["document_id", "path"])
    versions = {}
    for name in VERSIONED:
        rows = published.read_columns(corpus, live, name, None)
        table = lance.open_table(corpus, name)
        table.delete("true")
        if rows.num_rows:
            copies = (_copy_rows(rows, documents, KEYS.get(name), number) for number in range(times))
            batches = (batch for copy in copies for batch in copy.to_batches())
            import_lance().write_dataset(pa.RecordBatchReader.from_batches(rows.schema, batches), table.uri, mode="append")
        table.checkout_latest()
        indexes.maintain_indexes(table)
        versions[name] = int(table.version)
    successor = make_successor(live, live, versions, f"multiplied-{time.time_ns()}", "refresh", held=False)
    tag_table_versions(corpus, successor.generation, versions)
    published.insert_generation(corpus, successor.as_row())


def _copy_rows(rows: pa.Table, documents: pa.Table, key: str | None, number: int) -> pa.Table:
    """Return the rows as those of one copy of the `documents`: with other paths, and ids of their own."""
    paths = pa.array([f"{number:04d}/{path}" for path in documents["path"].to_pylist()])
    ids = pa.array([document_id("main", path) for path in paths.to_pylist()])
    places = pc.index_in(rows["document_id"], value_set=documents["document_id"])
    rows = _replace(rows, "document_id", ids.take(places.combine_chunks()))
    if "path" in rows.column_names:
        rows = _replace(rows, "path", paths.take(places.combine_chunks()))
    return _replace(rows, key, pa.array([digest(name, number) for name in rows[key].to_pylist()])) if key else rows


def _replace(rows: pa.Table, name: str, column: pa.Array) -> pa.Table:
    at = rows.schema.get_field_index(name)
    return rows.set_column(at, rows.schema.field(at), column)
