"""The change feed: which rows of the published tables were removed, changed and added between two generations.

A purge rewrites all kept generations, so that nothing can tell what they had. What it leaves are the ids of its documents: where
an older generation had them, the feed says that all rows of these documents are removed, whose other keys nobody knows any more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.tables.generations import VERSIONED
from tasks.deliver.io.versions import PART_ROWS, compare_versions, read_rows, split_positions
from tasks.publish.io.tags import list_restorable_generations
from tasks.store import published
from tasks.store.published import Generation

CHANGE, GENERATION = "_change", "_generation"
"""Columns of the feed: removed, changed or added; and the generation in which it is so."""

KEYS = {
    "documents": ("document_id",),
    "elements": ("element_id",),
    "figures": ("element_id",),
    "chunks": ("chunk_id",),
    "rejects": ("document_id", "step", "page_number"),
}
"""By table, the columns that name a row."""


class Changes(NamedTuple):
    """What changed from generation `since` (0: from nothing) to `generation`.

    `tables` gives for each table its batches, which can be read once: first the rows that are removed, of which only keys are
    told, then those that changed, then those that are new. A removal with a document_id and no other key is of all rows of a
    document that was purged; the ids of these are `purged`.
    """

    since: int
    generation: int
    purged: list[str]
    tables: dict[str, pa.RecordBatchReader]


def read_changes(corpus: Corpus, since: int, to: int, rows: bool = False, names: Sequence[str] = VERSIONED) -> Changes:
    """Return what changed in the tables `names` from generation `since` to `to`; with `rows`, with all columns of these.

    It tells of all documents, whoever may read them: only the corpus's owner may get it.

    Raises:
        InputError: `to` is older than `since`.
        CorpusError: there is no such generation, or it was cleaned up, or it cannot be read (also while batches are read).
    """
    kept = {found.generation: found for found in list_restorable_generations(corpus)}
    before, after = _choose_kept(corpus, kept, since) if since else None, _choose_kept(corpus, kept, to)
    if to < since:
        raise InputError(f"changes from generation {since} to {to} would go back: name the older generation first")
    purges = [found.purged for found in published.read_all_generations(corpus) if since in found.purged.get("generations", [])]
    purged = sorted({document for purge in purges for document in purge["documents"]})
    tables = {name: _read_table_changes(corpus, name, before, after, purged, rows) for name in names}
    return Changes(since, to, purged, tables)


def _choose_kept(corpus: Corpus, kept: Mapping[int, Generation], number: int) -> Generation:
    if number not in kept:
        published.find_generation(corpus, number)
        raise CorpusError(
            f"generation {number} of {corpus} was cleaned up, and the oldest that is kept is {min(kept, default='none')}: "
            "take all rows (--since 0), and keep more generations (publish.keep_generations)"
        )
    return kept[number]


def _read_table_changes(
    corpus: Corpus, name: str, before: Generation | None, after: Generation, purged: Sequence[str], rows: bool
) -> pa.RecordBatchReader:
    keys = [*dict.fromkeys((*KEYS[name], "document_id"))]
    dataset = published.open_published(corpus, after, name)
    fields = [dataset.schema.field(column) for column in (dataset.schema.names if rows else keys)]
    told = [pa.field(CHANGE, pa.string(), nullable=False), pa.field(GENERATION, pa.int64(), nullable=False)]
    schema = pa.schema([*told, *(pa.field(field.name, field.type) for field in fields)])
    columns = schema.names[len(told) :]

    def read() -> Iterator[pa.RecordBatch]:
        if before is None:
            for batch in dataset.to_batches(columns=columns, batch_size=PART_ROWS):
                yield from _label(pa.Table.from_batches([batch]), "added", after.generation, schema)
            return
        older = published.open_published(corpus, before, name)
        found = compare_versions(older, dataset, KEYS[name])
        gone = pa.table({"document_id": pa.array(purged, pa.string())})
        for part in chain([gone], (read_rows(older, positions, keys) for positions in split_positions(found.removed))):
            yield from _label(part, "removed", after.generation, schema)
        for change, places in (("changed", found.changed), ("added", found.added)):
            for positions in split_positions(places):
                yield from _label(read_rows(dataset, positions, columns), change, after.generation, schema)

    return pa.RecordBatchReader.from_batches(schema, _explain_errors(corpus, name, after, read()))


def _label(rows: pa.Table, change: str, generation: int, schema: pa.Schema) -> Iterable[pa.RecordBatch]:
    """Return rows as batches of a feed: columns that they lack are null."""
    n = rows.num_rows
    given = {CHANGE: pa.array([change] * n, pa.string()), GENERATION: pa.array([generation] * n, pa.int64())}
    given |= {name: rows[name] for name in rows.schema.names}
    columns = [given[field.name] if field.name in given else pa.nulls(n, field.type) for field in schema]
    batches: list[pa.RecordBatch] = pa.table(columns, schema=schema).combine_chunks().to_batches()
    return batches


def _explain_errors(
    corpus: Corpus, name: str, generation: Generation, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    try:
        yield from batches
    except (ValueError, OSError, RuntimeError) as error:
        raise published.make_read_error(corpus, name, generation.versions[name], error) from error
