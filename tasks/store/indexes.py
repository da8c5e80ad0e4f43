"""Indexes of the chunks, and the files of tables: joined while they grow, rewritten without what was purged."""

from datetime import timedelta
from typing import Any

import pyarrow as pa

from tasks.store.loading import lance_library

NEVER = timedelta(days=36500)
"""Handed to optimize as its clean-up age: cleaning is done apart, where tagged versions are no error."""

EXACT_SEARCH_ROWS = 100_000
"""Up to so many vectors exact search is fast enough (0.24 s); above it, an IVF_PQ index is built."""


def index_chunks(table: Any) -> None:
    """Make the indexes of the chunks that are missing, and let all of them cover the new rows."""
    rows = table.count_rows()
    present = {column for index in table.list_indices() for column in index.columns}
    wanted = ["text", "document_id"] + (["vector"] if rows > EXACT_SEARCH_ROWS else [])
    for column in wanted:
        if rows and column not in present:
            table.create_index(column, config=_index_config(column, table.schema))
    table.optimize(cleanup_older_than=NEVER)


def compact(table: Any) -> None:
    """Join small fragments, so that they do not grow with the number of refreshes."""
    table.optimize(cleanup_older_than=NEVER)


def rewrite(table: Any) -> None:
    """Write the files of deleted rows anew without them, and build the indexes again, so that nothing of them is left."""
    dataset = lance_library().dataset(table.uri)
    dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
    table.checkout_latest()
    for index in table.list_indices():
        column = index.columns[0]
        table.drop_index(index.name)
        if table.count_rows():
            table.create_index(column, config=_index_config(column, table.schema))


def _index_config(column: str, schema: pa.Schema) -> Any:
    from lancedb.index import FTS, BTree, IvfPq

    if column == "text":
        return FTS(with_position=False)
    if column == "vector":
        dimension = schema.field("vector").type.list_size
        return IvfPq(distance_type="cosine", num_sub_vectors=max(1, dimension // 8))
    return BTree()
