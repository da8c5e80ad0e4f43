"""Older corpora: what their tables lack is added before a refresh writes to them."""

from typing import Any

import pyarrow as pa

from tasks.language.detection import language_of
from tasks.language.terms import terms
from tasks.store.loading import import_lance


def add_search_terms(table: Any) -> None:
    """Add the column of terms to the chunks of an older corpus, as if each chunk were a document of its own.

    Documents that are computed again get the terms of their own language; the others would not be found by their words.
    """
    if "search_terms" in table.schema.names:
        return
    added = pa.schema([pa.field("search_terms", pa.string())])

    @import_lance().batch_udf(output_schema=added)  # type: ignore[untyped-decorator]
    def found(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.record_batch([[terms(text, language_of(text)) for text in batch["text"].to_pylist()]], schema=added)

    import_lance().dataset(table.uri).add_columns(found, read_columns=["text"])
    table.checkout_latest()


def add_sentence_ends(table: Any) -> None:
    """Add the column of the ends of sentences to the chunks of an older corpus, blank: chunks that are cut anew get them."""
    if "sentence_ends" in table.schema.names:
        return
    import_lance().dataset(table.uri).add_columns(pa.schema([pa.field("sentence_ends", pa.list_(pa.int32()))]))
    table.checkout_latest()
